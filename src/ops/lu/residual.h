/* residual.h - LAPACK's ratio for factors: |PA - LU| / (n |A| eps). */
#ifndef OPS_LU_RESIDUAL_H
#define OPS_LU_RESIDUAL_H

#include <stdbool.h>

#include "device/seq.h"
#include "ops/need.h"
#include "ops/op.h"

/* L, U and p (int64, A[p] = L U) of a stack. Of l only the strictly lower
 * part is used, of u the upper one: both may be the packed factors. */
struct lu_check {
	size_t stack, m, n;
	struct buf a, l, u, p;
	size_t l_step, u_step;		/* elements between two matrices */
	size_t ldl, ldu;		/* elements of a row */
};

#define LU_RESIDUAL_KERNELS \
	"lu_times_a lu_times_u lu_times_l lu_defect lu_ratio"

/* Sets a's verdict to the largest ratio of the matrices that have not failed.
 * QUALITY_FULL: exact, in the 1-norm and O(mnk). Else by a fixed vector x of
 * +-1 in O(mn): |P(Ax) - L(Ux)| / (n |A| |x| eps) in the maximum norm, never
 * above the exact ratio in that norm. Waits. */
int lu_residual(struct seq *s, struct args *a, const struct lu_check *c);

/* The memory that lu_residual() takes beside the factors. */
void lu_residual_need(struct need *need, const struct sheet *d, size_t stack,
                      size_t m, size_t n, bool exact);

/* Bytes of the type that sums have on this device: float64 if it has that. */
size_t lu_wide_bytes(const struct sheet *d);

/* n numbers +-1 of that type, the same every time (Fibonacci hashing). */
struct buf lu_signs(struct seq *s, size_t n);

/* How many work-items sum a row together: 1 on a CPU. */
size_t lu_row_items(const struct seq *s);

/* Reads `count` such numbers into memory from malloc(); NULL on failure.
 * Waits. */
double *lu_wide_read(struct seq *s, struct buf b, size_t count);

#endif
