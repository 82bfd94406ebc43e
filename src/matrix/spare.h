/* spare.h - a list of spare pieces: freed allocations kept for reuse.
 *
 * Faulting in a memfd's pages and giving them back costs several times what
 * copying a matrix into them does, and requests of one size tend to follow each
 * other. So a freed piece is kept for the next request of its size. The caller
 * does the locking.
 */
#ifndef MATRIX_SPARE_H
#define MATRIX_SPARE_H

#include <stdint.h>

#include "matrix/memory.h"

struct spares {
	struct memory *first;		/* the most recently freed */
	size_t bytes;
};

/* Takes the smallest piece of `least` to `most` bytes, with one reference; NULL
 * if there is none. */
struct memory *spares_take(struct spares *s, size_t least, size_t most);
void spares_keep(struct spares *s, struct memory *m);

/* Unlinks the most recently freed piece; NULL if there is none. */
struct memory *spares_pop(struct spares *s);

/* Unlinks the pieces freed before that clock_ns() and returns them as a
 * list. */
struct memory *spares_drop(struct spares *s, int64_t before_ns);

/* Unmaps and frees a list of pieces, linked by `next`, on this thread. */
void spares_free(struct memory *list);

#endif
