/* judge.cl - solve by work-groups (solve.cl): the residual, the verdict, and
 * the answer. */
#include "solve/group.h"
#include "solve/lanes.h"

/* A group's result for its rows of a column. */
struct tally {
	wide backward, sum;	/* the largest backward error, |r|_1 */
};

static struct tally tally_add(struct tally a, struct tally b)
{
	return (struct tally){ larger(a.backward, b.backward), a.sum + b.sum };
}

/* R = P (B - A X) by work-groups of TEAMS rows. The first item of each group
 * stores the rows' backward error and |r|_1 in part, [matrix][column][group],
 * and the first lane of each team its row of W: that of the probes or, later,
 * that of the forward error. weight is NULL, and parts 0, where there are no
 * probes; most: see norm_of(). Group (rows, matrix). */
__attribute__((reqd_work_group_size(LANES, TEAMS, 1)))
kernel void solve_rest_lanes(global const real *restrict a,
                             global const real *restrict b, int n, int sides,
                             global const int *restrict members,
                             global const int *restrict from, int columns,
                             global const real *restrict x, int x_columns,
                             global const int *restrict place,
                             global const wide *restrict about, int later,
                             global real *restrict weight,
                             global const wide *restrict most, int parts,
                             global real *restrict r, int r_columns,
                             global wide *restrict part)
{
	local struct row all[TEAMS][LANES];
	local struct tally tallies[TEAMS];
	const int lane = get_local_id(0), team = get_local_id(1);
	const int row = get_group_id(1) * TEAMS + team, i = min(row, n - 1);
	const size_t matrix = get_group_id(2), groups = get_num_groups(1);
	const struct sides s = sides_of(b, n, sides, members, from, columns,
	                                matrix);
	const wide unit = weight_scale(norm_of(most, parts, matrix));
	wide heavy = 0;

	a += (matrix * n + i) * n;
	x += matrix * x_columns * n;
	r += matrix * r_columns * n + place[matrix * n + i];
	for (int q = 0; q < columns; q++) {
		const struct row sum = team_sum(row_share(a, x + (size_t)q * n,
		                                          n), all);
		const wide own = sides_column(&s, q)[(size_t)i * sides];
		const wide inverse = weight_inverse(column_told(
			(global wide *)about, columns, matrix, q)[COLUMN_MAX])
			* unit;
		const struct sum rest = sum_add((struct sum){ sum.high,
		                                              sum.low },
		                                (struct sum){ -own, 0 });
		const wide d = -(rest.high + rest.low);
		const wide size = sum.size + fabs(own);

		heavy = fmax(heavy, later ?
		             forward_weight_wide(d, size, n, inverse) :
		             size * inverse);
		if (lane == 0) {
			tallies[team] = row < n ? (struct tally){
				backward_error_wide(d, size, n), fabs(d)
			} : (struct tally){ 0, 0 };
			if (row < n)
				r[(size_t)q * n] = (real)d;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		if (lane + team == 0) {
			struct tally t = tallies[0];
			global wide *to = part + ((matrix * columns + q) *
			                          groups + get_group_id(1)) * 2;

			for (int k = 1; k < TEAMS; k++)
				t = tally_add(t, tallies[k]);
			to[0] = t.backward;
			to[1] = t.sum;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (lane == 0 && row < n && weight)
		weight[matrix * n + i] = (real)heavy;
}

/* --- the verdict */

/* Combines the `parts` tallies of a column. */
static struct tally column_tally(global const wide *part, int parts,
                                 local struct look *all)
{
	struct look s = { 0, 0, 0 };

	for (int k = get_local_id(0); k < parts; k += GROUP) {
		s.most = larger(part[2 * k], s.most);
		s.sum += part[2 * k + 1];
	}
	s = group_look(s, all);
	return (struct tally){ s.most, s.sum };
}

/* An estimate of |A^-1| W for the last W (solve_told.h); z: G, in rows of P
 * A. */
static wide forward_error(global const real *z, int n,
                          global const int *place, global const real *first,
                          global const real *last, wide power, real scale,
                          local struct look *all)
{
	struct look one = { 0, 0, 0 }, two = { 0, 0, 0 };

	z += (size_t)SOLVE_PROBES * n;
	for (int i = get_local_id(0); i < n; i += GROUP) {
		const wide w = last[i], v = first[i];
		const int p = place[i];

		one.sum += fabs((wide)z[p]) * (w / scale);
		two.sum += fabs((wide)z[(size_t)n + p]) * (w / scale);
		one.most = v > 0 ? fmax(one.most, w / v) : one.most;
	}
	one = group_look(one, all);
	two = group_look(two, all);
	return larger(larger(one.sum, two.sum), one.most * power);
}

/* The first column with a zero pivot, or -1. */
static int zero_pivot(global const real *lu, int n, local int *first)
{
	int own = INT_MAX;

	if (get_local_id(0) == 0)
		*first = INT_MAX;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = get_local_id(0); i < n; i += GROUP)
		own = lu[(size_t)i * n + i] == 0 ? min(own, i) : own;
	atomic_min(first, own);
	barrier(CLK_LOCAL_MEM_FENCE);
	return *first == INT_MAX ? -1 : *first;
}

/* Computes the norm and the condition from the probes' results; by one item. */
static void probes_tell(wide norm, real scale, global wide *told)
{
	global const wide *found = told + TOLD_PROBES;
	wide most = 0;

	for (int i = 0; i < SOLVE_TURNED + SOLVE_PROBES; i++)
		most = larger(found[i], most);
	told[TOLD_NORM] = norm;
	told[TOLD_CONDITION] = most * (norm / scale);
}

/* The verdict after a step, which `step` counts from 1. before, part: the
 * tallies of `parts` groups before and after it; without probes `parts` is 0.
 * all: GROUP of them. It is an argument because of PoCL 3: where static
 * functions get the address of an array of a single kernel, its compiler puts
 * that address into their bodies, and all threads share the array. told and
 * about are not restrict for the reason given at solve_small (small.cl). Group
 * (matrix). */
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void solve_judge(global const real *restrict b, int n, int sides,
                        global const int *restrict members,
                        global const int *restrict from, int columns,
                        global const real *restrict lu,
                        global const wide *restrict before,
                        global const wide *restrict part, int groups,
                        int step, global const int *restrict place,
                        global const wide *restrict most, int parts,
                        global const real *restrict z,
                        global const real *restrict first,
                        global const real *restrict last, int matrices,
                        global const int *restrict bad,
                        global wide *told, global wide *about,
                        local struct look *all)
{
	local int found;
	const size_t matrix = get_group_id(0);
	const struct sides s = sides_of(b, n, sides, members, from, columns,
	                                matrix);
	const wide norm = parts > 0 ? norm_of(most, parts, matrix) : 1;
	const real scale = probe_scale(norm);
	const int column = zero_pivot(lu + matrix * n * n, n, &found);
	global wide *its = told + matrix * TOLD_LENGTH;
	wide forward = 0;

	about = column_told(about, columns, matrix, 0);
	before += matrix * columns * groups * 2;
	part += matrix * columns * groups * 2;
	for (int q = 0; q < columns; q++) {
		const struct tally old = column_tally(
			(step == 1 ? before : part) + (size_t)q * groups * 2,
			groups, all);
		const struct tally now = column_tally(
			part + (size_t)q * groups * 2, groups, all);

		if (get_local_id(0) > 0)
			continue;
		if (step == 1)
			column_first(about + q * COLUMN_LENGTH, old.backward);
		column_judge(about + q * COLUMN_LENGTH, now.backward,
		             now.sum);
	}
	barrier(CLK_GLOBAL_MEM_FENCE);
	if (parts > 0)
		forward = forward_error(z + matrix * SOLVE_TURNED * n, n,
		                        place + matrix * n, first + matrix * n,
		                        last + matrix * n,
		                        larger(its[TOLD_PROBES + 6],
		                               its[TOLD_PROBES + 7]), scale,
		                        all) / weight_scale(norm);
	if (get_local_id(0) == 0) {
		its[TOLD_NONFINITE] = bad[matrix];
		its[TOLD_COLUMN] = column;
		if (parts > 0)
			probes_tell(norm, scale, its);
	}
	columns_tell(&s, about, norm, forward, bad + matrices, its,
	             told + (size_t)matrices * TOLD_LENGTH, all);
}

/* --- the answer */

/* Writes X row by row; item (row, column, matrix). */
kernel void solve_end(global const real *restrict x, int x_columns, int n,
                      int sides, global const int *restrict members,
                      global const int *restrict from, int columns,
                      global real *restrict answer)
{
	const int i = get_global_id(0), q = get_global_id(1);
	const size_t matrix = get_global_id(2);
	const struct sides s = sides_of(answer, n, sides, members, from,
	                                columns, matrix);

	if (i < n)
		sides_answer(&s, q, answer)[(size_t)i * sides] =
			x[(matrix * x_columns + q) * n + i];
}
