/* received.h - memory of the front in a worker: operands, mapped to be read,
 * and outputs, mapped to be written while their call runs.
 */
#ifndef MATRIX_RECEIVED_H
#define MATRIX_RECEIVED_H

#include "matrix/memory.h"

/* What a worker maps at its start. { 0 } is nothing. */
struct slab {
	void *data;			/* the front's small pieces, to read */
	size_t bytes;
	void *results;			/* this worker's own, which the front
					 * copies its small outputs from */
	size_t results_bytes;
	struct mappings *mappings;	/* of large pieces; NULL: none kept */
};

/* Maps the front's slab. */
int slab_map(struct slab *s, int fd, struct err *e);

/* A small operand; the place of a small output. */
struct memory *slab_operand(const struct slab *s, size_t offset,
                            size_t bytes, struct err *e);
struct memory *slab_result(const struct slab *s, size_t offset, size_t bytes,
                           struct err *e);

/* Maps the first so many bytes of a descriptor, which is taken over. */
struct memory *received_map(int fd, size_t bytes, bool writable,
                            struct err *e);

/* Has a piece that is mapped be writable or not; -1 with errno. */
int received_protect(struct memory *m, bool writable);

#endif
