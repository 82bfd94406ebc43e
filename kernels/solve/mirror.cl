/* mirror.cl - makes symmetric matrices B from the lower triangles of a stack of
 * n x n matrices A. A's upper triangle has no effect.
 *
 * As in kernels/transpose/transpose.cl, a work-group moves a TILE x TILE block
 * through local memory, so that reads and writes run along rows, and the
 * additional column has the elements of a column lie in TILE different banks.
 * Launch: (n, n, stack) work-items in groups of (TILE, TILE, 1).
 */
#include "lib/real.h"

#define TILE 16

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void solve_mirror(global const real *restrict a, global real *restrict b,
                  int n)
{
	local real tile[TILE][TILE + 1];
	const size_t k = get_global_id(2) * n * n;
	const int x = get_local_id(0), y = get_local_id(1);
	const int left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
	const int i = top + y, j = left + x;

	/* A work-item beyond the matrix's edge reads an element at the edge. */
	tile[y][x] = a[k + (size_t)min(left + y, n - 1) * n
	    + min(top + x, n - 1)];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (i < n && j < n)
		b[k + (size_t)i * n + j] = i >= j ? a[k + (size_t)i * n + j] :
		                           tile[x][y];
}
