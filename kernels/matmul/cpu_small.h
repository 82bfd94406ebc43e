/* cpu_small.h - a block of a product on a CPU, by one work-item that packs its
 * part of B into local memory and reads A where it lies. */
#ifndef KERNELS_MATMUL_CPU_SMALL_H
#define KERNELS_MATMUL_CPU_SMALL_H

#define PANEL_SPACE local
#include "matmul/cpu.h"

/* Narrow products are bound by memory. Their sums are kept shorter, which makes
 * them more accurate. */
#define NARROW_DEPTH (DEPTH / 4)

/* C (rows x cols) = A B, `depth` products deep, or C += A B if `add` is set. */
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

/* Packs `depth` rows and `cols` columns of B as [panel][apart][NR]. If the rows
 * of B are contiguous, VW of them at a time are read across all panels, so that
 * memory is read in long runs. A transposed B is packed panel by panel. */
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

/* C (rows x cols) = A times packed panels, `depth` products deep, or C += if
 * `add` is set. */
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

#endif
