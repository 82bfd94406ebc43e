/* solve_tile.cl - L U x = b by substitution in work-groups, for any device:
 * block by block as in cpu/solve.cl, in place, x[matrix][side][n].
 *
 *     solve_tile_lower    x_j = L_jj^-1 x_j    work-group (side, 1, matrix),
 *     solve_tile_upper    x_j = U_jj^-1 x_j    an item a row
 *     solve_tile_update   x_i -= (LU)_ij x_j   item (side, row, matrix)
 */
#include "real.h"

#define ITEMS 64		/* rows of a block */

static global const real *factors_of(global const real *lu, int n,
                                     global const int *which)
{
	return lu + which[get_group_id(2)] * (size_t)n * n;
}

static global real *side_of(global real *x, int n)
{
	return x + (get_group_id(2) * get_num_groups(0) + get_group_id(0)) * n;
}

/* Shows item k's number to all. Every item writes, each to its own place. */
static real group_show(real own, int k, local real *shown)
{
	const int i = get_local_id(0);

	shown[i == k ? k : ITEMS + i] = own;
	barrier(CLK_LOCAL_MEM_FENCE);
	return shown[k];
}

/* Column by column: what is solved leaves the rows that are not. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void solve_tile_lower(global const real *restrict lu, int n,
                             global const int *restrict which,
                             global real *restrict x, int j, int nb)
{
	local real shown[2 * ITEMS];
	const int i = get_local_id(0), row = min(i, nb - 1);
	global const real *l = factors_of(lu, n, which) +
	                       (size_t)(j + row) * n + j;
	real own;

	x = side_of(x, n) + j;
	own = i < nb ? x[i] : 0;
	for (int k = 0; k < nb; k++) {
		const real y = group_show(own, k, shown);

		own -= k < i ? l[k] * y : 0;
	}
	if (i < nb)
		x[i] = own;
}

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void solve_tile_upper(global const real *restrict lu, int n,
                             global const int *restrict which,
                             global real *restrict x, int j, int nb)
{
	local real shown[2 * ITEMS];
	const int i = get_local_id(0), row = min(i, nb - 1);
	global const real *u = factors_of(lu, n, which) +
	                       (size_t)(j + row) * n + j;
	real own;

	x = side_of(x, n) + j;
	own = i < nb ? x[i] : 0;
	for (int k = nb - 1; k >= 0; k--) {
		real y;

		own = i == k ? own / u[k] : own;
		y = group_show(own, k, shown);
		own -= i < k ? u[k] * y : 0;
	}
	if (i < nb)
		x[i] = own;
}

/* Item (side, row, matrix): row0 to row1 lose columns j to j + nb. */
__attribute__((reqd_work_group_size(1, ITEMS, 1)))
kernel void solve_tile_update(global const real *restrict lu, int n,
                              global const int *restrict which,
                              global real *restrict x, int j, int nb,
                              int row0, int row1)
{
	const int i = row0 + get_global_id(1);
	global real *to = side_of(x, n);
	real sum = 0;

	if (i >= row1)
		return;		/* the grid is rounded up; no barrier follows */
	lu = factors_of(lu, n, which) + (size_t)i * n + j;
	for (int k = 0; k < nb; k++)
		sum += lu[k] * to[j + k];
	to[i] -= sum;
}
