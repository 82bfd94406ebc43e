/* canary.cl - C = A B for n x n matrices, so small and simple that only a
 * defective device computes it wrongly. Launch: (n, n), an item per element. */
#include "lib/real.h"

kernel void canary(global const real *restrict a,
                   global const real *restrict b, global real *restrict c,
                   int n)
{
	const int j = get_global_id(0), i = get_global_id(1);
	real sum = 0;

	for (int k = 0; k < n; k++)
		sum += a[i * n + k] * b[k * n + j];
	c[i * n + j] = sum;
}
