/* failure.h - the matrices of a stack that have no answer, reported one by one.
 *
 * A matrix that fails (singular, not converged, NaN) does not end its stack:
 * `run` records it with args_fail() and goes on. Its outputs become NaN, and
 * the answer lists it under `failed`. When every matrix failed, the first
 * failure becomes the call's error; so a call on a single matrix fails.
 *
 * The list lies in memory that front and worker share, args.failed: the
 * indices of the failed matrices, as int64, with room for the whole stack,
 * and behind that room a struct failure_detail for each, in the same order.
 */
#ifndef OPS_FAILURE_H
#define OPS_FAILURE_H

#include "ops/op.h"

/* The shape of args.failed for a stack of that many matrices. */
struct matrix failures_shape(size_t stack);

/* Records a failure; the indices of a call must ascend. In a worker. */
void args_fail(struct args *a, const struct failure *f);

/* Returns whether the matrix of that index has failed. */
bool args_has_failed(const struct args *a, size_t index);

/* Failure i of a->failures, as it lies in the shared memory. */
struct failure args_failure(const struct args *a, size_t i);

/* The largest of `ratios`, which has `each` numbers for every matrix of the
 * stack, in the stack's order; those of failed matrices do not count. 0 if
 * none counts; NaN if one of them is NaN. */
double args_worst(const struct args *a, const double *ratios, size_t each);

/* Called at the end of a call, when its outputs have been written: sets those
 * of the failed matrices to NaN (0 or false where the type has no NaN). Returns
 * -1 with *e when all matrices have failed. */
int args_settle_failures(struct args *a, struct err *e);

/* Takes over the number of failures that a worker reports; false when the
 * number or the list in shared memory is impossible. */
bool args_take_failures(struct args *a, size_t failures);

#endif
