/* received.h - maps the front's memory in a worker: operands for reading only,
 * outputs for writing while their call runs.
 */
#ifndef MATRIX_RECEIVED_H
#define MATRIX_RECEIVED_H

#include "matrix/memory.h"

/* The memory that a worker maps at its start. { 0 } is none. */
struct slab {
	void *data;			/* its small operands (wire/small.h),
					 * read-only */
	size_t bytes;
	void *results;			/* struct control's results, from which
					 * the front copies small outputs */
	size_t results_bytes;
	struct mappings *mappings;	/* of large pieces; NULL: none kept */
};

/* Maps the memory of small operands. */
int slab_map(struct slab *s, int fd, struct err *e);

/* Return a new reference to a small operand in the slab, and to the place of a
 * small output in the results; NULL with *e. */
struct memory *slab_operand(const struct slab *s, size_t offset,
                            size_t bytes, struct err *e);
struct memory *slab_result(const struct slab *s, size_t offset, size_t bytes,
                           struct err *e);

/* Maps fd's first `bytes` bytes. fd is taken over, also on failure. */
struct memory *received_map(int fd, size_t bytes, bool writable,
                            struct err *e);

/* Makes private memory of this process for `bytes` bytes, with `own` set. NULL
 * with *e. It has no data until received_back() allocates a block (blocks.h),
 * with undefined contents; a second call of received_back() does nothing. */
struct memory *received_new(size_t bytes, struct err *e);
int received_back(struct memory *m, struct err *e);

/* Makes a mapped piece writable or read-only; -1 with errno. */
int received_protect(struct memory *m, bool writable);

#endif
