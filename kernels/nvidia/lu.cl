/* lu.cl - a panel in the registers of as many multiprocessors as it needs
 * (see lu_resident.h and lu_spread.h). Work-group (part of the panel, matrix
 * of the stack). */
#include "lu_tile.h"

#define NB LU_NB
#define ITEMS LU_SPREAD_ITEMS
#define SLOTS (ITEMS / 32)
#define SPREAD

#include "lu_resident.h"

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void lu_spread_panel(global real *restrict lu, int m, int n, int j,
                            int pivoting, global int *restrict swaps,
                            global int *restrict moves,
                            global real4 *restrict stash, int groups,
                            global ulong2 *restrict post)
{
	local struct shared s;
	const size_t matrix = get_group_id(0) / groups;
	const struct team team = {
		get_group_id(0) % groups, groups, pivoting, j,
		stash + matrix * groups * GROUP_ROWS * (NB / QUAD),
		post + matrix * 2 * groups * LINES,
	};

	panel(lu + matrix * m * n, m, n, swaps + matrix * min(m, n),
	      moves + matrix * 2 * NB, &team, &s);
}
