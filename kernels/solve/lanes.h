/* lanes.h - a row of A times a column of X by a team of work-items, in twice
 * the precision. Included by kernels only. */
#ifndef KERNELS_SOLVE_LANES_H
#define KERNELS_SOLVE_LANES_H

#include "solve/precise.h"

#define LANES 32		/* items for each row of A */
#define TEAMS 8			/* rows of a group */
#define HELPERS 4		/* lanes that add up the others' sums */

/* The residual of a row of a column, as all its lanes have it in the end. */
struct row {
	wide high, low, size;
};

static struct row row_add(struct row a, struct row b)
{
	const struct sum s = sum_add((struct sum){ a.high, a.low },
	                             (struct sum){ b.high, b.low });

	return (struct row){ s.high, s.low, a.size + b.size };
}

/* This lane's part of row a times x. */
static struct row row_share(global const real *a, global const real *x, int n)
{
	struct row s = { 0, 0, 0 };

	_Pragma("unroll 8")
	for (int k = get_local_id(0); k < n; k += LANES)
		ADD_PRODUCT(wide, s.high, s.low, s.size, (wide)a[k],
		            (wide)x[k]);
	return s;
}

/* The sum over a team's lanes, for its first lane. All items must call it. */
static struct row team_sum(struct row own, local struct row (*all)[LANES])
{
	const int lane = get_local_id(0), team = get_local_id(1);

	all[team][lane] = own;
	barrier(CLK_LOCAL_MEM_FENCE);
	own = (struct row){ 0, 0, 0 };
	for (int k = lane; k < LANES && lane < HELPERS; k += HELPERS)
		own = row_add(own, all[team][k]);
	barrier(CLK_LOCAL_MEM_FENCE);
	all[team][lane] = own;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int k = 1; k < HELPERS && lane == 0; k++)
		own = row_add(own, all[team][k]);
	barrier(CLK_LOCAL_MEM_FENCE);
	return own;
}

#endif
