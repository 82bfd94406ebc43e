/* beside.cl - applies a panel to the rows of other columns: see beside.h. */
#define BELOW_DIAGONAL
#include "lu/beside.h"

/* Applies the panel at j to the columns begin to end. Work-group (strip of
 * those that are not the panel's, matrix). Its moves are kept for
 * lu/nvidia/block.cl, unless kept is NULL. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void lu_tile_rows(global real *restrict lu, int m, int n, int j,
                         int begin, int end,
                         global const int *restrict moves,
                         global int *restrict kept)
{
	local struct shared s __attribute__((aligned(32)));
	const int c = begin + get_group_id(0) * STRIP;
	const size_t matrix = get_group_id(1);

	moves_load(s.to, moves + matrix * 2 * NB);
	if (kept && get_group_id(0) == 0)
		moves_keep(kept, matrix, m, n, j, &s);
	strip_apply_panel(lu + matrix * m * n, m, n, j,
	            c < j ? c : c + min(NB, n - j), end, &s);
}
