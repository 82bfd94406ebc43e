/* failure.h - the matrices of a stack that have no answer, told one by one.
 *
 * A matrix that fails (singular, not converged, NaN) does not end its stack:
 * `run` records it with args_fail() and goes on. Its outputs become NaN, and
 * the answer lists it under `failed`. When every matrix failed, the first
 * one's words are the call's error; so a call on a single matrix fails.
 *
 * The list lies in memory that front and worker share, args.failed: the
 * indices of the failed matrices, as int64, with room for the whole stack,
 * and behind that room a struct failure_detail for each, in the same order.
 */
#ifndef OPS_FAILURE_H
#define OPS_FAILURE_H

#include "ops/op.h"

/* The shape of args.failed for so many matrices. */
struct matrix failures_shape(size_t stack);

/* Records a failure; the indices of a call ascend. In a worker. */
void args_fail(struct args *a, const struct failure *f);

/* Has the matrix of that index failed? */
bool args_has_failed(const struct args *a, size_t index);

/* Failure i of a->failures, as it lies in the shared memory. */
struct failure args_failure(const struct args *a, size_t i);

/* The largest of the ratios, `each` of them for every matrix of the stack in
 * its order, but those of failed matrices; 0 of none; a NaN wins. */
double args_worst(const struct args *a, const double *ratios, size_t each);

/* At the end of a call, whose outputs have been written: those of the failed
 * matrices become NaN (0 or false where a type has no NaN). -1 with *e when
 * all have failed. */
int args_settle_failures(struct args *a, struct err *e);

/* What a worker says of its failures; false: it cannot be so. */
bool args_take_failures(struct args *a, size_t failures);

#endif
