/* matmul.cl - C = A B on any device, A m x k, B k x n, C m x n row-major,
 * for a stack of products.
 *
 * Elements of A and B are a row step and a column step apart: a transposed
 * operand is the same operand with its steps exchanged. place[s] says which
 * matrices of the two stacks product s multiplies; a single product has no
 * table. Work-groups are numbered along one dimension, which no device
 * limits, and count through a product's tiles and then through the stack.
 */
#include "lib/real.h"
#include "shared/matmul_tile.h"

#define TILE MATMUL_TILE
#define SIDE MATMUL_TILE_SIDE
#define DEPTH MATMUL_TILE_DEPTH
#define DOT_GROUP MATMUL_DOT_GROUP
#define EACH (TILE / SIDE)	/* rows and columns of an item's elements */

static int2 place_of(global const int2 *place, size_t s, int stack)
{
	return stack > 1 ? place[s] : (int2)(0, 0);
}

/* A work-item computes an element of C. */
kernel void matmul_naive(
	global const real *a, global const real *b, global real *c,
	global const int2 *place, int stack, int m, int n, int k, long a_row,
	long a_col, long b_row, long b_col, int first_group)
{
	size_t g = (first_group * get_local_size(0) +
	           get_global_id(0));
	long j = g % n, i = g / n % m;
	size_t s = g / n / m;
	real sum = 0;

	if (s >= (size_t)stack)		/* items of the last group beyond C */
		return;
	int2 at = place_of(place, s, stack);

	a += (size_t)at.x * m * k + i * a_row;
	b += (size_t)at.y * k * n + j * b_col;
	for (int p = 0; p < k; p++)
		sum += a[p * a_col] * b[p * b_row];
	c[g] = sum;
}

/* A work-group computes an element of C, for few columns and deep products.
 * Items read neighbouring elements of a row of A. If rows and columns are
 * aligned to 16 bytes, an item reads 16 bytes at a time, in four independent
 * reads. */
__attribute__((reqd_work_group_size(DOT_GROUP, 1, 1)))
kernel void matmul_dot(
	global const real *restrict a, global const real *restrict b,
	global real *restrict c,
	global const int2 *place, int stack, int m, int n, int k, long a_row,
	long a_col, long b_row, long b_col, int first_group)
{
	local real part[DOT_GROUP];
	size_t g = first_group + get_group_id(0), s = g / n / m;
	long j = g % n, i = g / n % m;
	int item = get_local_id(0), p = item;
	int2 at = place_of(place, s, stack);
	bool whole = b_row == 1 && (a_row | k) % BUNDLE == 0 &&
	    (n == 1 || b_col % BUNDLE == 0);
	bundle sums[4] = { 0 };
	real sum = 0;

	a += (size_t)at.x * m * k + i * a_row;
	b += (size_t)at.y * k * n + j * b_col;
	if (whole) {
		global const bundle *x = (global const bundle *)a;
		global const bundle *y = (global const bundle *)b;

		for (; p < k / BUNDLE - 3 * DOT_GROUP; p += 4 * DOT_GROUP)
			for (int r = 0; r < 4; r++)
				sums[r] += read_once(x + p + r * DOT_GROUP) *
				    y[p + r * DOT_GROUP];
		for (; p < k / BUNDLE; p += DOT_GROUP)
			sums[0] += read_once(x + p) * y[p];
		sums[0] += sums[1] + (sums[2] + sums[3]);
	} else {
		for (; p < k; p += DOT_GROUP)
			sum += a[p] * b[p * b_row];
	}
	part[item] = sum + BUNDLE_SUM(sums[0]);
	for (int span = DOT_GROUP / 2; span > 0; span /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (item < span)
			part[item] += part[item + span];
	}
	if (item == 0)
		c[g] = part[0];
}

/* SIDE x SIDE items compute a TILE x TILE tile of C, EACH x EACH elements an
 * item. DEPTH columns of A and rows of B at a time go through local memory,
 * with zeros beyond the edges, so that every item passes every barrier. The
 * additional column of `at` and `bt` spreads a transposed copy over the banks
 * of local memory. */
__attribute__((reqd_work_group_size(SIDE * SIDE, 1, 1)))
kernel void matmul_tile(
	global const real *a, global const real *b, global real *c,
	global const int2 *place, int stack, int m, int n, int k, long a_row,
	long a_col, long b_row, long b_col, int first_group)
{
	local real at[DEPTH][TILE + 1], bt[DEPTH][TILE + 1];
	int across = (n + TILE - 1) / TILE, down = (m + TILE - 1) / TILE;
	size_t g = first_group + get_group_id(0), s = g / across / down;
	int i0 = g / across % down * TILE, j0 = g % across * TILE;
	int item = get_local_id(0), x = item % SIDE, y = item / SIDE;
	int2 from = place_of(place, s, stack);
	real sum[EACH][EACH] = { { 0 } };

	a += (size_t)from.x * m * k;
	b += (size_t)from.y * k * n;
	c += s * m * n;
	for (int p0 = 0; p0 < k; p0 += DEPTH) {
		/* neighbouring items read neighbouring elements: along k if
		 * rows of A are contiguous */
		for (int e = item; e < TILE * DEPTH; e += SIDE * SIDE) {
			int p = a_col == 1 ? e % DEPTH : e / TILE;
			int i = a_col == 1 ? e / DEPTH : e % TILE;
			bool in = i0 + i < m && p0 + p < k;

			at[p][i] = in ? a[(i0 + i) * a_row + (p0 + p) * a_col] :
			    0;
		}
		for (int e = item; e < TILE * DEPTH; e += SIDE * SIDE) {
			int p = b_col == 1 ? e / TILE : e % DEPTH;
			int j = b_col == 1 ? e % TILE : e / DEPTH;
			bool in = j0 + j < n && p0 + p < k;

			bt[p][j] = in ? b[(p0 + p) * b_row + (j0 + j) * b_col] :
			    0;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int p = 0; p < DEPTH; p++)
			for (int i = 0; i < EACH; i++)
				for (int j = 0; j < EACH; j++)
					sum[i][j] += at[p][i * SIDE + y] *
					    bt[p][j * SIDE + x];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	for (int i = 0; i < EACH; i++)
		for (int j = 0; j < EACH; j++) {
			long row = i0 + i * SIDE + y, col = j0 + j * SIDE + x;

			if (row < m && col < n)
				c[row * n + col] = sum[i][j];
		}
}
