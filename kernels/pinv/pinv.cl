/* pinv.cl - the kernel of pinv by the polar decomposition
 * (src/ops/pinv/polar.c) other than matrix products. */
#include "lib/real.h"

/* Y = X diag(d), where X and Y are n x n and have `count` elements; one
 * work-item for each. */
kernel void pinv_weigh(global const real *restrict x, int n,
                       global const real *restrict d, long count,
                       global real *restrict y)
{
	const size_t e = get_global_id(0);

	if (e < count)
		y[e] = x[e] * d[e % n];
}
