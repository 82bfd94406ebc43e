/* solve_spread.cl - L U x = b by substitution on as many multiprocessors of
 * an NVIDIA GPU as there are blocks of rows, in place, x[matrix][side][n]; a
 * launch for L and one for U.
 *
 * A work-group has ROWS rows of a right-hand side. As soon as rows that come
 * before are solved it takes their products from its own, in the end it solves
 * these. What is solved is read from `told`, which was filled with EMPTY: an
 * element is its own flag. Work-groups take their rows in the order in which
 * they begin, which a ticket behind `told` counts from -1, so that those that
 * one waits for have begun before it.
 */
#include "lu_pivot.h"
#include "lu_tile.h"
#include "nvidia/ptx.h"

#define ROWS LU_SPREAD_ROWS
#define ITEMS LU_SPREAD_ITEMS
#define WARPS (ITEMS / 32)
#define SHARE (ROWS / WARPS)	/* rows of a warp */
#define PATIENCE (1 << 24)	/* looks at an element: seconds */

#ifdef DTYPE_float64
typedef ulong word;
#define READ ptx_read64
#define WRITE ptx_write64
#define AS_WORD(x) as_ulong(x)
#define AS_REAL(w) as_double(w)
#else
typedef uint word;
#define READ ptx_read32
#define WRITE ptx_write32
#define AS_WORD(x) as_uint(x)
#define AS_REAL(w) as_float(w)
#endif
#define EMPTY (~(word)0)

/* Both in local memory. */
struct shared {
	real block[ROWS][ROWS + 1];	/* of the diagonal */
	real sum[ROWS];
	int turn;
};

/* The rows of a work-group: block i of those of a matrix. */
struct rows {
	global const real *lu;
	int n, i, blocks, before;	/* blocks solved before */
	bool upper;
};

/* The element once it is told. Who waits for seconds waits in vain: the
 * kernel ends in a fault. */
INLINE real hear(const global real *told)
{
	word w = READ((const global word *)told);

	for (int i = 0; w == EMPTY; i++) {
		if (i == PATIENCE)
			ptx_trap();
		w = READ((const global word *)told);
	}
	return AS_REAL(w);
}

/* A NaN that looks like no element becomes another. */
INLINE void tell(global real *told, real x)
{
	const word w = AS_WORD(x);

	WRITE((global word *)told, w == EMPTY ? w << 1 : w);
}

INLINE real real_from(real x, int lane)
{
#ifdef DTYPE_float64
	const uint2 w = as_uint2(x);

	return as_double((uint2)(ptx_word(w.x, lane), ptx_word(w.y, lane)));
#else
	return as_float(ptx_word(as_uint(x), lane));
#endif
}

/* The item's columns, lane and lane + 32, of the k-th tile; zeros beyond the
 * edges. */
INLINE void tile_load(real t[SHARE][2], const struct rows *s, int k)
{
	const int lane = get_local_id(0) % 32, warp = get_local_id(0) / 32;
	const int j = s->upper ? s->blocks - 1 - k : k;
	const int column = j * ROWS + lane, row = s->i * ROWS + warp * SHARE;

	_Pragma("unroll")
	for (int r = 0; r < SHARE; r++)
		_Pragma("unroll")
		for (int h = 0; h < 2; h++)
			t[r][h] = row + r < s->n && column + 32 * h < s->n ?
			          s->lu[(size_t)(row + r) * s->n + column +
			                32 * h] : 0;
}

/* sum = the products of what is solved. The next tile is on its way while one
 * waits for an element. */
INLINE void products(real sum[SHARE], const struct rows *s,
                     const global real *told)
{
	real now[SHARE][2], next[SHARE][2];

	tile_load(now, s, 0);
	for (int k = 0; k < s->before; k++) {
		const int j = s->upper ? s->blocks - 1 - k : k;
		const int column = j * ROWS + get_local_id(0) % 32;
		real x[2];

		tile_load(next, s, min(k + 1, s->before - 1));
		_Pragma("unroll")
		for (int h = 0; h < 2; h++)
			x[h] = column + 32 * h < s->n ?
			       hear(told + column + 32 * h) : 0;
		_Pragma("unroll")
		for (int r = 0; r < SHARE; r++)
			_Pragma("unroll")
			for (int h = 0; h < 2; h++) {
				sum[r] += now[r][h] * x[h];
				now[r][h] = next[r][h];
			}
	}
}

/* Half of so many rows goes to the lanes that differ in that bit. */
INLINE void rows_fold(real sum[SHARE], const int rows, const int bit)
{
	const int lane = get_local_id(0) % 32;
	const bool high = lane & bit;

	_Pragma("unroll")
	for (int r = 0; r < rows / 2; r++) {
		const real a = sum[r], b = sum[r + rows / 2];

		sum[r] = (high ? b : a) + real_from(high ? a : b, lane ^ bit);
	}
}

/* The warp's sums over its lanes, to sums. */
INLINE void sums_fold(real sum[SHARE], local real *sums)
{
	const int lane = get_local_id(0) % 32;

	rows_fold(sum, SHARE, 16);
	rows_fold(sum, SHARE / 2, 8);
	rows_fold(sum, SHARE / 4, 4);
	sum[0] += real_from(sum[0], lane ^ 2);
	sum[0] += real_from(sum[0], lane ^ 1);
	if (lane % 4 == 0)
		sums[lane / 4] = sum[0];
}

/* x / u, where s is pivot_scale(u), but for an error far below eps. */
INLINE real quotient(real x, real u, struct scale s)
{
	const real q = x * s.up * s.inverse;

	return q + fma(-q, u, x) * s.up * s.inverse;
}

/* By a warp: lane r has rows r and r + 32. */
INLINE void lower_solve(real x[2], local const real (*l)[ROWS + 1])
{
	const int lane = get_local_id(0);

	_Pragma("unroll 16")
	for (int k = 0; k < 32; k++) {
		const real y = real_from(x[0], k);

		x[0] -= lane > k ? l[lane][k] * y : 0;
		x[1] -= l[lane + 32][k] * y;
	}
	_Pragma("unroll 16")
	for (int k = 0; k < 32; k++) {
		const real y = real_from(x[1], k);

		x[1] -= lane > k ? l[lane + 32][k + 32] * y : 0;
	}
}

INLINE void upper_solve(real x[2], local const real (*u)[ROWS + 1])
{
	const int lane = get_local_id(0);
	const real d0 = u[lane][lane], d1 = u[lane + 32][lane + 32];
	const struct scale s0 = pivot_scale(d0), s1 = pivot_scale(d1);

	_Pragma("unroll 16")
	for (int k = 31; k >= 0; k--) {
		const real y = real_from(quotient(x[1], d1, s1), k);

		x[1] -= lane < k ? u[lane + 32][k + 32] * y : 0;
		x[0] -= u[lane][k + 32] * y;
	}
	_Pragma("unroll 16")
	for (int k = 31; k >= 0; k--) {
		const real y = real_from(quotient(x[0], d0, s0), k);

		x[0] -= lane < k ? u[lane][k] * y : 0;
	}
	x[0] = quotient(x[0], d0, s0);
	x[1] = quotient(x[1], d1, s1);
}

/* The diagonal block; ones on the diagonal beyond the edge. */
INLINE void block_load(local real (*b)[ROWS + 1], const struct rows *s)
{
	_Pragma("unroll 8")
	for (int e = get_local_id(0); e < ROWS * ROWS; e += ITEMS) {
		const int r = e / ROWS, c = e % ROWS, at = s->i * ROWS;

		b[r][c] = at + max(r, c) < s->n ?
		          s->lu[(size_t)(at + r) * s->n + at + c] : r == c;
	}
}

INLINE void substitute(global const real *lu, int n, global const int *which,
                       int sides, global real *x, global real *told,
                       global void *ticket, bool upper,
                       local struct shared *s)
{
	const int id = get_local_id(0), blocks = (n + ROWS - 1) / ROWS;
	const int all = get_num_groups(0) / blocks;
	real sum[SHARE] = { 0 };

	if (id == 0)
		s->turn = atomic_inc((global int *)ticket) + 1;
	barrier(CLK_LOCAL_MEM_FENCE);

	const int before = s->turn / all, side = s->turn % all;
	const struct rows rows = {
		lu + which[side / sides] * (size_t)n * n, n,
		upper ? blocks - 1 - before : before, blocks, before, upper
	};
	const int row = rows.i * ROWS + id % 32;

	x += (size_t)side * n;
	told += (size_t)side * n;
	block_load(s->block, &rows);
	products(sum, &rows, told);
	sums_fold(sum, s->sum + id / 32 * SHARE);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (id < 32) {
		real y[2];

		_Pragma("unroll")
		for (int h = 0; h < 2; h++)
			y[h] = row + 32 * h < n ?
			       x[row + 32 * h] - s->sum[id + 32 * h] : 0;
		if (upper)
			upper_solve(y, s->block);
		else
			lower_solve(y, s->block);
		_Pragma("unroll")
		for (int h = 0; h < 2; h++)
			if (row + 32 * h < n) {
				tell(told + row + 32 * h, y[h]);
				x[row + 32 * h] = y[h];
			}
	}
}

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void solve_spread_lower(global const real *restrict lu, int n,
                               global const int *restrict which, int sides,
                               global real *restrict x,
                               global real *restrict told, long elements)
{
	local struct shared s;

	substitute(lu, n, which, sides, x, told, told + elements, false, &s);
}

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void solve_spread_upper(global const real *restrict lu, int n,
                               global const int *restrict which, int sides,
                               global real *restrict x,
                               global real *restrict told, long elements)
{
	local struct shared s;

	substitute(lu, n, which, sides, x, told, told + elements, true, &s);
}
