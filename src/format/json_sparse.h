/* json_sparse.h - sparse operands in JSON.
 *
 *     {"format":"csr", "shape":[2,3], "indptr":[0,1,3], "indices":[2,0,1],
 *      "data":[5,6,7]}
 *     {"format":"csc", "shape":[2,3], "indptr":[0,1,2,3], "indices":[1,1,0],
 *      "data":[6,7,5]}
 *     {"format":"coo", "shape":[2,3], "row":[0,1,1], "col":[2,0,1],
 *      "data":[5,6,7]}
 *
 * Entries may come in any order; entries at the same place are summed.
 */
#ifndef FORMAT_JSON_SPARSE_H
#define FORMAT_JSON_SPARSE_H

#include <jansson.h>

#include "format/json_array.h"
#include "matrix/sparse.h"

enum { JSON_PLACES = 2 };

/* The fields of a sparse operand, until the matrix is built. */
struct json_sparse {
	const struct json_sparse_format *format;
	char label[PART_NAME];
	/* The two lists of places, as indptr and indices; float64. */
	struct matrix place[JSON_PLACES];
	struct matrix values;
	bool imaginary;			/* of complex values, the imaginary
					 * parts are the present ones */
};

/* The index in place[] of the list of that name, of any format; -1: the field
 * is no list of places. */
int json_sparse_place(const char *field);

/* Checks that the fields are those of their format, and that m's shape is a
 * sparse matrix's. The caller fills in the lists, and frees the result; NULL
 * with *e. */
struct json_sparse *json_sparse_new(const char *label, const json_t *fields,
                                    const struct matrix *m, struct err *e);
void json_sparse_free(struct json_sparse *s);

/* The same for lists that are not read from JSON; format is csr, csc or coo.
 * json_sparse_field() names the list that belongs in place[place]. */
struct json_sparse *json_sparse_make(const char *label, const char *format,
                                     const struct matrix *m, struct err *e);
const char *json_sparse_field(const struct json_sparse *s, int place);

/* Does building a matrix of m's shape take longer than a millisecond? */
bool json_sparse_is_long(const struct json_sparse *s, const struct matrix *m,
                         enum layout to);
double json_sparse_cost(const struct json_sparse *s, const struct matrix *m,
                        enum layout to);	/* as reader_cost() */

/* Builds m, whose shape is set. ERR_FORMAT names the element that is wrong. */
int json_sparse_build(struct json_sparse *s, struct matrix *m,
                      struct memory_pool *p, struct err *e);

#endif
