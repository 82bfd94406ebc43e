/* small.cl - C = A B on CPUs in a single launch: for products so small that a
 * launch which packs costs more than it saves, for few rows or few columns,
 * where packed elements are hardly used twice, and for deep ones, by split-K.
 *
 * A work-group, one work-item, computes one block of C (some strips of some
 * panels, see matmul/cpu.h) over one of k_splits ranges of k. It packs its part
 * of B, `kc` rows at a time, and reads A where it lies. With several splits C
 * is [split][m][n], and matmul_sum adds the splits in their order.
 */
#include "matmul/cpu_small.h"

#define SUM MATMUL_SUM

/* packed_b holds kc rows of as many panels as a work-group has. */
SINGLE_ITEM kernel void matmul_small(
	global const real *a, global const real *b, global real *c,
	global const int2 *place, int stack, int m, int n, int k, long a_row,
	long a_col, long b_row, long b_col, int m_blocks, int n_blocks,
	int k_splits, int kc, local real *packed_b, int first_group)
{
	const long strips = (m + MR - 1) / MR, panels = (n + NR - 1) / NR;
	const size_t g = first_group + get_global_id(0);
	const size_t s = g / n_blocks / m_blocks / k_splits;
	const int x = g % n_blocks, y = g / n_blocks % m_blocks;
	const int split = g / n_blocks / m_blocks % k_splits;
	const int i0 = y * strips / m_blocks * MR;
	const int i1 = min((long)m, (y + 1) * strips / m_blocks * MR);
	const int j0 = x * panels / n_blocks * NR;
	const int j1 = min((long)n, (x + 1) * panels / n_blocks * NR);
	const int from = (long)k * split / k_splits;
	const int until = (long)k * (split + 1) / k_splits;
	const int2 at = place_of(place, s, stack);

	a += (size_t)at.x * m * k + i0 * a_row;
	b += (size_t)at.y * k * n;
	c += (s * k_splits + split) * m * n + (size_t)i0 * n + j0;
	for (int k0 = from; k0 < until; k0 += kc) {
		const int depth = min(kc, until - k0);
		const long b_at = k0 * b_row + j0 * b_col;

		pack_panels(packed_b, kc, b + b_at, b_row, b_col, depth,
		            j1 - j0, (long)k * n - b_at);
		multiply(a + k0 * a_col, a_row, a_col, packed_b, kc, depth,
		         c, n, i1 - i0, j1 - j0, k0 > from);
	}
}

/* C = the sum of its splits of `size` elements each. An item adds SUM elements
 * of one product. */
SINGLE_ITEM kernel void matmul_sum(global const real *splits,
                                   global real *c, int k_splits, long size,
                                   int first_group)
{
	const long shares = (size + SUM - 1) / SUM;
	const long g = first_group + get_global_id(0);
	const long first = g % shares * SUM, end = min(first + SUM, size);
	long i = first;

	splits += g / shares * k_splits * size;
	c += g / shares * size;
	for (; i + VW <= end; i += VW) {
		realv sum = VLOAD(splits + i);

		for (int p = 1; p < k_splits; p++)
			sum += VLOAD(splits + p * size + i);
		PUT(sum, c + i);
	}
	for (; i < end; i++) {
		real sum = splits[i];

		for (int p = 1; p < k_splits; p++)
			sum += splits[p * size + i];
		c[i] = sum;
	}
}
