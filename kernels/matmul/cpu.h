/* cpu.h - what matmul's CPU kernels share: the micro-tile's sizes, packing a
 * panel of B into memory of space PANEL_SPACE, storing sums in C.
 *
 * A micro-tile is up to MR x NR sums of products in registers: MR rows or half
 * as many, two vectors of columns or one. A block that reaches over an edge of
 * its operand computes with what lies there (the next row's elements, or the
 * last row again) and does not store it. `left` is the number of elements from
 * a block's first one to the end of its operand.
 */
#ifndef KERNELS_MATMUL_CPU_H
#define KERNELS_MATMUL_CPU_H

#include "transpose/block.h"
#include "shared/matmul_tile.h"

#define MR MATMUL_STRIP
#define NR (2 * VW)
#define DEPTH MATMUL_DEPTH

/* How many rows before its use a row of B is prefetched. */
#define ROWS_AHEAD 16

/* The number of vectors in a row of a panel with that many columns. */
#define TILE_VECTORS(cols) ((cols) > VW ? 2 : 1)

/* EVERY_TILE applies TILE(name, height, width) to each size of tile. BEST_TILE
 * calls the smallest tile for that many rows and columns. */
#define EVERY_TILE(TILE)                                                     \
	TILE(tile_whole, MR, 2)                                              \
	TILE(tile_narrow, MR, 1)                                             \
	TILE(tile_low, MR / 2, 2)                                            \
	TILE(tile_small, MR / 2, 1)
#define BEST_TILE(rows, cols, ...)                                           \
	do {                                                                 \
		if ((rows) > MR / 2 && (cols) > VW)                          \
			tile_whole(__VA_ARGS__);                             \
		else if ((rows) > MR / 2)                                    \
			tile_narrow(__VA_ARGS__);                            \
		else if ((cols) > VW)                                        \
			tile_low(__VA_ARGS__);                               \
		else                                                         \
			tile_small(__VA_ARGS__);                             \
	} while (0)

static int2 place_of(global const int2 *place, size_t s, int stack)
{
	return stack > 1 ? place[s] : (int2)(0, 0);
}

/* Returns how many of `depth` rows, `row` apart, have `wide` elements before
 * the end of the operand. */
static int whole_rows(long left, long row, int wide, int depth)
{
	return left < wide ? 0 : (int)min((long)depth, (left - wide) / row + 1);
}

/* Packs a B whose rows are contiguous into to[k][wide]. */
static void pack_rows(PANEL_SPACE real *to, global const real *b, long row,
                      int depth, int cols, long left)
{
	const int wide = TILE_VECTORS(cols) * VW;
	const int whole = whole_rows(left, row, wide, depth);

	for (int k = 0; k < whole; k++, b += row, to += wide) {
		FETCH_AHEAD(b + ROWS_AHEAD * row);
		PUT_IN(PANEL_SPACE, VLOAD(b), to);
		if (wide == VW)
			continue;
		FETCH_AHEAD(b + ROWS_AHEAD * row + VW);
		PUT_IN(PANEL_SPACE, VLOAD(b + VW), to + VW);
	}
	for (int k = whole; k < depth; k++, b += row, to += wide)
		for (int j = 0; j < wide; j++)
			to[j] = j < cols ? b[j] : 0;
}

/* Packs a B whose columns are contiguous and `col` elements apart, by
 * transposing blocks. */
static void pack_columns(PANEL_SPACE real *to, global const real *b, long col,
                         int depth, int cols)
{
	const int wide = TILE_VECTORS(cols) * VW;
	int k = 0;

	for (; k + VW <= depth; k += VW)
		for (int j0 = 0; j0 < wide; j0 += VW) {
			realv v[VW];

			#pragma unroll
			for (int j = 0; j < VW; j++)
				v[j] = VLOAD(b + k +
				             min(j0 + j, cols - 1) * col);
			transpose_block(v);
			#pragma unroll
			for (int q = 0; q < VW; q++)
				PUT_IN(PANEL_SPACE, v[q],
				       to + (k + q) * wide + j0);
		}
	for (; k < depth; k++)
		for (int j = 0; j < wide; j++)
			to[k * wide + j] = b[min(j, cols - 1) * col + k];
}

/* Packs a panel of `depth` rows and `cols` <= NR columns. */
static void pack_panel(PANEL_SPACE real *to, global const real *b, long row,
                       long col, int depth, int cols, long left)
{
	if (col == 1)
		pack_rows(to, b, row, depth, cols, left);
	else
		pack_columns(to, b, col, depth, cols);
}

/* Stores the first rows x cols of the sums one by one. */
static void store_edge(const realv *sum, int width, global real *c, long n,
                       int rows, int cols, bool add)
{
	for (int i = 0; i < rows; i++)
		for (int v = 0; v < width; v++) {
			global real *to = c + i * n + v * VW;
			real part[VW];

			VSTORE(sum[i * width + v], part);
			for (int j = 0; j < min(VW, cols - v * VW); j++)
				to[j] = add ? to[j] + part[j] : part[j];
		}
}

#define UNROLL _Pragma("unroll")

/* Stores the sums of a tile, sum[height][width] vectors, in C, or adds them to
 * C. Only rows x cols of the sums belong to C. */
#define STORE_TILE(sum, height, width, c, n, rows, cols, add)                \
	if ((rows) == (height) && (cols) == (width) * VW) {                  \
		UNROLL                                                       \
		for (int z = 0; z < (height) * (width); z++) {               \
			global real *to = (c) + z / (width) * (n) +          \
			                  z % (width) * VW;                  \
			const realv v = sum[z];                              \
                                                                             \
			PUT((add) ? VLOAD(to) + v : v, to);                  \
		}                                                            \
	} else {                                                             \
		realv edge[(height) * (width)];                              \
                                                                             \
		UNROLL                                                       \
		for (int z = 0; z < (height) * (width); z++)                 \
			edge[z] = sum[z];                                    \
		store_edge(edge, width, c, n, rows, cols, add);              \
	}

#endif
