/* mappings.h - the front's memory that stays mapped in a worker for a moment.
 *
 * Mapping a matrix costs as much as a small operation on it, and the front
 * uses its pieces again (spare.h). So a worker keeps the mapping of each large
 * piece that it received, and recognises the piece by its inode, which no other
 * piece can get while this one is mapped. An output is mapped for writing while
 * its call runs, and for reading afterwards: the piece may be another request's
 * operand by then, and a stray write of a kernel must not reach it.
 */
#ifndef MATRIX_MAPPINGS_H
#define MATRIX_MAPPINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "matrix/received.h"

enum { MAPPINGS = 16 };

struct mappings {
	bool bare;			/* kernels do not touch the pages */
	size_t most;			/* bytes kept, of which the front may
					 * have let go, beyond its limit */
	struct mapping {
		uint64_t device, inode;
		int64_t used_ns;	/* clock_ns() */
		struct memory *memory;	/* a reference; NULL: free */
	} kept[MAPPINGS];
};

/* The memory of that descriptor, which is taken over, for an operand or for an
 * output: a reference, its pages all mapped unless bare. k may be NULL: nothing
 * is kept. */
struct memory *mappings_get(struct mappings *k, int fd, size_t bytes,
                            bool writable, struct err *e);

/* A part of that descriptor's memory, which has so many bytes in all; its own
 * pages are mapped. The descriptor stays the caller's, nothing is kept. */
struct memory *mappings_part(const struct mappings *k, int fd, size_t all,
                             size_t offset, size_t bytes, bool writable,
                             struct err *e);

/* The calls have ended: no mapping that is kept is writable any more. */
void mappings_protect(struct mappings *k);

/* Lets go what was not used since then; is anything left? */
bool mappings_trim(struct mappings *k, int64_t before_ns);

#endif
