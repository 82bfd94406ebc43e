/* json_operand.h - the forms of an operand in JSON.
 *
 *     [[1,2],[3,4]]   5   {"shape":[2,2],"data":[1,2,3,4]}
 *     {"shape":[2,2],"dtype":"float32","base64":"..."}
 *     {"format":"coo", ...}, see json_sparse.h
 *     {"generate":"random","shape":[2,2],"seed":1}   {"ref":"name"}
 *     {"share":"id","shape":[2,2],"dtype":"float32"}, see json_named.h
 *     {"lu":[[2,1],[0.5,1]],"pivots":[0,1]}, see json_factors.h
 *     {"real":[[1,2],[3,4]],"imag":[[0,1],[-1,0]]}, see json_complex.h
 *
 * The reader passes rows and base64 on as they arrive, and an object's other
 * fields as small values. json_operand_settle() then checks that they match one
 * of the forms.
 */
#ifndef FORMAT_JSON_OPERAND_H
#define FORMAT_JSON_OPERAND_H

#include <jansson.h>

#include "format/base64.h"
#include "format/json_array.h"
#include "format/json_sparse.h"
#include "matrix/generate.h"
#include "matrix/store.h"

/* The fields of an operand whose values may be operands themselves; see
 * json_part.h. */
enum {
	JSON_REAL_PART, JSON_IMAG_PART, JSON_LU_PART, JSON_PIVOTS_PART,
	JSON_PARTS
};

/* The state of an operand that is being read. { 0 } is none. */
struct json_operand {
	const struct sink *sink;
	struct matrix *target;
	char label[PART_NAME];
	json_t *fields;			/* true for lists and base64 */
	struct json_array rows, place[JSON_PLACES], imag;
	struct json_work *part[JSON_PARTS];	/* fields that are operands
						 * themselves */
	struct base64 base64;
	struct grow bytes;
};

/* The work that remains for an operand when the body is complete. */
struct json_work {
	struct json_work *next;
	struct json_work *imag;			/* of a complex operand, whose
						 * real part this one is */
	char label[PART_NAME];
	const char *part;			/* "lu" or "pivots", if it was
						 * given as that field of the
						 * operand `factors`; or NULL */
	struct matrix *target, m;
	const struct generator *generator;	/* or NULL */
	uint64_t seed;
	struct json_sparse *sparse;		/* m's entries, or NULL */
	bool copy;				/* m's memory is a share's,
						 * and must become a copy */
	enum dtype dtype;			/* that m is converted to */
	enum dtype joined;			/* that a complex operand is
						 * converted to, if named */
	bool named;				/* the body names the dtype */
	const struct sink *sink;		/* that gives the stored matrix
						 * of this name, or NULL */
	char stored[STORE_NAME];
};

int json_operand_begin(struct json_operand *o, const struct part *p,
                       struct err *e);
void json_operand_fini(struct json_operand *o);

/* Prepares the readers of lists for an operand with its label and sink. */
void json_operand_init_lists(struct json_operand *o);

/* Decodes a piece of a base64 field's text, without escapes. */
int json_operand_base64(struct json_operand *o, const char *text, size_t n,
                        struct err *e);

/* Returns the reader of a field's list of numbers; NULL: the field is no list
 * of numbers. */
struct json_array *json_operand_list(struct json_operand *o,
                                     const char *field);

/* Takes a field's value over. ERR_FORMAT: the field is given twice or
 * unknown. */
int json_operand_field(struct json_operand *o, const char *name,
                       json_t *value, struct err *e);

/* To be called when the operand is complete: returns the work that remains, or
 * NULL with *e. The caller frees it. An object that stands for two operands
 * gives a list of two. */
struct json_work *json_operand_settle(struct json_operand *o,
                                      struct err *e);

/* Does the same for a scalar, given the text of a JSON number whose value is
 * about x. */
struct json_work *json_operand_scalar(struct json_operand *o,
                                      const struct text *number, double x,
                                      struct err *e);

/* For the files of single forms: ERR_FORMAT, which names the field ("": the
 * operand) and says why; the fields `shape`, and `dtype`, one of `types`
 * (bits), which stays if it is not given. */
int json_operand_refuse(const struct json_operand *o, const char *field,
                        const char *why, struct err *e);
int json_operand_shape(const struct json_operand *o, struct matrix *m,
                       struct err *e);
int json_operand_dtype(const struct json_operand *o, unsigned types,
                       enum dtype *d, struct err *e);
enum {
	JSON_NUMBERS = DTYPE_REALS | DTYPE_INTEGERS | DTYPE_HALVES |
	               DTYPE_COMPLEXES,
	JSON_BYTES = JSON_NUMBERS | DTYPE_BIT(BOOL),
};

/* Does the work take longer than a millisecond? */
bool json_work_is_long(const struct json_work *w);
double json_work_cost(const struct json_work *w);	/* as reader_cost() */
int json_work_do(struct json_work *w, struct memory_pool *p, struct err *e);
void json_work_free(struct json_work *w);	/* and all after it */

#endif
