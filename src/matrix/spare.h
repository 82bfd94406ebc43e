/* spare.h - freed pieces of memory, kept for a moment.
 *
 * Making a memfd's pages and giving them back costs several times what
 * copying a matrix into them does, and requests of one size follow each other.
 * So a freed piece waits here for the next request of its size.
 * Locking is the caller's.
 */
#ifndef MATRIX_SPARE_H
#define MATRIX_SPARE_H

#include <stdint.h>

#include "matrix/memory.h"

struct spares {
	struct memory *first;		/* the one freed last */
	size_t bytes;
};

/* The smallest of at least and at most so many bytes, with one reference, or
 * NULL. */
struct memory *spares_take(struct spares *s, size_t least, size_t most);
void spares_keep(struct spares *s, struct memory *m);

/* Unlinks the one that was freed last; NULL: there is none. */
struct memory *spares_pop(struct spares *s);

/* Unlinks those freed before that clock_ns(); a list for spares_free(). */
struct memory *spares_drop(struct spares *s, int64_t before_ns);

/* Unmaps and frees pieces linked by their next, at once. */
void spares_free(struct memory *list);

#endif
