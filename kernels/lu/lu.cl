/* lu.cl - P A = L U by work-groups and local memory, for any device.
 *
 *          j   NB     end         in place, row-major, a stack at once:
 *      +---+----+-----+---+
 *      |   |    | U12 |   |   tall.cl, ...     the panel
 *      |   | A1 +-----+   |   lu_tile_rows     its interchanges elsewhere, and
 *      |   |    | A22 |   |                    U12 = L11^-1 A12: beside.cl
 *      +---+----+-----+---+   lu_tile_update   A22 -= L21 U12
 *
 * Columns from `end` on are updated after a whole block of panels
 * (src/ops/lu/deferred.h), or there are none.
 *
 * A panel leaves `moves`, its interchanges for the other columns: row k of its
 * top NB comes from row moves[k] of it, and what row k held goes to row
 * moves[NB + k].
 *
 * All items of a work-group pass the same barriers: bounds are checked between
 * barriers, never around them.
 */
#include "lu/pivot.h"
#include "shared/lu_tile.h"

#define NB LU_NB
#define TILE LU_TILE
#define SIDE LU_TILE_SIDE
#define EACH (TILE / SIDE)	/* elements an item, both ways */
#define DEPTH (128 / (int)sizeof(real))	/* of local tiles; divides NB */
#define SECTOR (32 / (int)sizeof(real))	/* elements read side by side */

/* Work-group (tile column, tile row, matrix) of SIDE x SIDE items; an item has
 * EACH neighbouring rows and every SIDE-th column. Rows beyond the matrix and
 * columns from `end` on are read as zeros and not written. */
__attribute__((reqd_work_group_size(SIDE, SIDE, 1)))
kernel void lu_tile_update(global real *restrict lu, int m, int n, int j,
                           int end)
{
	local real l[DEPTH][TILE + 4] __attribute__((aligned(32)));
	local real u[DEPTH][TILE];
	const int ix = get_local_id(0), iy = get_local_id(1);
	const int id = iy * SIDE + ix;
	const int top = j + NB + get_group_id(1) * TILE;
	const int left = j + NB + get_group_id(0) * TILE;
	const int row = top + EACH * iy, column = left + ix;
	global real *a = lu + get_global_id(2) * (size_t)m * n;
	real x[EACH][EACH];

	_Pragma("unroll")
	for (int r = 0; r < EACH; r++)
		_Pragma("unroll")
		for (int c = 0; c < EACH; c++) {
			const int i = row + r, h = column + c * SIDE;

			x[r][c] = i < m && h < end ? a[(size_t)i * n + h] : 0;
		}
	_Pragma("unroll 1")
	for (int k = j; k < j + NB; k += DEPTH) {
		_Pragma("unroll")
		for (int i = 0; i < DEPTH * TILE / (SIDE * SIDE); i++) {
			const int t = id + i * SIDE * SIDE;
			const int q = t % SECTOR + t / (SECTOR * TILE) * SECTOR;
			const int r = t / SECTOR % TILE, v = t / TILE;
			const int h = left + t % TILE;

			l[q][r] = top + r < m ?
			          a[(size_t)(top + r) * n + k + q] : 0;
			u[v][t % TILE] = h < end ?
			                 a[(size_t)(k + v) * n + h] : 0;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		_Pragma("unroll 4")
		for (int q = 0; q < DEPTH; q++) {
			const real4 y = *(local const real4 *)&l[q][EACH * iy];

			_Pragma("unroll")
			for (int c = 0; c < EACH; c++) {
				const real z = u[q][ix + c * SIDE];

				x[0][c] -= y.x * z;
				x[1][c] -= y.y * z;
				x[2][c] -= y.z * z;
				x[3][c] -= y.w * z;
			}
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	_Pragma("unroll")
	for (int r = 0; r < EACH; r++)
		_Pragma("unroll")
		for (int c = 0; c < EACH; c++) {
			const int i = row + r, h = column + c * SIDE;

			if (i < m && h < end)
				a[(size_t)i * n + h] = x[r][c];
		}
}
