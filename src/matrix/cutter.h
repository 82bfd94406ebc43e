/* cutter.h - allocates from a slab in pieces of power-of-two sizes.
 *
 *     slab   | chunk | chunk | chunk |  never used yet ...
 *     chunk  | piece | piece | piece | piece |      all of one size
 *
 * A chunk is cut into pieces of one size; when all of them have been given
 * back, it is empty and serves any size again (Bonwick's slab allocator, 1994).
 * The slab may be far larger than the memory in use: pages that were never
 * touched do not exist, and those of empty chunks can be given back to the
 * system. The bookkeeping lies outside of the slab. The caller does the
 * locking. A cutter that is { 0 } but for `bytes` has nothing allocated.
 */
#ifndef MATRIX_CUTTER_H
#define MATRIX_CUTTER_H

#include <stdbool.h>
#include <stddef.h>

enum {
	CUTTER_SMALLEST = 256,
	CUTTER_CLASSES = 9,	/* CUTTER_SMALLEST << 8 == MEMORY_SLAB */
	CUTTER_CHUNK = 256 << 10,
};

struct chunk;

struct cutter {
	size_t bytes;			/* of the slab */
	struct chunk *chunk;		/* all chunks; NULL before the first
					 * piece is cut */
	size_t begun;			/* chunks that were ever used */
	struct chunk *partial[CUTTER_CLASSES];	/* with pieces left */
	struct chunk *empty, *bare;	/* unused: with pages, and without */
	size_t n_empty;
};

/* Allocates a piece of at most MEMORY_SLAB bytes at *offset; false if the slab
 * is full or there is no memory for the bookkeeping. cutter_give() frees it. */
bool cutter_take(struct cutter *c, size_t bytes, size_t *offset);
void cutter_give(struct cutter *c, size_t offset);

/* If more than `keep` chunks are empty, takes one out, so that its pages can be
 * given back; false otherwise. cutter_bared() makes it usable again. */
bool cutter_strip(struct cutter *c, size_t keep, size_t *offset);
void cutter_bared(struct cutter *c, size_t offset);

void cutter_fini(struct cutter *c);

#endif
