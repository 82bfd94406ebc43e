/* integer.cl - C = A B of integers on any device, exact: layouts and arguments
 * as in matmul.cl.
 *
 *     matmul_integer_bits   the bits of the longest element of A, or of B:
 *                           where those of both and of k are at most 63, sums
 *                           of 64 bits cannot overflow
 *     matmul_integer_tile   for such products, by tiles in local memory
 *     matmul_integer_far    for the others, in 192 bits, one item per element
 */
#include "matmul/integer.h"

#define SIDE INTEGER_SIDE
#define TILE INTEGER_TILE
#define EACH (TILE / SIDE)
#define DEPTH SIDE

/* bits = max(bits, the bits of the magnitudes of x[0..n)) */
kernel void matmul_integer_bits(global const real *restrict x, long n,
                                volatile global int *bits)
{
	ulong all = 0;

	for (long i = get_global_id(0); i < n; i += get_global_size(0)) {
		const long v = x[i];

		all |= abs(v);
	}
	atomic_max(bits, (int)(64 - clz(all)));
}

__attribute__((reqd_work_group_size(SIDE * SIDE, 1, 1)))
kernel void matmul_integer_tile(
	global const real *a, global const real *b, global real *c,
	global const int2 *place, int stack, int m, int n, int k, long a_row,
	long a_col, long b_row, long b_col, volatile global int *beyond,
	int first_group)
{
	local real at[DEPTH][TILE + 1], bt[DEPTH][TILE + 1];
	const int across = (n + TILE - 1) / TILE, down = (m + TILE - 1) / TILE;
	const size_t g = first_group + get_group_id(0), s = g / across / down;
	const int i0 = g / across % down * TILE, j0 = g % across * TILE;
	const int item = get_local_id(0), x = item % SIDE, y = item / SIDE;
	const int2 from = place_of(place, s, stack);
	long sum[EACH][EACH] = { { 0 } };

	a += (size_t)from.x * m * k;
	b += (size_t)from.y * k * n;
	for (int p0 = 0; p0 < k; p0 += DEPTH) {
		for (int e = item; e < TILE * DEPTH; e += SIDE * SIDE) {
			const int p = a_col == 1 ? e % DEPTH : e / TILE;
			const int i = a_col == 1 ? e / DEPTH : e % TILE;
			const int q = b_row == 1 ? e % DEPTH : e / TILE;
			const int j = b_row == 1 ? e / DEPTH : e % TILE;

			at[p][i] = i0 + i < m && p0 + p < k ?
			    a[(i0 + i) * a_row + (p0 + p) * a_col] : 0;
			bt[q][j] = j0 + j < n && p0 + q < k ?
			    b[(p0 + q) * b_row + (j0 + j) * b_col] : 0;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int p = 0; p < DEPTH; p++)
			for (int i = 0; i < EACH; i++)
				for (int j = 0; j < EACH; j++)
					sum[i][j] +=
					    (long)at[p][i * SIDE + y] *
					    bt[p][j * SIDE + x];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	for (int i = 0; i < EACH; i++)
		for (int j = 0; j < EACH; j++) {
			const int row = i0 + i * SIDE + y;
			const int col = j0 + j * SIDE + x;

			if (row < m && col < n)
				store(c, (s * m + row) * n + col, sum[i][j],
				      beyond);
		}
}

/* A sum whose value is low + 2^64 middle + 2^128 high. */
struct far { ulong low, middle; long high; };

static void far_add(struct far *f, long x, long y)
{
	const ulong low = (ulong)x * (ulong)y;
	const long middle = mul_hi(x, y);
	const ulong before = f->middle;

	f->low += low;
	f->middle += (ulong)middle;
	f->high += (f->middle < before) - (middle < 0);
	if (f->low < low)
		f->high += ++f->middle == 0;
}

kernel void matmul_integer_far(
	global const real *a, global const real *b, global real *c,
	global const int2 *place, int stack, int m, int n, int k, long a_row,
	long a_col, long b_row, long b_col, volatile global int *beyond,
	int first_group)
{
	const size_t g = (first_group * get_local_size(0) +
	           get_global_id(0)), s = g / n / m;
	const long j = g % n, i = g / n % m;
	struct far f = { 0, 0, 0 };

	if (s >= (size_t)stack)		/* items of the last group beyond C */
		return;
	const int2 at = place_of(place, s, stack);

	a += (size_t)at.x * m * k + i * a_row;
	b += (size_t)at.y * k * n + j * b_col;
	for (int p = 0; p < k; p++)
		far_add(&f, a[p * a_col], b[p * b_row]);
	store(c, g, (long)f.low, beyond);
	if (f.high != (long)f.low >> 63 || (long)f.middle != f.high)
		tell_beyond(beyond, g);
}
