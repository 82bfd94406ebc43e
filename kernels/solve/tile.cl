/* tile.cl - L U x = b and its transpose by substitution in work-groups,
 * for any device: block by block, in place, x[matrix][column][n]:
 *
 *     solve_tile_lower      x_j = L_jj^-1 x_j     work-group (column, 1,
 *     solve_tile_upper      x_j = U_jj^-1 x_j     matrix), an item a row
 *     solve_tile_update     x_i -= (LU)_ij x_j    item (column, row, matrix)
 *     solve_tile_upper_t    x_j = U_jj^-T x_j
 *     solve_tile_lower_t    x_j = L_jj^-T x_j
 *     solve_tile_update_t   x_i -= (LU)_ji^T x_j
 */
#include "lib/real.h"

#define ITEMS 64		/* rows of a block */

static size_t matrix_at(int n)
{
	return get_group_id(2) * (size_t)n * n;
}

static global real *column_of(global real *x, int n)
{
	return x + (get_group_id(2) * get_num_groups(0) + get_group_id(0)) * n;
}

/* Broadcasts item k's number. Every item writes, each to its own place. */
static real group_show(real own, int k, local real *shown)
{
	const int i = get_local_id(0);

	shown[i == k ? k : ITEMS + i] = own;
	barrier(CLK_LOCAL_MEM_FENCE);
	return shown[k];
}

/* Solves the nb rows of a block, from the first on or from the last back; each
 * solved row is subtracted from those that are not. The item's row of m begins
 * at `own`, its elements `step` apart. A unit triangle does not read the
 * diagonal. */
static void block_solve(global const real *m, size_t own, size_t step,
                        global real *x, int nb, bool backward, bool ones,
                        local real *shown)
{
	const int i = get_local_id(0);
	real mine = i < nb ? x[i] : 0;

	m += own;
	for (int t = 0; t < nb; t++) {
		const int k = backward ? nb - 1 - t : t;
		real y;

		mine = i == k && !ones ? mine / m[k * step] : mine;
		y = group_show(mine, k, shown);
		mine -= (backward ? i < k : i > k) && i < nb ?
		        m[k * step] * y : 0;
	}
	if (i < nb)
		x[i] = mine;
}

#define BLOCK_PARAMETERS                                                 \
	global const real *restrict lu, int n, global real *restrict x, \
	int j, int nb

/* The block at (j, j), by its rows and by its columns. */
#define BY_ROWS lu + matrix_at(n) + (size_t)j * n + j,                   \
	get_local_id(0) * (size_t)n, 1, column_of(x, n) + j, nb
#define BY_COLUMNS lu + matrix_at(n) + (size_t)j * n + j,                \
	get_local_id(0), n, column_of(x, n) + j, nb

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void solve_tile_lower(BLOCK_PARAMETERS)
{
	local real shown[2 * ITEMS];

	block_solve(BY_ROWS, false, true, shown);
}

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void solve_tile_upper(BLOCK_PARAMETERS)
{
	local real shown[2 * ITEMS];

	block_solve(BY_ROWS, true, false, shown);
}

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void solve_tile_upper_t(BLOCK_PARAMETERS)
{
	local real shown[2 * ITEMS];

	block_solve(BY_COLUMNS, false, false, shown);
}

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void solve_tile_lower_t(BLOCK_PARAMETERS)
{
	local real shown[2 * ITEMS];

	block_solve(BY_COLUMNS, true, true, shown);
}

/* Item (column, row, matrix): subtracts from row i of x the nb elements of m,
 * `step` apart, times rows j and on. */
static void row_update(global const real *m, size_t step, global real *x,
                       int i, int j, int nb)
{
	real sum = 0;

	for (int k = 0; k < nb; k++)
		sum += m[k * step] * x[j + k];
	x[i] -= sum;
}

#define UPDATE_PARAMETERS BLOCK_PARAMETERS, int row0, int row1

/* Subtracts from rows row0 to row1 their products with columns j to j + nb. */
__attribute__((reqd_work_group_size(1, ITEMS, 1)))
kernel void solve_tile_update(UPDATE_PARAMETERS)
{
	const int i = row0 + get_global_id(1);

	if (i < row1)		/* the grid is rounded up */
		row_update(lu + matrix_at(n) + (size_t)i * n + j, 1,
		           column_of(x, n), i, j, nb);
}

__attribute__((reqd_work_group_size(1, ITEMS, 1)))
kernel void solve_tile_update_t(UPDATE_PARAMETERS)
{
	const int i = row0 + get_global_id(1);

	if (i < row1)
		row_update(lu + matrix_at(n) + (size_t)j * n + i, n,
		           column_of(x, n), i, j, nb);
}
