/* load.cl - prepares a symmetric matrix for its decomposition: measures how
 * large its elements are and whether it is symmetric and finite, and makes a
 * scaled copy.
 *
 *     tridiagonal_look   for each work-group the largest |a_ij|, the largest
 *                        |a_ij - a_ji|, and 1 if an element is not finite
 *     tridiagonal_told   the maxima of these three numbers over the whole
 *                        matrix, by one work-group
 *     tridiagonal_load   w_ij = 2^-power (a_ij + a_ji) / 2, in rows of ld
 *                        elements that are padded with zeros
 *     tridiagonal_share  the mean of a_ij and a_ji for some rows alone, without
 *                        a scale, and the three numbers of tridiagonal_look for
 *                        each work-group
 *     tridiagonal_scale  multiplies `count` elements by 2^-power
 *
 * A is n x n and row-major. A work-group reads a tile of LOAD_TILE x LOAD_TILE
 * elements, and the tile across the diagonal. `blocks` is the number of tiles
 * in a row of tiles. Launches have one dimension.
 */
#include "lib/real.h"
#include "shared/tridiagonal_tile.h"

#define STEP (SYTRD_ITEMS / LOAD_TILE)	/* rows that a group reads at once */

enum { LARGEST, ASYMMETRY, NOT_FINITE, TOLD };

/* Returns element (i, j) of A, or 0 outside of A. */
static real element(global const real *a, int n, int i, int j)
{
	return i < n && j < n ? a[(size_t)i * n + j] : 0;
}

/* Reads the tile that begins at (row, column), and stores it transposed. */
static void read_transposed(global const real *a, int n, int row, int column,
                            local real tile[LOAD_TILE][LOAD_TILE + 1])
{
	const int j = get_local_id(0) % LOAD_TILE;

	for (int i = get_local_id(0) / LOAD_TILE; i < LOAD_TILE; i += STEP)
		tile[j][i] = element(a, n, row + i, column + j);
	barrier(CLK_LOCAL_MEM_FENCE);
}

/* Writes the TOLD maxima of all work-items' numbers to `to`. */
static void fold(const real *own, local real told[TOLD][SYTRD_ITEMS],
                 global real *to)
{
	const int id = get_local_id(0);

	for (int k = 0; k < TOLD; k++)
		told[k][id] = own[k];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (id < TOLD) {
		real most = 0;

		for (int i = 0; i < SYTRD_ITEMS; i++)
			most = fmax(most, told[id][i]);
		to[id] = most;
	}
}

kernel __attribute__((reqd_work_group_size(SYTRD_ITEMS, 1, 1)))
void tridiagonal_look(global const real *restrict a, int n, int blocks,
                      global real *restrict to)
{
	local real tile[LOAD_TILE][LOAD_TILE + 1];
	local real told[TOLD][SYTRD_ITEMS];
	const int row = get_group_id(0) / blocks * LOAD_TILE;
	const int column = get_group_id(0) % blocks * LOAD_TILE;
	const int j = get_local_id(0) % LOAD_TILE;
	real own[TOLD] = { 0, 0, 0 };

	read_transposed(a, n, column, row, tile);
	for (int i = get_local_id(0) / LOAD_TILE; i < LOAD_TILE; i += STEP) {
		const real x = element(a, n, row + i, column + j);

		if (!isfinite(x))
			own[NOT_FINITE] = 1;
		own[LARGEST] = fmax(own[LARGEST], fabs(x));
		own[ASYMMETRY] = fmax(own[ASYMMETRY], fabs(x - tile[i][j]));
	}
	fold(own, told, to + get_group_id(0) * TOLD);
}

kernel __attribute__((reqd_work_group_size(SYTRD_ITEMS, 1, 1)))
void tridiagonal_told(global const real *restrict from, long count,
                      global real *restrict to)
{
	local real told[TOLD][SYTRD_ITEMS];
	real own[TOLD] = { 0, 0, 0 };

	for (long i = get_local_id(0); i < count; i += SYTRD_ITEMS)
		for (int k = 0; k < TOLD; k++)
			own[k] = fmax(own[k], from[i * TOLD + k]);
	fold(own, told, to);
}

kernel __attribute__((reqd_work_group_size(SYTRD_ITEMS, 1, 1)))
void tridiagonal_load(global const real *restrict a, int n, int ld,
                      int blocks, int power, global real *restrict w)
{
	local real tile[LOAD_TILE][LOAD_TILE + 1];
	const int row = get_group_id(0) / blocks * LOAD_TILE;
	const int column = get_group_id(0) % blocks * LOAD_TILE;
	const int j = get_local_id(0) % LOAD_TILE;

	read_transposed(a, n, column, row, tile);
	for (int i = get_local_id(0) / LOAD_TILE; i < LOAD_TILE; i += STEP) {
		const real x = ldexp(element(a, n, row + i, column + j),
		                     -power);
		const real y = ldexp(tile[i][j], -power);

		if (row + i < n && column + j < ld)
			w[(size_t)(row + i) * ld + column + j] = (x + y) / 2;
	}
}

/* Loads w rows of the symmetric matrix A. `a_rows` holds rows i to i + w - 1,
 * and `a_columns` holds columns i to i + w - 1. The mean of each element and
 * its transpose is stored in `to`, whose rows have ld elements, from row `at`
 * on. Work-group g stores its three numbers at place `from` + g of `parts`. */
kernel __attribute__((reqd_work_group_size(SYTRD_ITEMS, 1, 1)))
void tridiagonal_share(global const real *restrict a_rows,
                       global const real *restrict a_columns, int n, int w,
                       int ld, int at, int from, global real *restrict to,
                       global real *restrict parts)
{
	local real tile[LOAD_TILE][LOAD_TILE + 1];
	local real told[TOLD][SYTRD_ITEMS];
	const int blocks = ld / LOAD_TILE, first = get_local_id(0) / LOAD_TILE;
	const int row = get_group_id(0) / blocks * LOAD_TILE;
	const int column = get_group_id(0) % blocks * LOAD_TILE;
	const int j = get_local_id(0) % LOAD_TILE, k = column + j;
	real own[TOLD] = { 0, 0, 0 };

	for (int i = first; i < LOAD_TILE; i += STEP)
		tile[j][i] = column + i < n && row + j < w ?
		    a_columns[(size_t)(column + i) * w + row + j] : 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = first; i < LOAD_TILE && row + i < w; i += STEP) {
		const real x = k < n ? a_rows[(size_t)(row + i) * n + k] : 0;
		const real apart = tile[i][j] - x;

		if (!isfinite(x) || !isfinite(tile[i][j]))
			own[NOT_FINITE] = 1;
		own[LARGEST] = fmax(own[LARGEST], fabs(x));
		own[ASYMMETRY] = fmax(own[ASYMMETRY], fabs(apart));
		to[(size_t)(at + row + i) * ld + k] = x + apart / 2;
	}
	fold(own, told, parts + (size_t)(from + get_group_id(0)) * TOLD);
}

kernel void tridiagonal_scale(global real *restrict x, int power, long count)
{
	const size_t i = get_global_id(0);

	if (i < count)
		x[i] = ldexp(x[i], -power);
}
