/* spread.cl - L U X = B by substitution, spread over as many multiprocessors of
 * an NVIDIA GPU as there are blocks of rows, in place, x[matrix][column][n]; a
 * launch for L and one for U (spread.h).
 *
 * A work-group has ROWS rows of COLUMNS right-hand sides. As soon as earlier
 * rows are solved it subtracts their products from its own rows; at the end it
 * solves these, a warp for each right-hand side. */
#include "solve/nvidia/spread.h"

#define COLUMNS LU_SPREAD_COLUMNS

struct shared {
	real block[ROWS][ROWS + 1];	/* of the diagonal */
	real sum[COLUMNS][ROWS];
	int turn;
	LANES_ROOM
};

/* The right-hand sides of a work-group: their number, beginning at x and
 * told. */
struct sides {
	global real *x, *told;
	int n, count;
};

/* Loads the item's two columns, lane and lane + 32, of tile k; zeros beyond the
 * edges. */
INLINE void tile_load(real t[SHARE][2], const struct rows *s, int k)
{
	const int lane = get_local_id(0) % 32, warp = get_local_id(0) / 32;
	const int column = block_at(s, k) * ROWS + lane;
	const int row = s->i * ROWS + warp * SHARE;

	_Pragma("unroll")
	for (int r = 0; r < SHARE; r++)
		_Pragma("unroll")
		for (int h = 0; h < 2; h++)
			t[r][h] = row + r < s->n && column + 32 * h < s->n ?
			          s->lu[(size_t)(row + r) * s->n + column +
			                32 * h] : 0;
}

/* Receives the item's two rows of block k of every right-hand side; all are
 * requested before it waits for the first. Items beyond the edge receive the
 * last row, which the zeros of their tile cancel, so that all lanes of a warp
 * stay together for the shuffles that follow. */
INLINE void sides_hear(real x[COLUMNS][2], const struct sides *s, int row)
{
	const int rows[2] = { min(row, s->n - 1), min(row + 32, s->n - 1) };
	word w[COLUMNS][2];

	_Pragma("unroll")
	for (int c = 0; c < COLUMNS; c++)
		_Pragma("unroll")
		for (int h = 0; h < 2; h++)
			w[c][h] = c < s->count ?
			          word_read(s->told + (size_t)c * s->n +
			                    rows[h]) : 0;
	_Pragma("unroll")
	for (int c = 0; c < COLUMNS; c++)
		_Pragma("unroll")
		for (int h = 0; h < 2; h++)
			x[c][h] = hear(s->told + (size_t)c * s->n + rows[h],
			               w[c][h]);
}

/* Sums the products of the rows that are solved. The next tile is loaded while
 * the items wait for an element. */
INLINE void products(real sum[COLUMNS][SHARE], const struct rows *s,
                     const struct sides *sides)
{
	real now[SHARE][2], next[SHARE][2];

	tile_load(now, s, 0);
	for (int k = 0; k < s->before; k++) {
		const int row = block_at(s, k) * ROWS + get_local_id(0) % 32;
		real x[COLUMNS][2];

		tile_load(next, s, min(k + 1, s->before - 1));
		sides_hear(x, sides, row);
		_Pragma("unroll")
		for (int r = 0; r < SHARE; r++)
			_Pragma("unroll")
			for (int h = 0; h < 2; h++) {
				_Pragma("unroll")
				for (int c = 0; c < COLUMNS; c++)
					sum[c][r] += now[r][h] * x[c][h];
				now[r][h] = next[r][h];
			}
	}
}

/* Exchanges half of `rows` rows with the lane whose number differs in that
 * bit. */
INLINE void rows_fold(real sum[SHARE], const int rows, const int bit,
                      local struct shared *s)
{
	const int lane = get_local_id(0) % 32;
	const bool high = lane & bit;

	_Pragma("unroll")
	for (int r = 0; r < rows / 2; r++) {
		const real a = sum[r], b = sum[r + rows / 2];

		sum[r] = (high ? b : a) +
		         REAL_FROM(s, high ? a : b, lane ^ bit);
	}
}

/* Adds the warp's sums over its lanes, into sums. */
INLINE void sums_fold(real sum[SHARE], local real *sums,
                      local struct shared *s)
{
	const int lane = get_local_id(0) % 32;

	rows_fold(sum, SHARE, 16, s);
	rows_fold(sum, SHARE / 2, 8, s);
	rows_fold(sum, SHARE / 4, 4, s);
	sum[0] += REAL_FROM(s, sum[0], lane ^ 2);
	sum[0] += REAL_FROM(s, sum[0], lane ^ 1);
	if (lane % 4 == 0)
		sums[lane / 4] = sum[0];
}

/* x / u, where s is pivot_scale(u), with an error far below eps. */
INLINE real quotient(real x, real u, struct scale s)
{
	const real q = x * s.up * s.inverse;

	return q + fma(-q, u, x) * s.up * s.inverse;
}

/* Solves with L; by a warp, whose lane r has rows r and r + 32. */
INLINE void lower_solve(real x[2], local struct shared *s)
{
	const int lane = get_local_id(0) % 32;
	local const real (*l)[ROWS + 1] = s->block;

	STEPS
	for (int k = 0; k < 32; k++) {
		const real y = REAL_FROM(s, x[0], k);

		x[0] -= lane > k ? l[lane][k] * y : 0;
		x[1] -= l[lane + 32][k] * y;
	}
	STEPS
	for (int k = 0; k < 32; k++) {
		const real y = REAL_FROM(s, x[1], k);

		x[1] -= lane > k ? l[lane + 32][k + 32] * y : 0;
	}
}

INLINE void upper_solve(real x[2], local struct shared *s)
{
	const int lane = get_local_id(0) % 32;
	local const real (*u)[ROWS + 1] = s->block;
	const real d0 = u[lane][lane], d1 = u[lane + 32][lane + 32];
	const struct scale s0 = pivot_scale(d0), s1 = pivot_scale(d1);

	STEPS
	for (int k = 31; k >= 0; k--) {
		const real y = REAL_FROM(s, quotient(x[1], d1, s1), k);

		x[1] -= lane < k ? u[lane + 32][k + 32] * y : 0;
		x[0] -= u[lane][k + 32] * y;
	}
	STEPS
	for (int k = 31; k >= 0; k--) {
		const real y = REAL_FROM(s, quotient(x[0], d0, s0), k);

		x[0] -= lane < k ? u[lane][k] * y : 0;
	}
	x[0] = quotient(x[0], d0, s0);
	x[1] = quotient(x[1], d1, s1);
}

/* Loads the diagonal block; beyond the edge its diagonal is ones. */
INLINE void block_load(local real (*b)[ROWS + 1], const struct rows *s)
{
	_Pragma("unroll 8")
	for (int e = get_local_id(0); e < ROWS * ROWS; e += ITEMS) {
		const int r = e / ROWS, c = e % ROWS, at = s->i * ROWS;

		b[r][c] = at + max(r, c) < s->n ?
		          s->lu[(size_t)(at + r) * s->n + at + c] : r == c;
	}
}

/* A warp solves a right-hand side; on PoCL warps without one take part in the
 * exchanges. */
INLINE void side_solve(const struct rows *rows, const struct sides *sides,
                       local struct shared *s)
{
	const int warp = get_local_id(0) / 32, lane = get_local_id(0) % 32;
	const int c = min(warp, sides->count - 1);
	const int row = rows->i * ROWS + lane;
	const size_t at = (size_t)c * sides->n + row;
	real y[2];

	_Pragma("unroll")
	for (int h = 0; h < 2; h++)
		y[h] = row + 32 * h < sides->n ?
		       sides->x[at + 32 * h] - s->sum[c][lane + 32 * h] : 0;
	if (rows->backward)
		upper_solve(y, s);
	else
		lower_solve(y, s);
	_Pragma("unroll")
	for (int h = 0; h < 2; h++)
		if (row + 32 * h < sides->n && warp < sides->count) {
			tell(sides->told + at + 32 * h, y[h]);
			sides->x[at + 32 * h] = y[h];
		}
}

INLINE void substitute(global const real *lu, int n, int columns,
                       global real *x, global real *told,
                       global int *ticket, bool backward,
                       local struct shared *s)
{
	const int blocks = (n + ROWS - 1) / ROWS;
	const int chunks = (columns + COLUMNS - 1) / COLUMNS;
	const int all = get_num_groups(0) / blocks;
	real sum[COLUMNS][SHARE] = { { 0 } };

	if (get_local_id(0) == 0)
		s->turn = atomic_inc(ticket) + 1;
	barrier(CLK_LOCAL_MEM_FENCE);

	const int before = s->turn / all, member = s->turn % all;
	const size_t matrix = member / chunks;
	const int first = member % chunks * COLUMNS;
	const size_t at = (matrix * columns + first) * n;
	const struct rows rows = {
		lu + matrix * n * n, n, backward ? blocks - 1 - before :
		before, blocks, before, backward
	};
	const struct sides sides = { x + at, told + at, n,
	                             min(COLUMNS, columns - first) };

	block_load(s->block, &rows);
	products(sum, &rows, &sides);
	_Pragma("unroll")
	for (int c = 0; c < COLUMNS; c++)
		sums_fold(sum[c], s->sum[c] + get_local_id(0) / 32 * SHARE, s);
	barrier(CLK_LOCAL_MEM_FENCE);
	side_solve(&rows, &sides, s);
}

/* Groups: (block of rows, matrix, chunk of COLUMNS right-hand sides). */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void solve_spread_lower(global const real *restrict lu, int n,
                               int columns, global real *restrict x,
                               global real *restrict told, long told_at,
                               global int *restrict tickets, int ticket)
{
	local struct shared s;

	substitute(lu, n, columns, x, told + told_at, tickets + ticket, false,
	           &s);
}

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void solve_spread_upper(global const real *restrict lu, int n,
                               int columns, global real *restrict x,
                               global real *restrict told, long told_at,
                               global int *restrict tickets, int ticket)
{
	local struct shared s;

	substitute(lu, n, columns, x, told + told_at, tickets + ticket, true,
	           &s);
}
