/* need.h - what a call takes of a device's memory, told before it runs.
 *
 * An operation's `need` names every buffer that `run` and `residual` make, by
 * the formulas that they are made by. What depends on the elements (how a
 * 2-norm came out, which method eigen takes) counts as if it took the most.
 * Matrices without elements, which have a byte for every use, are not exact.
 */
#ifndef OPS_NEED_H
#define OPS_NEED_H

#include <stdint.h>

#include "ops/op.h"

struct need {
	size_t bytes;			/* all buffers of the device's own */
	size_t largest;			/* of one buffer, mapped ones too */
};

/* A buffer of seq_scratch() or seq_constant(). */
void need_buffer(struct need *n, size_t bytes);

/* Several of them, the largest of so many bytes. */
void need_scratch(struct need *n, size_t all, size_t largest);

/* A matrix on that device, or all of it piece by piece, the largest of so
 * many bytes; pieces with gaps between their rows are copied everywhere. */
void need_matrix(struct need *n, const struct sheet *d,
                 const struct matrix *m);
void need_pieces(struct need *n, const struct sheet *d, size_t all,
                 size_t largest, bool gaps);

/* Every operand and every output. */
void need_matrices(struct need *n, const struct sheet *d,
                   const struct args *a);

/* What the call needs by that variant on that device. */
struct need args_need(const struct args *a, const struct variant *v,
                      const struct sheet *d);

/* Elements of that type in the largest buffer that the device allows. */
static inline size_t need_most(const struct sheet *d, enum dtype t)
{
	return d->max_allocation_bytes / dtype_bytes(t);
}

#endif
