/* transpose.cl - B = A^T for a stack of m x n matrices, on any device.
 *
 * A work-group moves a TILE x TILE block through local memory, so that reads
 * and writes both run along rows. The tile has one additional column, so that
 * the elements of a column of it lie in TILE different banks.
 * Launch: (n, m, stack) work-items in groups of (TILE, TILE, 1).
 */
#include "lib/real.h"

#define TILE 16

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void transpose_tile(global const real *restrict a, global real *restrict b,
                    int m, int n)
{
	local real tile[TILE][TILE + 1];
	const size_t k = get_global_id(2) * m * n;
	const int x = get_local_id(0), y = get_local_id(1);
	const int left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;

	/* Beyond the edge the edge is read, so that every item reads. */
	tile[y][x] = a[k + (size_t)min(top + y, m - 1) * n
	    + min(left + x, n - 1)];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (left + y < n && top + x < m)
		b[k + (size_t)(left + y) * m + top + x] = tile[x][y];
}
