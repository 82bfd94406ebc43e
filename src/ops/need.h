/* need.h - how much of a device's memory a call takes, computed before it runs.
 *
 * An operation's `need` names every buffer that `run` and `residual` make, by
 * the formulas that they are made by. Where that depends on the elements
 * (whether the squares of a 2-norm overflow, which method eigen takes), the
 * largest case counts. The result is not exact for matrices without elements,
 * whose buffers have one byte each.
 */
#ifndef OPS_NEED_H
#define OPS_NEED_H

#include <stdint.h>

#include "ops/op.h"

struct need {
	size_t bytes;			/* all buffers in the device's memory */
	size_t largest;			/* one buffer, mapped ones too */
};

/* A buffer of seq_scratch() or seq_constant(). */
void need_buffer(struct need *n, size_t bytes);

/* Several of them: `all` bytes together, `largest` in the largest. */
void need_scratch(struct need *n, size_t all, size_t largest);

/* A matrix on that device, whole or piece by piece, the largest piece having
 * `largest` bytes; pieces with gaps between their rows are copied even where
 * the device shares the host's memory. */
void need_matrix(struct need *n, const struct sheet *d,
                 const struct matrix *m);
void need_pieces(struct need *n, const struct sheet *d, size_t all,
                 size_t largest, bool gaps);

/* Every operand and every output. */
void need_matrices(struct need *n, const struct sheet *d,
                   const struct args *a);

/* What the call by that variant takes on that device. */
struct need args_need(const struct args *a, const struct variant *v,
                      const struct sheet *d);

/* Can the device hold buffers of that many bytes? */
static inline bool need_fits(const struct need *n, const struct sheet *d)
{
	return n->bytes <= sheet_room(d) &&
	       n->largest <= d->max_allocation_bytes;
}

/* Elements of that type in the largest buffer that the device allows. */
static inline size_t need_most(const struct sheet *d, enum dtype t)
{
	return d->max_allocation_bytes / dtype_bytes(t);
}

#endif
