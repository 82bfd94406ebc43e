/* json_array.h - reads nested rows of JSON numbers as they arrive.
 *
 * The numbers go straight into growing memory, never into a tree. The first
 * row of each depth sets the length that all others of that depth must have.
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
	struct grow data;		/* double or int64_t, by whole.kind */
	struct json_whole whole;
	int depth;			/* open brackets */
	int ndim;			/* the deepest yet */
	bool leaf;			/* a number was seen: ndim is final */
	bool words;			/* true and false are numbers, too */
	bool worded;			/* such a word was read */
	bool known[MATRIX_DIMS];	/* was a row of that depth closed? */
	size_t dim[MATRIX_DIMS];	/* its length, if known */
	size_t count[MATRIX_DIMS];	/* elements of the open rows */
	enum { JSON_ELEMENT_OR_END, JSON_ELEMENT, JSON_COMMA_OR_END } expect;
	struct text number;		/* one cut by the end of a piece */
	const char *piece;		/* the present piece of the body */
	size_t before;			/* bytes of the body before it */
};

/* label and p are borrowed for as long as a lives. */
void json_array_init(struct json_array *a, const char *label,
                     struct memory_pool *p);
void json_array_fini(struct json_array *a);

/* Reads on, from the array's first '[' to its last ']': returns 1 at that, 0
 * when more must arrive, -1. *p is where it stopped. The caller sets a->before
 * to the number of the body's bytes before *p, because errors name the byte. */
int json_array_feed(struct json_array *a, const char **p, const char *end,
                    struct err *e);

/* Moves the numbers to *m, a matrix of float64, or of int64 where integers need
 * it, which the caller must matrix_fini(). */
int json_array_take(struct json_array *a, struct matrix *m, struct err *e);

#endif
