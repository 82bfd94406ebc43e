/* alone.h - LU_ALONE, the kernel that factors a panel in the registers of one
 * work-group (see resident.h). Work-group (matrix of the stack). Included by
 * kernels only, which define what resident.h needs. */
#ifndef KERNELS_LU_ALONE_H
#define KERNELS_LU_ALONE_H

#include "lu/resident.h"

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void LU_ALONE(global real *restrict lu, int m, int n, int j,
                     int pivoting, global int *restrict swaps,
                     global int *restrict moves,
                     global real4 *restrict stash)
{
	local struct shared s;
	const size_t matrix = get_group_id(0);

	panel(lu + matrix * m * n, m, n, j, pivoting,
	      swaps + matrix * min(m, n), moves + matrix * 2 * NB,
	      stash + matrix * GROUP_ROWS * (NB / QUAD), &s);
}

#endif
