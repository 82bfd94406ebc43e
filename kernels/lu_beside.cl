/* lu_beside.cl - the rows of other columns after a panel: see lu_beside.h. */
#define BELOW_DIAGONAL
#include "lu_beside.h"

/* Of a panel in the columns begin to end. Work-group (strip of the others of
 * them, matrix). Its moves are kept for nvidia/lu_block.cl, unless kept is
 * NULL: kept[matrix][panel][2 NB]. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void lu_tile_rows(global real *restrict lu, int m, int n, int j,
                         int begin, int end,
                         global const int *restrict moves,
                         global int *restrict kept)
{
	local struct shared s __attribute__((aligned(32)));
	const int id = get_local_id(0);
	const int width = min(NB, n - j), top = min(NB, m - j);
	const int strip = begin + get_group_id(0) * STRIP;
	const int c = strip + id % STRIP, column = c < j ? c : c + width;
	const bool is_column = column < end;
	global real *a = lu + get_group_id(1) * (size_t)m * n + (size_t)j * n;
	const bool right = strip >= j;
	real x[SHARE], old[SHARE], y[STEP];

	moves_load(s.to, moves + get_group_id(1) * 2 * NB);
	if (right)
		l_load(s.l, a + j, n, top, width, true);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (kept && get_group_id(0) == 0)
		for (int k = id; k < 2 * NB; k += ITEMS)
			kept[(get_group_id(1) * panels(m, n) + j / NB) * 2 *
			     NB + k] = s.to[k];
	rows_fetch(x, old, a + column, n, top, is_column, s.to);
	if (right && id < NB)
		block_invert(y, s.l);
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	rows_give(old, a + column, n, top, is_column, s.to);
	if (right && id < NB)
		block_store(y, s.l);
	if (right)
		rows_solve(x, &s);
	rows_store(x, a + column, n, top, is_column);
}
