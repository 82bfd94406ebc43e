/* ratio.cl - LAPACK's ratio |b - A x| / (n |A| |x| eps) in the 1-norm, without
 * the factor n eps, of every right-hand side of an answer: from the operands
 * alone, whatever variant computed the answer. */
#include "solve/group.h"

/* to[i] = i */
kernel void solve_count(global int *restrict to)
{
	to[get_global_id(0)] = get_global_id(0);
}

/* The right-hand sides of a b or x in the wide type, one after the other:
 * to[system][side][n]. Item (row, side, system). */
kernel void solve_widen(global const real *restrict x, int n,
                        global const int *restrict from,
                        global wide *restrict to)
{
	const size_t i = get_global_id(0), c = get_global_id(1);
	const size_t system = get_global_id(2), sides = get_global_size(1);

	if (i < n)
		to[(system * sides + c) * n + i] =
			x[(from[system] * (size_t)n + i) * sides + c];
}

/* defect = |b - A x|; work-group (row, side, system) of any size. */
kernel void solve_defect(global const real *restrict a,
                         global const int *restrict which,
                         global const wide *restrict x,
                         global const wide *restrict b,
                         global wide *restrict defect, local wide *part)
{
	const size_t i = get_group_id(0), n = get_num_groups(0);
	const size_t system = get_group_id(2);
	const size_t at = (system * get_num_groups(1) + get_group_id(1)) * n;
	const wide sum = group_sum(row_dot(a + (which[system] * n + i) * n, 0,
	                                   n, x + at), part);

	if (get_local_id(0) == 0)
		defect[at + i] = fabs(b[at + i] - sum);
}

/* ratio[system][side]; most: see norm_of(). Work-group (side, system) of any
 * size. */
kernel void solve_ratio(global const wide *restrict defect,
                        global const wide *restrict x, int n,
                        global const wide *restrict most, int parts,
                        global const int *restrict which,
                        global wide *restrict ratio, local wide *part)
{
	const size_t system = get_group_id(1);
	const size_t c = system * get_num_groups(0) + get_group_id(0);
	wide above = 0, below = 0;

	for (int i = get_local_id(0); i < n; i += get_local_size(0)) {
		above += defect[c * n + i];
		below += fabs(x[c * n + i]);
	}
	above = group_sum(above, part);
	below = group_sum(below, part);
	if (get_local_id(0) == 0)
		ratio[c] = above == 0 ? 0 :
		           above / below / norm_of(most, parts, which[system]);
}
