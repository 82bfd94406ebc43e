/* matmul_tensor_sum.cl - C as the sum of `parts` products of parts of k, of n
 * elements each, one after another in `of`. An element an item. */
#include "real.h"

kernel void matmul_tensor_sum(global const real *restrict of,
                       global real *restrict c, ulong n, int parts)
{
	const size_t i = get_global_id(0);
	real sum = 0;

	if (i >= n)
		return;
	for (int p = 0; p < parts; p++)
		sum += of[p * n + i];
	c[i] = sum;
}
