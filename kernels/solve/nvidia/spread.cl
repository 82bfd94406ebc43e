/* spread.cl - L U X = B by substitution, spread over as many multiprocessors of
 * an NVIDIA GPU as there are blocks of rows, in place, x[matrix][column][n]; a
 * launch for L and one for U (spread.h).
 *
 * A work-group has ROWS rows of COLUMNS right-hand sides. As soon as earlier
 * rows are solved it subtracts their products from its own rows. In the end it
 * multiplies these by the inverse of the diagonal block, which is fast because
 * all warps take part at once (J. Du Croz, N. Higham, Stability of methods for
 * matrix inversion, 1992, bound its error). solve_spread_lower and
 * solve_spread_upper substitute instead, a warp for each right-hand side and
 * row after row: their error does not depend on the block's condition. */
#include "solve/nvidia/spread.h"

#define COLUMNS LU_SPREAD_COLUMNS
#define ELEMENTS (COLUMNS * ROWS)	/* of a block of the right-hand sides */
#define OWN ((ELEMENTS + ITEMS - 1) / ITEMS)	/* that an item receives */

struct shared {
	real block[ROWS][ROWS + 1];	/* of the diagonal, or its inverse */
	real rest[COLUMNS][ROWS];	/* B minus the products */
	real x[2][COLUMNS][ROWS];	/* of a solved block, in turns */
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

/* Returns where element e of block k is posted, or NULL if there is no such
 * element. */
INLINE const global real *element_at(const struct rows *s,
                                     const struct sides *sides, int k, int e)
{
	const int row = block_at(s, k) * ROWS + e % ROWS, c = e / ROWS;

	return row < s->n && c < sides->count ?
	       sides->told + (size_t)c * s->n + row : NULL;
}

/* Requests the item's elements of block k. */
INLINE void sides_peek(word w[OWN], const struct rows *s,
                       const struct sides *sides, int k)
{
	_Pragma("unroll")
	for (int i = 0; i < OWN; i++) {
		const global real *from = element_at(s, sides, k,
		    get_local_id(0) + i * ITEMS);

		w[i] = from ? word_read(from) : 0;
	}
}

/* Receives block k of every right-hand side; w: what sides_peek() read. */
INLINE void sides_hear(local real (*x)[ROWS], const word w[OWN],
                       const struct rows *s, const struct sides *sides, int k)
{
	_Pragma("unroll")
	for (int i = 0; i < OWN; i++) {
		const int e = get_local_id(0) + i * ITEMS;
		const global real *from = element_at(s, sides, k, e);

		if (e < ELEMENTS)
			x[e / ROWS][e % ROWS] = from ? hear(from, w[i]) : 0;
	}
}

/* Sums the products of the rows that are solved. The next tile, and the next
 * block's elements, are requested before the items wait for each other. */
INLINE void products(real sum[COLUMNS][SHARE], const struct rows *s,
                     const struct sides *sides, local struct shared *shared)
{
	const int lane = get_local_id(0) % 32;
	real now[SHARE][2], next[SHARE][2];
	word w[OWN];

	tile_load(now, s, 0);
	sides_peek(w, s, sides, 0);
	for (int k = 0; k < s->before; k++) {
		const int soon = min(k + 1, s->before - 1);
		local real (*x)[ROWS] = shared->x[k % 2];

		tile_load(next, s, soon);
		sides_hear(x, w, s, sides, k);
		sides_peek(w, s, sides, soon);
		barrier(CLK_LOCAL_MEM_FENCE);
		_Pragma("unroll")
		for (int c = 0; c < COLUMNS; c++) {
			const real x0 = x[c][lane], x1 = x[c][lane + 32];

			_Pragma("unroll")
			for (int r = 0; r < SHARE; r++)
				sum[c][r] += now[r][0] * x0 + now[r][1] * x1;
		}
		_Pragma("unroll")
		for (int r = 0; r < SHARE; r++)
			_Pragma("unroll")
			for (int h = 0; h < 2; h++)
				now[r][h] = next[r][h];
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

/* Returns the sum over the warp's lanes of row lane / 4 of the warp's SHARE
 * rows. */
INLINE real sums_fold(real sum[SHARE], local struct shared *s)
{
	const int lane = get_local_id(0) % 32;

	rows_fold(sum, SHARE, 16, s);
	rows_fold(sum, SHARE / 2, 8, s);
	rows_fold(sum, SHARE / 4, 4, s);
	sum[0] += REAL_FROM(s, sum[0], lane ^ 2);
	return sum[0] + REAL_FROM(s, sum[0], lane ^ 1);
}

/* Returns x / u with an error far below eps; s is pivot_scale(u). */
INLINE real quotient(real x, real u, struct scale s)
{
	const real q = x * s.up * s.inverse;

	return q + fma(-q, u, x) * s.up * s.inverse;
}

/* Solves with L by a warp, whose lane r has rows r and r + 32. */
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

/* Loads the inverse of the diagonal block. */
INLINE void inverse_load(local real (*b)[ROWS + 1],
                         global const real *inverse)
{
	_Pragma("unroll 8")
	for (int e = get_local_id(0); e < ROWS * ROWS; e += ITEMS)
		b[e / ROWS][e % ROWS] = inverse[e];
}

INLINE void side_store(const struct sides *s, int c, int row, real y)
{
	const size_t at = (size_t)c * s->n + row;

	tell(s->told + at, y);
	s->x[at] = y;
}

/* A warp solves a right-hand side; on PoCL warps without one take part in the
 * exchanges. */
INLINE void side_solve(const struct rows *rows, const struct sides *sides,
                       local struct shared *s)
{
	const int warp = get_local_id(0) / 32, lane = get_local_id(0) % 32;
	const int c = min(warp, sides->count - 1);
	const int row = rows->i * ROWS + lane;
	real y[2] = { s->rest[c][lane], s->rest[c][lane + 32] };

	if (rows->backward)
		upper_solve(y, s);
	else
		lower_solve(y, s);
	_Pragma("unroll")
	for (int h = 0; h < 2; h++)
		if (row + 32 * h < sides->n && warp < sides->count)
			side_store(sides, c, row + 32 * h, y[h]);
}

/* Returns the row of the block whose sum this item folds, with three others. */
INLINE int row_folded(void)
{
	return get_local_id(0) / 32 * SHARE + get_local_id(0) % 32 / 4;
}

/* Multiplies the rest of every right-hand side by the block's inverse. */
INLINE void sides_multiply(const struct rows *rows, const struct sides *sides,
                           local struct shared *s)
{
	const int warp = get_local_id(0) / 32, lane = get_local_id(0) % 32;
	const int row = rows->i * ROWS + row_folded();

	_Pragma("unroll")
	for (int c = 0; c < COLUMNS; c++) {
		const real x0 = s->rest[c][lane], x1 = s->rest[c][lane + 32];
		real sum[SHARE], y;

		_Pragma("unroll")
		for (int r = 0; r < SHARE; r++) {
			local const real *b = s->block[warp * SHARE + r];

			sum[r] = b[lane] * x0 + b[lane + 32] * x1;
		}
		y = sums_fold(sum, s);
		if (lane % 4 == c % 4 && row < sides->n && c < sides->count)
			side_store(sides, c, row, y);
	}
}

/* Solves with L, or with U if `backward`. inverse has the inverses of its
 * diagonal blocks; if it is NULL, blocks are solved by substitution. */
INLINE void substitute(global const real *lu, global const real *inverse,
                       int n, int columns, global real *x, global real *told,
                       global int *ticket, bool backward,
                       local struct shared *s)
{
	const int blocks = (n + ROWS - 1) / ROWS;
	const int chunks = (columns + COLUMNS - 1) / COLUMNS;
	const int all = get_num_groups(0) / blocks;
	real sum[COLUMNS][SHARE] = { { 0 } }, own[COLUMNS];

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
	const int row = rows.i * ROWS + row_folded();

	if (inverse)
		inverse_load(s->block, inverse +
		             ((matrix * 2 + backward) * blocks + rows.i) *
		             ROWS * ROWS);
	else
		block_load(s->block, &rows);
	_Pragma("unroll")
	for (int c = 0; c < COLUMNS; c++)
		own[c] = c < sides.count && row < n ?
		         sides.x[(size_t)c * n + row] : 0;
	products(sum, &rows, &sides, s);
	_Pragma("unroll")
	for (int c = 0; c < COLUMNS; c++) {
		const real done = sums_fold(sum[c], s);

		if (get_local_id(0) % 4 == c % 4)
			s->rest[c][row_folded()] = own[c] - done;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (inverse)
		sides_multiply(&rows, &sides, s);
	else
		side_solve(&rows, &sides, s);
}

/* The parameters of all four kernels beside the factors, and what they pass on
 * to substitute(). */
#define PARAMETERS                                                           \
	int n, int columns, global real *restrict x,                         \
	global real *restrict told, long told_at,                            \
	global int *restrict tickets, int ticket
#define ARGUMENTS n, columns, x, told + told_at, tickets + ticket

/* Launch: work-group (block of rows, matrix, chunk of COLUMNS right-hand
 * sides). */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void solve_spread_lower(global const real *restrict lu, PARAMETERS)
{
	local struct shared s;

	substitute(lu, NULL, ARGUMENTS, false, &s);
}

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void solve_spread_upper(global const real *restrict lu, PARAMETERS)
{
	local struct shared s;

	substitute(lu, NULL, ARGUMENTS, true, &s);
}

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void solve_inverse_lower(global const real *restrict lu,
                                global const real *restrict inverse,
                                PARAMETERS)
{
	local struct shared s;

	substitute(lu, inverse, ARGUMENTS, false, &s);
}

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void solve_inverse_upper(global const real *restrict lu,
                                global const real *restrict inverse,
                                PARAMETERS)
{
	local struct shared s;

	substitute(lu, inverse, ARGUMENTS, true, &s);
}
