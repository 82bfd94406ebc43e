/* json_sparse.h - sparse operands in JSON.
 *
 *     {"format":"csr", "shape":[2,3], "indptr":[0,1,3], "indices":[2,0,1],
 *      "data":[5,6,7]}
 *     {"format":"csc", "shape":[2,3], "indptr":[0,1,2,3], "indices":[1,1,0],
 *      "data":[6,7,5]}
 *     {"format":"coo", "shape":[2,3], "row":[0,1,1], "col":[2,0,1],
 *      "data":[5,6,7]}
 *
 * Entries in any order, those that meet are summed.
 */
#ifndef FORMAT_JSON_SPARSE_H
#define FORMAT_JSON_SPARSE_H

#include <jansson.h>

#include "format/json_array.h"
#include "matrix/sparse.h"

enum { JSON_PLACES = 2 };

/* What a sparse operand's fields hold, until it is built. */
struct json_sparse {
	const struct json_sparse_format *format;
	char label[PART_NAME];
	struct matrix place[JSON_PLACES];	/* float64; where values are */
	struct matrix values;
};

/* Which list of places the field is, whatever the format; -1: none. */
int json_sparse_place(const char *field);

/* Are the fields those of their format, and the shape m's a sparse one's?
 * The lists themselves are the caller's to fill in. NULL with *e. */
struct json_sparse *json_sparse_new(const char *label, const json_t *fields,
                                    const struct matrix *m, struct err *e);
void json_sparse_free(struct json_sparse *s);

/* The same of lists that do not come as JSON: format is csr, csc or coo. Which
 * list belongs into which place, json_sparse_field() tells. */
struct json_sparse *json_sparse_make(const char *label, const char *format,
                                     const struct matrix *m, struct err *e);
const char *json_sparse_field(const struct json_sparse *s, int place);

/* More than a millisecond's work? m: its shape. */
bool json_sparse_is_long(const struct json_sparse *s, const struct matrix *m,
                         enum layout to);
double json_sparse_cost(const struct json_sparse *s, const struct matrix *m,
                        enum layout to);	/* as reader_cost() */

/* Makes m, which has its shape, the matrix. ERR_FORMAT names the element that
 * is wrong. */
int json_sparse_build(const struct json_sparse *s, struct matrix *m,
                      struct memory_pool *p, struct err *e);

#endif
