/* cutter.h - a slab's bytes, handed out in pieces of power-of-two sizes.
 *
 * A piece that was given back goes to its size's list and is handed out
 * again. Nothing is ever merged: the sizes of small operands repeat. Locking
 * is the caller's. { 0 } and `bytes` is a slab that is whole.
 */
#ifndef MATRIX_CUTTER_H
#define MATRIX_CUTTER_H

#include <stdbool.h>
#include <stddef.h>

enum {
	CUTTER_SMALLEST = 256,
	CUTTER_CLASSES = 9,	/* CUTTER_SMALLEST << 8 == MEMORY_SLAB */
};

struct hole;

struct cutter {
	size_t bytes;			/* of the slab */
	size_t cut;			/* of them, handed out once */
	struct hole *holes[CUTTER_CLASSES];
};

/* Where a piece of at most MEMORY_SLAB bytes begins; false: all are taken. */
bool cutter_take(struct cutter *c, size_t bytes, size_t *offset);

/* Without memory to note it down, the piece is lost, no more. */
void cutter_give(struct cutter *c, size_t offset, size_t bytes);
void cutter_fini(struct cutter *c);

#endif
