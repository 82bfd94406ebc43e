/* thin.cl - C = A B on any device for thin products, which would leave most of
 * a tile empty: a few columns, or little depth. Operands as in matmul.cl. */
#include "lib/real.h"
#include "shared/matmul_tile.h"

#define ROWS MATMUL_THIN_ROWS
#define COLS MATMUL_THIN_COLS
#define FEW_GROUP MATMUL_FEW_GROUP
#define FEW_HALF (FEW_GROUP / 2)
#define FEW_SHARE (FEW_GROUP / (ROWS * COLS))
#define LANES MATMUL_FLAT_LANES
#define TALL MATMUL_FLAT_TALL

static int2 place_of(global const int2 *place, size_t s, int stack)
{
	return stack > 1 ? place[s] : (int2)(0, 0);
}

/* sum += x y', for one k: x of ROWS rows of A, y of COLS columns of B. */
static void add_outer(real sum[ROWS][COLS], global const real *const row[ROWS],
                      long in_row, global const real *const col[COLS],
                      long in_col)
{
	real x[ROWS], y[COLS];

	for (int r = 0; r < ROWS; r++)
		x[r] = row[r][in_row];
	for (int q = 0; q < COLS; q++)
		y[q] = col[q][in_col];
	for (int r = 0; r < ROWS; r++)
		for (int q = 0; q < COLS; q++)
			sum[r][q] += x[r] * y[q];
}

/* Few columns: a work-group computes ROWS rows of COLS columns. Its items take
 * every FEW_GROUP-th of k, so that rows of A are read once, contiguously. Then
 * one half of the items adds its sums to the other's, which halves the local
 * memory, and FEW_SHARE items add up each element. */
__attribute__((reqd_work_group_size(FEW_GROUP, 1, 1)))
kernel void matmul_few(
	global const real *restrict a, global const real *restrict b,
	global real *restrict c, global const int2 *restrict place, int stack,
	int m, int n, int k, long a_row, long a_col, long b_row, long b_col,
	int first_group)
{
	local real part[ROWS * COLS][FEW_HALF + 1], sums[FEW_GROUP];
	int across = (n + COLS - 1) / COLS, down = (m + ROWS - 1) / ROWS;
	size_t g = first_group + get_group_id(0), s = g / across / down;
	int i0 = g / across % down * ROWS, j0 = g % across * COLS;
	int item = get_local_id(0), of = item / FEW_SHARE;
	int i = i0 + of / COLS, j = j0 + of % COLS;
	int2 from = place_of(place, s, stack);
	global const real *row[ROWS], *col[COLS];
	real sum[ROWS][COLS] = { { 0 } }, all = 0;

	/* a line beyond an edge repeats the last one */
	for (int r = 0; r < ROWS; r++)
		row[r] = a + (size_t)from.x * m * k +
		    min(i0 + r, m - 1) * a_row;
	for (int q = 0; q < COLS; q++)
		col[q] = b + (size_t)from.y * k * n +
		    min(j0 + q, n - 1) * b_col;
	#pragma unroll 2
	for (long p = item; p < k; p += FEW_GROUP)
		add_outer(sum, row, p * a_col, col, p * b_row);
	for (int r = 0; r < ROWS; r++)
		for (int q = 0; q < COLS; q++)
			if (item >= FEW_HALF)
				part[r * COLS + q][item - FEW_HALF] = sum[r][q];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int r = 0; r < ROWS; r++)
		for (int q = 0; q < COLS; q++)
			if (item < FEW_HALF)
				part[r * COLS + q][item] += sum[r][q];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int e = item % FEW_SHARE; e < FEW_HALF; e += FEW_SHARE)
		all += part[of][e];
	sums[item] = all;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (item % FEW_SHARE > 0 || i >= m || j >= n)
		return;
	for (int e = 1; e < FEW_SHARE; e++)
		all += sums[item + e];
	c[(s * m + i) * n + j] = all;
}

/* For a small k. A work-group has TALL items along a column of C, with ROWS
 * rows each, and LANES items along a row, with COLS columns each that are LANES
 * apart, so that C is written contiguously. Lines beyond an edge repeat the
 * last one. */
__attribute__((reqd_work_group_size(LANES * TALL, 1, 1)))
kernel void matmul_flat(
	global const real *restrict a, global const real *restrict b,
	global real *restrict c, global const int2 *restrict place, int stack,
	int m, int n, int k, long a_row, long a_col, long b_row, long b_col,
	int first_group)
{
	const int high = TALL * ROWS, wide = LANES * COLS;
	int across = (n + wide - 1) / wide, down = (m + high - 1) / high;
	size_t g = first_group + get_group_id(0), s = g / across / down;
	int i0 = g / across % down * high, j0 = g % across * wide;
	int item = get_local_id(0);
	int i = i0 + item / LANES * ROWS, j = j0 + item % LANES;
	int2 from = place_of(place, s, stack);
	global const real *row[ROWS], *col[COLS];
	real sum[ROWS][COLS] = { { 0 } };

	for (int r = 0; r < ROWS; r++)
		row[r] = a + (size_t)from.x * m * k + min(i + r, m - 1) * a_row;
	for (int q = 0; q < COLS; q++)
		col[q] = b + (size_t)from.y * k * n +
		    min(j + q * LANES, n - 1) * b_col;
	#pragma unroll 2
	for (long p = 0; p < k; p++)
		add_outer(sum, row, p * a_col, col, p * b_row);
	#pragma unroll
	for (int r = 0; r < ROWS; r++)
		#pragma unroll
		for (int q = 0; q < COLS; q++)
			if (i + r < m && j + q * LANES < n)
				c[(s * m + i + r) * n + j + q * LANES] =
				    sum[r][q];
}
