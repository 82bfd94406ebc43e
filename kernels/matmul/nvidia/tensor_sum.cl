/* tensor_sum.cl - split-K's second launch: C is the sum of k_splits arrays of n
 * elements, one after another in `splits`. `slices` work-items, a power of two,
 * share the sum of an element, so that enough items read at the same time. */
#include "lib/real.h"
#include "shared/matmul_tensor.h"

#define GROUP TENSOR_SUM_GROUP

__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void matmul_tensor_sum(global const real *restrict splits,
                              global real *restrict c, ulong n, int k_splits,
                              int slices)
{
	local real sums[GROUP];
	const int item = get_local_id(0), across = GROUP / slices;
	const size_t i = get_group_id(0) * across + item % across;
	real sum = 0;

	if (i < n)
		#pragma unroll 4
		for (int p = item / across; p < k_splits; p += slices)
			sum += splits[p * n + i];
	sums[item] = sum;
	for (int span = GROUP / 2; span >= across; span /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (item < span)
			sums[item] += sums[item + span];
	}
	if (item < across && i < n)
		c[i] = sums[item];
}
