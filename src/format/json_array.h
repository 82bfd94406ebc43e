/* json_array.h - nested rows of JSON numbers, read as they arrive.
 *
 * The numbers go straight into growing memory, never into a tree; the shape
 * is found on the way: the first row of each depth sets it, all others must
 * agree.
 */
#ifndef FORMAT_JSON_ARRAY_H
#define FORMAT_JSON_ARRAY_H

#include "base/text.h"
#include "format/json_whole.h"
#include "format/part.h"
#include "matrix/grow.h"

enum { JSON_NUMBER = 1024 };		/* bytes that a number may have */

struct json_array {
	const char *label;		/* borrowed; below PART_NAME */
	struct memory_pool *pool;
	struct grow data;		/* of double or int64_t: see whole */
	struct json_whole whole;
	int depth;			/* open brackets */
	int ndim;			/* the deepest yet */
	bool leaf;			/* a number was seen, ndim is settled */
	bool known[MATRIX_DIMS];	/* was a row of that depth closed? */
	size_t dim[MATRIX_DIMS];	/* then its length */
	size_t count[MATRIX_DIMS];	/* elements of the open rows */
	enum { JSON_ELEMENT_OR_END, JSON_ELEMENT, JSON_COMMA_OR_END } expect;
	struct text number;		/* one that a piece of body cut */
	const char *piece;		/* of the body, which is read, and */
	size_t before;			/* bytes of the body before it */
};

/* label and p are kept. */
void json_array_init(struct json_array *a, const char *label,
                     struct memory_pool *p);
void json_array_fini(struct json_array *a);

/* Reads on from its first '[' up to its last ']': 1 when that was there, 0
 * when more must come, -1. *p: where it stopped. a->before, which the caller
 * sets, counts the body's bytes before *p: errors tell their place. */
int json_array_feed(struct json_array *a, const char **p, const char *end,
                    struct err *e);

/* The matrix of float64, or of int64 where integers need it, now the
 * caller's. */
int json_array_take(struct json_array *a, struct matrix *m, struct err *e);

#endif
