/* judge.h - the estimated residual of A = L L^T, and the verdict on all
 * matrices of a call. x is the vector of signs (lib/sign.h). Included by
 * kernels only. */
#include "lib/real.h"
#include "lib/sign.h"
#include "lib/wide.h"
#include "shared/cholesky_tile.h"

/* If the matrix has failed, increments the count of failed matrices. Otherwise
 * raises the stack's residual to this matrix's if that is larger. The residual
 * is the estimated ratio
 *
 *     (|x^T A x - |L^T x|^2| + u |L^T x|^2) / (n eps trace A);
 *
 * see cholesky_ratio() in src/ops/cholesky/cholesky.h. Ratios are not negative,
 * so that their bit patterns, compared as integers, have the same order, with
 * NaN above all numbers. */
static void judge(volatile global int *state, bool failed, int n,
                  wide quadratic, wide square, wide trace)
{
	const wide error = fabs(quadratic - square) + WIDE_EPSILON / 2 * square;
	const float ratio = error / (n * (wide)REAL_EPSILON * trace);

	if (failed)
		atomic_inc(state + VERDICT_FAILURES);
	else
		atomic_max(state + VERDICT_WORST,
		           isnan(ratio) ? 0x7fc00000 : as_int(ratio));
}
