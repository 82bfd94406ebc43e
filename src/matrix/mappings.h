/* mappings.h - a worker's cache of mappings of the front's memory.
 *
 * Mapping a matrix costs as much as a small operation on it, and the front
 * reuses its allocations (spare.h). So a worker keeps the mapping of each large
 * memfd that it received for a while, and recognises the memfd by its inode,
 * which no other file can get while this one is mapped. An output is mapped for
 * writing while its call runs, and read-only afterwards: by then the memory may
 * be another request's operand, which a stray write of a kernel must not reach.
 */
#ifndef MATRIX_MAPPINGS_H
#define MATRIX_MAPPINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "matrix/received.h"

enum { MAPPINGS = 16 };

struct mappings {
	bool bare;			/* kernels do not touch the pages, so
					 * they are not faulted in */
	size_t most;			/* bytes kept at most; the front may
					 * have freed them, so that they come
					 * on top of its limit */
	struct mapping {
		uint64_t device, inode;
		int64_t used_ns;	/* clock_ns() */
		struct memory *memory;	/* a reference; NULL: free */
	} kept[MAPPINGS];
};

/* Returns a reference to the mapped memory of fd, which is taken over;
 * writable: for an output. Its pages are faulted in unless k->bare. k may be
 * NULL, then the mapping is not kept. NULL with *e. */
struct memory *mappings_get(struct mappings *k, int fd, size_t bytes,
                            bool writable, struct err *e);

/* Returns a reference to `bytes` bytes from `offset` on of fd's memory, which
 * has `all` bytes; their pages are faulted in. fd stays the caller's, and the
 * mapping is not kept. */
struct memory *mappings_part(const struct mappings *k, int fd, size_t all,
                             size_t offset, size_t bytes, bool writable,
                             struct err *e);

/* Makes all kept mappings read-only, when the calls have ended. */
void mappings_protect(struct mappings *k);

/* Unmaps the mappings that were last used before that clock_ns(). Returns
 * whether any mapping is left. */
bool mappings_trim(struct mappings *k, int64_t before_ns);

#endif
