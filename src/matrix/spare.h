/* spare.h - a list of spare pieces: freed allocations kept for reuse.
 *
 * Faulting in a memfd's pages and giving them back costs several times what
 * copying a matrix into them does, and requests of one size tend to follow each
 * other. So a freed piece is kept for the next request of its size. The pieces
 * have no references. The caller does the locking.
 */
#ifndef MATRIX_SPARE_H
#define MATRIX_SPARE_H

#include <stdint.h>

#include "matrix/memory.h"

/* { 0 } is empty. */
struct spares {
	struct memory *first;		/* the most recently freed */
	size_t bytes, files;		/* of all; see spare_files() */
};

/* Takes the smallest piece of `least` to `most` bytes that no client has seen
 * (memory_new_given()); NULL if there is none. */
struct memory *spares_take(struct spares *s, size_t least, size_t most);
void spares_keep(struct spares *s, struct memory *m);

/* Takes the most recently freed piece; NULL if there is none. */
struct memory *spares_pop(struct spares *s);

/* Moves the pieces that were freed before that clock_ns() to a list of their
 * own, which it returns. */
struct spares spares_drop(struct spares *s, int64_t before_ns);

/* Unmaps and frees all pieces, or one piece, on this thread. */
void spares_free(struct spares *s);
void spare_destroy(struct memory *m);

/* The descriptors that a large piece takes. */
size_t spare_files(const struct memory *m);

#endif
