/* f64_rest.cl - Stream-K's fix-up: C += the partial sums of tiles whose first
 * slabs another work-group computed (f64.h). Work-group (x, y) adds part x of
 * the partial sums of work-group y of that launch. It has ITEMS items, which
 * add EACH elements each. A tile is rows x cols, a multiple of ITEMS EACH
 * elements. */
#include "lib/real.h"
#include "shared/matmul_tensor.h"
#include "lib/ptx.h"
#include "matmul/nvidia/f64_share.h"

#if defined(DTYPE_float64)

#define ITEMS TENSOR_REST_ITEMS
#define EACH TENSOR_REST_EACH

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void matmul_tensor_f64_rest(
	const global double *restrict fix_up, global double *restrict c, int m,
	int n, int k, long c_at, int c_row, int stream_k, int groups, int rows,
	int cols, int slab)
{
	const struct product x = {
		.stack = 1, .m = m, .n = n, .k = k, .rows = rows, .cols = cols,
		.slab = slab, .depth = k, .stream_k = stream_k,
		.groups = groups, .end = INT_MAX
	};
	const int group = get_group_id(1);
	const int from = shares_of(&x, group);
	const struct tile t = tile_of(&x, tiles_of(&x) - stream_k +
	                                  from / slabs_of(&x));
	const int first = get_group_id(0) * ITEMS * EACH + get_local_id(0);

	if (from % slabs_of(&x) == 0)
		return;
	fix_up += (long)group * rows * cols;
	c += c_at;
	#pragma unroll
	for (int i = 0; i < EACH; i++) {
		const int e = first + i * ITEMS;
		const int y = t.i0 + e / cols, x = t.j0 + e % cols;

		if (y < m && x < n)
			c[(long)y * c_row + x] += fix_up[e];
	}
}

#endif
