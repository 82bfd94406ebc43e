/* small.h - the memory through which one worker gets its small operands.
 *
 * The front copies the small operands of a message of calls here, one after the
 * other, and the worker, which maps it for reading alone, finds them by their
 * offsets. Each worker has its own, so that none sees those of other workers'
 * calls; and what another tenant's calls left is cleared first.
 *
 * A worker gets its next calls when it has answered the ones before, which are
 * in its way no longer.
 */
#ifndef WIRE_SMALL_H
#define WIRE_SMALL_H

#include <stdint.h>

#include "matrix/memory.h"
#include "ops/op.h"

/* Bytes for every operand of a message, each with an index. */
#define SMALL_BYTES ((size_t)OP_BATCH * 2 * OP_INPUTS * MEMORY_SLAB)

/* The front's side. { 0 } is none. */
struct small {
	char *data;			/* SMALL_BYTES */
	size_t used;			/* of the present message */
	size_t dirty;			/* bytes from the start that may not be
					 * 0 */
	uint32_t tenant;		/* whose they are */
};

/* Makes the memory, whose size is sealed, and opens a descriptor of it for
 * reading, which the caller closes after it was handed to the worker; -1 with
 * *e. */
int small_open(struct small *s, struct err *e);
void small_close(struct small *s);

/* Begins a message of that tenant's calls. */
void small_begin(struct small *s, uint32_t tenant);

/* Copies an operand; returns its offset. A message has room for all of its
 * small operands. */
size_t small_put(struct small *s, const struct memory *m);

#endif
