/* pinv.cl - the kernel that pinv by the polar decomposition
 * (src/ops/pinv/polar.c) needs beside the kernels of other operations. */
#include "lib/real.h"

/* Y = X diag(d) for n x n matrices X and Y. There is a work-item for each of
 * the `count` elements. */
kernel void pinv_weigh(global const real *restrict x, int n,
                       global const real *restrict d, long count,
                       global real *restrict y)
{
	const size_t e = get_global_id(0);

	if (e < count)
		y[e] = x[e] * d[e % n];
}
