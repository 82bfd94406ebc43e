/* small.cl - C = A B on CPUs in a single launch: for products that are
 * done before a second one would start, for few rows or few columns, which
 * are read once as they lie, and for deep ones, which are summed in parts.
 *
 * A work-group, one work-item, computes some panels of C (see matmul/cpu.h),
 * some strips of them, over a part of the depth. It packs its piece of B,
 * `reach` rows at a time, and reads A where it lies. With several parts C is
 * [part][m][n], and matmul_sum adds them up in their order.
 */
#define PANEL_SPACE local
#include "matmul/cpu.h"

/* Sums of narrow products, bound by memory, are shorter and so more exact. */
#define NARROW_DEPTH (DEPTH / 4)

#define SUM MATMUL_SUM

/* C (rows x cols) += or = A B, `depth` products deep. */
#define TILE(name, height, width)                                            \
static void name(global const real *a, long row, long col,                   \
                 local const real *b, int depth, global real *c, long n,     \
                 int rows, int cols, bool add)                               \
{                                                                            \
	realv sum[(height) * (width)];                                       \
	long at[height];                                                     \
                                                                             \
	UNROLL                                                               \
	for (int z = 0; z < (height) * (width); z++)                         \
		sum[z] = 0;                                                  \
	UNROLL                                                               \
	for (int i = 0; i < (height); i++)                                   \
		at[i] = min(i, rows - 1) * row;                              \
	_Pragma("nounroll")                                                  \
	for (int k = 0; k < depth; k++, a += col, b += (width) * VW) {       \
		UNROLL                                                       \
		for (int z = 0; z < (height) * (width); z++)                 \
			sum[z] += a[at[z / (width)]] *                       \
			          VLOAD(b + z % (width) * VW);               \
	}                                                                    \
	STORE_TILE(sum, height, width, c, n, rows, cols, add)                \
}

EVERY_TILE(TILE)

/* `depth` rows and `cols` columns of B, packed as [panel][apart][NR]. As they
 * lie, rows are read some at a time across all panels, so that memory sees
 * long runs; transposed ones, panel by panel. */
static void pack_panels(local real *to, int apart, global const real *b,
                        long row, long col, int depth, int cols, long left)
{
	const int step = col == 1 ? VW : depth;

	for (int k = 0; k < depth; k += step)
		for (int j = 0; j < cols; j += NR) {
			const long at = k * row + j * col;
			const int wide = TILE_VECTORS(cols - j) * VW;

			pack_panel(to + j * apart + k * wide, b + at, row, col,
			           min(step, depth - k), min(NR, cols - j),
			           left - at);
		}
}

/* C (rows x cols) += or = A times packed panels, `depth` products deep. */
static void multiply(global const real *a, long row, long col,
                     local const real *b, int apart, int depth,
                     global real *c, long n, int rows, int cols, bool add)
{
	const int step = cols > VW ? DEPTH : NARROW_DEPTH;

	for (int i = 0; i < rows; i += MR)
		for (int j = 0; j < cols; j += NR)
			for (int k = 0; k < depth; k += step) {
				const int high = min(MR, rows - i);
				const int wide = min(NR, cols - j);

				BEST_TILE(high, wide, a + i * row + k * col,
				          row, col, b + j * apart +
				          k * TILE_VECTORS(wide) * VW,
				          min(step, depth - k), c + i * n + j,
				          n, high, wide, add || k > 0);
			}
}

/* packed_b holds reach rows of as many panels as a work-group has. */
SINGLE_ITEM kernel void matmul_small(
	global const real *a, global const real *b, global real *c,
	global const int2 *place, int stack, int m, int n, int k, long a_row,
	long a_col, long b_row, long b_col, int down, int across, int parts,
	int reach, local real *packed_b)
{
	const long strips = (m + MR - 1) / MR, panels = (n + NR - 1) / NR;
	const size_t g = get_global_id(0), s = g / across / down / parts;
	const int x = g % across, y = g / across % down;
	const int part = g / across / down % parts;
	const int i0 = y * strips / down * MR;
	const int i1 = min((long)m, (y + 1) * strips / down * MR);
	const int j0 = x * panels / across * NR;
	const int j1 = min((long)n, (x + 1) * panels / across * NR);
	const int from = (long)k * part / parts;
	const int until = (long)k * (part + 1) / parts;
	const int2 at = place_of(place, s, stack);

	a += (size_t)at.x * m * k + i0 * a_row;
	b += (size_t)at.y * k * n;
	c += (s * parts + part) * m * n + (size_t)i0 * n + j0;
	for (int k0 = from; k0 < until; k0 += reach) {
		const int depth = min(reach, until - k0);
		const long b_at = k0 * b_row + j0 * b_col;

		pack_panels(packed_b, reach, b + b_at, b_row, b_col, depth,
		            j1 - j0, (long)k * n - b_at);
		multiply(a + k0 * a_col, a_row, a_col, packed_b, reach, depth,
		         c, n, i1 - i0, j1 - j0, k0 > from);
	}
}

/* C = the sum of its parts, `size` elements each: an item brings SUM of one
 * product's. */
SINGLE_ITEM kernel void matmul_sum(global const real *part, global real *c,
                                   int parts, long size)
{
	const long shares = (size + SUM - 1) / SUM, g = get_global_id(0);
	const long first = g % shares * SUM, end = min(first + SUM, size);
	long i = first;

	part += g / shares * parts * size;
	c += g / shares * size;
	for (; i + VW <= end; i += VW) {
		realv sum = VLOAD(part + i);

		for (int p = 1; p < parts; p++)
			sum += VLOAD(part + p * size + i);
		PUT(sum, c + i);
	}
	for (; i < end; i++) {
		real sum = part[i];

		for (int p = 1; p < parts; p++)
			sum += part[p * size + i];
		c[i] = sum;
	}
}
