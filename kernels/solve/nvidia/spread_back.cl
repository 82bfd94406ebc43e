/* spread_back.cl - substitution with U^T and L^T of an LU factorization, for
 * the probes of solve_told.h, spread over as many multiprocessors of an NVIDIA
 * GPU as there are blocks of rows, in place, z[matrix][SOLVE_TURNED][n]
 * (spread.h); a launch each.
 *
 * The diagonal blocks are inverted beforehand: that is less exact than
 * substitution, whose steps wait for each other, but exact enough for probes.
 * An item has two columns of SHARE rows of each tile, which are rows of the
 * transpose; warps add their sums in local memory. There are as many items as
 * elements in a block of the right-hand sides. */
#include "solve/nvidia/spread.h"
#include "shared/solve_told.h"

#define COLUMNS SOLVE_TURNED

struct shared {
	real x[2][COLUMNS][ROWS];	/* of a block, in turns; the rest */
	real part[COLUMNS][WARPS][ROWS];	/* sums of each warp */
	int turn;
};

/* Loads the item's part of tile (j, i), or of the inverse of a block, with rows
 * ld apart: SHARE rows, columns lane and lane + 32; zeros beyond the edges. */
INLINE void tile_load(real t[SHARE][2], const struct rows *s, int k)
{
	const int lane = get_local_id(0) % 32, warp = get_local_id(0) / 32;
	const int row = block_at(s, k) * ROWS + warp * SHARE;
	const int column = s->i * ROWS + lane;

	_Pragma("unroll")
	for (int r = 0; r < SHARE; r++)
		_Pragma("unroll")
		for (int h = 0; h < 2; h++)
			t[r][h] = row + r < s->n && column + 32 * h < s->n ?
			          s->lu[(size_t)(row + r) * s->n + column +
			                32 * h] : 0;
}

/* sum += the tile's rows times the block's elements in these rows. */
INLINE void tile_add(real sum[COLUMNS][2], real t[SHARE][2],
                     local const real (*x)[ROWS])
{
	const int first = get_local_id(0) / 32 * SHARE;

	_Pragma("unroll")
	for (int c = 0; c < COLUMNS; c++)
		_Pragma("unroll")
		for (int r = 0; r < SHARE; r += 4) {
			const real4 v = *(local const real4 *)(x[c] + first +
			                                       r);

			_Pragma("unroll")
			for (int h = 0; h < 2; h++) {
				sum[c][h] += t[r][h] * v.x;
				sum[c][h] += t[r + 1][h] * v.y;
				sum[c][h] += t[r + 2][h] * v.z;
				sum[c][h] += t[r + 3][h] * v.w;
			}
		}
}

/* Sums the products of the rows that are solved. Of each block every item
 * receives one element, and has requested that of the next one before it waits
 * for the others. */
INLINE void products(real sum[COLUMNS][2], const struct rows *s,
                     const global real *told, local struct shared *shared)
{
	const int c = get_local_id(0) / ROWS, r = get_local_id(0) % ROWS;
	real now[SHARE][2], next[SHARE][2];
	word w = EMPTY;

	told += (size_t)c * s->n + r;
	tile_load(now, s, 0);
	for (int k = 0; k < s->before; k++) {
		const int row = block_at(s, k) * ROWS;
		const int soon = min(k + 1, s->before - 1);

		tile_load(next, s, soon);
		shared->x[k % 2][c][r] = row + r < s->n ?
		                         hear(told + row, w) : 0;
		w = block_at(s, soon) * ROWS + r < s->n ?
		    word_read(told + block_at(s, soon) * ROWS) : 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		tile_add(sum, now, shared->x[k % 2]);
		_Pragma("unroll")
		for (int i = 0; i < SHARE; i++)
			_Pragma("unroll")
			for (int h = 0; h < 2; h++)
				now[i][h] = next[i][h];
	}
}

/* The sum over all warps, for item (column, row) of the work-group. */
INLINE real warps_add(real sum[COLUMNS][2], local struct shared *s)
{
	const int id = get_local_id(0), lane = id % 32;
	real all = 0;

	_Pragma("unroll")
	for (int c = 0; c < COLUMNS; c++)
		_Pragma("unroll")
		for (int h = 0; h < 2; h++)
			s->part[c][id / 32][lane + 32 * h] = sum[c][h];
	barrier(CLK_LOCAL_MEM_FENCE);
	_Pragma("unroll")
	for (int w = 0; w < WARPS; w++)
		all += s->part[id / ROWS][w][id % ROWS];
	return all;
}

INLINE void substitute(global const real *lu, global const real *inverse,
                       int n, global real *z, global real *told,
                       global int *ticket, bool backward,
                       local struct shared *s)
{
	const int id = get_local_id(0), blocks = (n + ROWS - 1) / ROWS;
	const int matrices = get_num_groups(0) / blocks;
	real sum[COLUMNS][2] = { { 0 } }, t[SHARE][2];

	if (id == 0)
		s->turn = atomic_inc(ticket) + 1;
	barrier(CLK_LOCAL_MEM_FENCE);

	const int before = s->turn / matrices;
	const size_t matrix = s->turn % matrices;
	const struct rows rows = {
		lu + matrix * n * n, n, backward ? blocks - 1 - before :
		before, blocks, before, backward
	};
	const int row = rows.i * ROWS + id % ROWS;
	const size_t at = (matrix * COLUMNS + id / ROWS) * n + row;

	inverse += ((matrix * 2 + !backward) * blocks + rows.i) * ROWS * ROWS;
	_Pragma("unroll")
	for (int r = 0; r < SHARE; r++)
		_Pragma("unroll")
		for (int h = 0; h < 2; h++)
			t[r][h] = inverse[(id / 32 * SHARE + r) * ROWS +
			                  id % 32 + 32 * h];
	products(sum, &rows, told + matrix * COLUMNS * n, s);

	const real own = warps_add(sum, s);

	s->x[before % 2][id / ROWS][id % ROWS] = row < n ? z[at] - own : 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	_Pragma("unroll")
	for (int c = 0; c < COLUMNS; c++)
		sum[c][0] = sum[c][1] = 0;
	tile_add(sum, t, s->x[before % 2]);

	const real solved = warps_add(sum, s);

	if (row < n) {
		tell(told + at, solved);
		z[at] = solved;
	}
}

/* z = U^-T z. Groups: (block of rows, matrix). */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void solve_spread_upper_t(global const real *restrict lu,
                                 global const real *restrict inverse, int n,
                                 global real *restrict z,
                                 global real *restrict told, long told_at,
                                 global int *restrict tickets, int ticket)
{
	local struct shared s __attribute__((aligned(128)));

	substitute(lu, inverse, n, z, told + told_at, tickets + ticket, false,
	           &s);
}

/* z = L^-T z */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void solve_spread_lower_t(global const real *restrict lu,
                                 global const real *restrict inverse, int n,
                                 global real *restrict z,
                                 global real *restrict told, long told_at,
                                 global int *restrict tickets, int ticket)
{
	local struct shared s __attribute__((aligned(128)));

	substitute(lu, inverse, n, z, told + told_at, tickets + ticket, true,
	           &s);
}

/* inverse[matrix][L, U][block][ROWS][ROWS] = the inverses of the diagonal
 * blocks, with ones on the diagonal beyond the edge. Column c of an inverse is
 * computed in row c of the other triangle of its block. Item (column of the
 * block), group (block, L or U, matrix). */
__attribute__((reqd_work_group_size(ROWS, 1, 1)))
kernel void solve_spread_invert(global const real *restrict lu, int n,
                                global real *restrict inverse)
{
	local real b[ROWS][ROWS + 1], diagonal[ROWS];
	const int c = get_local_id(0), at = get_group_id(0) * ROWS;
	const bool upper = get_group_id(1);
	const size_t matrix = get_group_id(2);

	lu += matrix * n * n + (size_t)at * n + at;
	inverse += ((matrix * 2 + upper) * get_num_groups(0) +
	            get_group_id(0)) * ROWS * ROWS;
	_Pragma("unroll 16")
	for (int r = 0; r < ROWS; r++)
		b[r][c] = at + max(r, c) < n ? lu[(size_t)r * n + c] : r == c;
	barrier(CLK_LOCAL_MEM_FENCE);
	diagonal[c] = upper ? b[c][c] : 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int k = 0; k < ROWS; k++) {
		const int i = upper ? ROWS - 1 - k : k;
		const int from = upper ? i + 1 : 0, end = upper ? ROWS : i;
		real sum = i == c;

		_Pragma("unroll 8")
		for (int j = from; j < end; j++) {
			const real x = b[c][j];

			sum -= b[i][j] * ((upper ? j <= c : j >= c) ? x : 0);
		}
		if (upper ? i <= c : i >= c)
			b[c][i] = sum / diagonal[i];
	}
	_Pragma("unroll 16")
	for (int i = 0; i < ROWS; i++)
		inverse[i * ROWS + c] = (upper ? i <= c : i >= c) ? b[c][i] :
		                        0;
}
