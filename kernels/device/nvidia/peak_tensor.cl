/* peak_tensor.cl - how fast tensor cores multiply and add. For float32 they
 * multiply float16 and add in float32.
 *
 * All factors are ones, so that every element of a product of depth k grows
 * by k; sums[item] is the sum of an item's elements. Launch: any number of
 * work-groups of PEAK_ITEMS items, which are four warps. */
#include "lib/real.h"
#include "lib/wgmma.h"
#include "shared/peak_tensor.h"

#if defined(DTYPE_float64)

kernel __attribute__((reqd_work_group_size(PEAK_ITEMS, 1, 1)))
void peak_tensor(global real *sums, int rounds)
{
	const double a[4] = { 1, 1, 1, 1 }, b[2] = { 1, 1 };
	double d[PEAK_PRODUCTS][4] = { { 0 } }, s = 0;

	for (int i = 0; i < rounds; i++)
#pragma unroll
		for (int j = 0; j < PEAK_PRODUCTS; j++)
			ptx_mma_f64(d[j], a, b);
#pragma unroll
	for (int j = 0; j < PEAK_PRODUCTS; j++)
		s += d[j][0] + d[j][1] + d[j][2] + d[j][3];
	sums[get_global_id(0)] = s;
}

#else

kernel __attribute__((reqd_work_group_size(PEAK_ITEMS, 1, 1)))
void peak_tensor(global real *sums, int rounds)
{
	local ushort ones[192 * 16] __attribute__((aligned(128)));
	const ulong x = ptx_blocks(ptx_local(ones), 128, 256);
	float d[96] = { 0 }, s = 0;

	for (int i = get_local_id(0); i < 192 * 16; i += PEAK_ITEMS)
		ones[i] = 0x3c00;
	ptx_fence_local();
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = 0; i < rounds; i++) {
		ptx_wgmma_fence();
#pragma unroll
		for (int j = 0; j < PEAK_PRODUCTS; j++)
			ptx_wgmma_half(d, x, x, 1);
		ptx_wgmma_commit();
		ptx_wgmma_wait(0);
	}
#pragma unroll
	for (int j = 0; j < 96; j++)
		s += d[j];
	sums[get_global_id(0)] = s;
}

#endif
