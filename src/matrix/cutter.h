/* cutter.h - hands out a slab's bytes in pieces of power-of-two sizes.
 *
 *     slab   | chunk | chunk | chunk |  never used yet ...
 *     chunk  | piece | piece | piece | piece |      all of one size
 *
 * A chunk is cut into pieces of one size; when all of them have come back it
 * is empty and serves any size again (Bonwick's slab allocator, 1994). So the
 * slab may be far larger than what is used of it: pages that were never
 * touched do not exist, and those of empty chunks can be given back to the
 * system. All notes are kept outside of the slab. Locking is the caller's.
 * { 0 } and `bytes` is a slab that is whole.
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
	struct chunk *chunk;		/* all of them; NULL before the first
					 * piece is cut */
	size_t begun;			/* chunks that were used so far */
	struct chunk *partial[CUTTER_CLASSES];	/* with pieces left */
	struct chunk *empty, *bare;	/* with pages, and without */
	size_t n_empty;
};

/* Where a piece of at most MEMORY_SLAB bytes begins; false: all are taken, or
 * there is no memory for the notes. */
bool cutter_take(struct cutter *c, size_t bytes, size_t *offset);
void cutter_give(struct cutter *c, size_t offset);

/* Takes an empty chunk out, for its pages to be given back, while there are
 * more than `keep` of them: false when there are not. cutter_bared() makes it
 * usable again. */
bool cutter_strip(struct cutter *c, size_t keep, size_t *offset);
void cutter_bared(struct cutter *c, size_t offset);

void cutter_fini(struct cutter *c);

#endif
