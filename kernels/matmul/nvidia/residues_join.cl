/* residues_join.cl - computes elements of C from their residues (residues.h).
 *
 * With residues r_l and the weights w_l of the Chinese remainder theorem, the
 * whole number c is P f, where f is sum_l r_l w_l less the nearest whole
 * number.
 * Weights are fractions of 96 bits; the error of that is far below the one that
 * rounding A and B makes. If rounding changed neither the row nor the column, c
 * is a multiple of a power of two; c is rounded to such a multiple, so that
 * products of matrices whose elements have few bits are exact. */
#include "matmul/nvidia/residues.h"

#if defined(DTYPE_float64)

#define ITEMS RESIDUES_MULTIPLIERS
#define EACH 8
#define TURN 0x1.8p52			/* rounds a float64 to a whole number */

/* *sum += x y */
INLINE void add(ulong *sum, uint x, uint y)
{
	__asm__("mad.wide.u32 %0, %1, %2, %0;" : "+l"(*sum) : "r"(x), "r"(y));
}

/* x times P / 2^96, where x are three words, the lowest first, of a fraction
 * with a sign. Rounded once, but for an error of 2^-100. */
INLINE double product_of(ulong lo, ulong mid, ulong hi, const double p[2])
{
	const ulong y = mid + (lo >> 32), z = hi + (y >> 32);
	const bool minus = (uint)z >> 31;
	const ulong upper = (z << 32 | (uint)y) ^ (minus ? ~0ul : 0);
	const uint lower = (uint)lo ^ (minus ? ~0u : 0);
	const double a = (double)(uint)(upper >> 32) * 0x1p64;
	const double b = (double)(uint)upper * 0x1p32, s = a + b;
	const double rest = b - (s - a) + ((double)lower + (minus ? 1 : 0));
	const double head = s + rest, tail = rest - (head - s);
	const double c = fma(head, p[0], fma(head, p[1], tail * p[0]));

	return minus ? -c : c;
}

/* Returns x 2^e. Only the last product is rounded, or the result is zero or
 * infinite, because x is zero or 1 <= |x| < 2^140. */
INLINE double scaled(double x, int e)
{
	const int last = clamp(e, -1022, 1023), rest = e - last;

	return x * power(rest / 2) * power(rest - rest / 2) * power(last);
}

/* Returns the element of C for the whole number c of those lines. */
INLINE double element(double c, struct scale row, struct scale col)
{
	const int unit = row.unit + col.unit;
	const double x = c * power(-row.by - col.by - unit);

	return scaled(fabs(x) < 0x1p51 ? x + TURN - TURN : x, unit);
}

/* Adds the weights of an item's residues by all moduli, modulo 1: lo, mid and
 * hi are the words of the fractions, with carries. */
INLINE void add_all(ulong lo[EACH], ulong mid[EACH], ulong hi[EACH],
                    const global uint2 *from, size_t step, int number,
                    const global uint *weight)
{
	uint2 all[MOST];

	#pragma unroll
	for (int l = 0; l < MOST; l++)
		if (l < number)
			all[l] = from[l * step];
	#pragma unroll
	for (int l = 0; l < MOST; l++) {
		if (l >= number)
			break;
		#pragma unroll
		for (int e = 0; e < EACH; e++) {
			const uint x = (e < 4 ? all[l].x : all[l].y) >>
			               e % 4 * 8 & 255;

			add(lo + e, x, weight[3 * l]);
			add(mid + e, x, weight[3 * l + 1]);
			add(hi + e, x, weight[3 * l + 2]);
		}
	}
}

/* Where an item's elements are: rows i and i + 8, columns j, j + 1, j + 8 and
 * j + 9. */
struct place {
	global double *c;
	int i, j, m, n, row;
};

INLINE void store(const struct place *at, int i, int j, double x, double y)
{
	global double *to = at->c + (long)i * at->row + j;

	if (i >= at->m || j >= at->n)
		return;
	if (j + 1 < at->n && ((size_t)to & 15) == 0) {
		*(global double2 *)to = (double2)(x, y);
		return;
	}
	to[0] = x;
	if (j + 1 < at->n)
		to[1] = y;
}

/* Work-group (x, y) computes part y of tile x, as matmul_tensor_residues stores
 * it: an item has eight of the sixteen residues that an item there stores
 * together. C begins at c_at, its rows c_row apart. A tile that needs more
 * moduli is marked instead; `again` is then 1 if some tiles are computed again,
 * and 2 if all are. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void matmul_residues_join(
	const global uint2 *restrict from, global double *restrict c,
	global struct line *room, const global uint *restrict table, int m,
	int n, int lines, int chunks, int again, long c_at, int c_row)
{
	const int down = (m + ROWS - 1) / ROWS, across = (n + COLS - 1) / COLS;
	const int id = get_group_id(0), part = get_group_id(1) / 2;
	const int place = get_group_id(1) % 2 * ITEMS + get_local_id(0);
	const int item = place / 2, half_of = place % 2;
	const struct known f = known_of(room, lines, chunks, down * across);
	const int number = number_of(f.tiles_that_need, down * across, again);
	const global uint *of = about(table, max(number, LEAST));
	const double p[2] = {
		*(const global double *)(of + 2),
		*(const global double *)(of + 4)
	};
	const struct place at = {
		c + c_at, id / across * ROWS + item / 32 * 16 + item / 4 % 8,
		id % across * COLS + part * 32 + half_of * 16 + item % 4 * 2,
		m, n, c_row
	};
	const size_t each = ROWS * COLS / EACH;
	ulong lo[EACH] = { 0 }, mid[EACH] = { 0 }, hi[EACH] = { 0 };

	if (LEAST + (int)f.need[id] > number) {
		if (get_group_id(1) == 0 && get_local_id(0) == 0) {
			f.again[0] = number > 0 ? 1 : 2;
			f.again[1 + id] = 1;
		}
		return;
	}
	add_all(lo, mid, hi, from + id * each + part * 2 * ITEMS + place,
	        each * down * across, number, of + 6);
	#pragma unroll
	for (int e = 0; e < EACH; e += 2) {
		const int i = at.i + e / 2 % 2 * 8, j = at.j + e / 4 * 8;
		const global struct scale *col = f.scale + down * ROWS + j;
		const struct scale row = f.scale[i];

		store(&at, i, j, element(product_of(lo[e], mid[e], hi[e], p),
		                         row, col[0]),
		      element(product_of(lo[e + 1], mid[e + 1], hi[e + 1], p),
		              row, col[1]));
	}
}

#endif
