/* solve.cl - what solve does around the substitutions, by work-groups for any
 * device and all matrices of a stack at once: it inspects the operands, lays
 * out and permutes right-hand sides, and refines and judges the answer
 * (solve_told.h).
 *
 * A matrix has `columns` right-hand sides (side.h). These, followed by probes,
 * are stored one after the other, x[matrix][column][n]. Most kernels have a
 * work-group of GROUP items for each column of each matrix.
 *
 *     solve_look, solve_most   column sums of A, NaNs
 *     solve_places             P as a permutation
 *     solve_begin              X = P B, and probes
 *     solve_turn               after X = A^-1 B: norms; probes for A^-T
 *     solve_rest_lanes         R = P (B - A X), backward errors
 *     solve_turn_back          after A^-T: probes beside R
 *     solve_step               after A^-1 R: X += R
 *     solve_judge              the verdict
 *     solve_end                X to the answer
 *
 * solve_rest_lanes, solve_judge and solve_end are in judge.cl. */
#include "solve/group.h"

#define BROAD 64		/* columns of a group of solve_look */
#define TALL 256		/* its rows */
#define BESIDE 4		/* of which it reads so many at once */

/* --- the operands */

/* part[matrix][chunk of TALL rows][n] = sums of |a| down the columns; bad:
 * flags of a's matrices. Group (BROAD columns, chunk, matrix). */
__attribute__((reqd_work_group_size(BROAD, BESIDE, 1)))
kernel void solve_look(global const real *restrict a, int n,
                       global wide *restrict part, global int *restrict bad)
{
	local wide sums[BESIDE][BROAD];
	const int j = get_global_id(0), y = get_local_id(1);
	const int row = get_group_id(1) * TALL, end = min(row + TALL, n);
	const size_t matrix = get_group_id(2);
	wide sum = 0;
	real rest = 0;

	a += matrix * n * n;
	_Pragma("unroll 8")
	for (int i = row + y; i < end; i += BESIDE) {
		const real v = j < n ? a[(size_t)i * n + j] : 0;

		sum += fabs(v);
		rest += v * 0;
	}
	if (isnan(rest))
		atomic_or(bad + matrix, 1);
	sums[y][get_local_id(0)] = sum;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (y > 0 || j >= n)
		return;		/* no barrier follows */
	for (int k = 1; k < BESIDE; k++)
		sum += sums[k][get_local_id(0)];
	part[(matrix * get_num_groups(1) + get_group_id(1)) * n + j] = sum;
}

/* most[matrix][group] = the largest column sum; item (column, matrix). */
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void solve_most(global const wide *restrict part, int n, int chunks,
                       global wide *restrict most)
{
	local struct look all[GROUP];
	const size_t matrix = get_group_id(1);
	const int j = min((int)get_global_id(0), n - 1);
	struct look s = LOOK_NONE;
	wide sum = 0;

	part += matrix * chunks * n;
	for (int k = 0; k < chunks; k++)
		sum += part[(size_t)k * n + j];
	look_at(&s, sum, 0);
	s = group_look(s, all);
	if (get_local_id(0) == 0)
		most[matrix * get_num_groups(0) + get_group_id(0)] = s.most;
}

/* --- right-hand sides */

/* Applies the swaps in reverse, the last one first, which gives each row's
 * destination. */
static void places_tell(global const int *swaps, int n, global int *place)
{
	for (int i = 0; i < n; i++)
		place[i] = i;
	for (int k = n - 1; k >= 0; k--) {
		const int r = swaps[k], t = place[k];

		place[k] = place[r];
		place[r] = t;
	}
}

/* place[matrix][n]: row i of A is row place[i] of P A. Item (row, matrix), or
 * an item per matrix. */
kernel void solve_places(global const int *restrict swaps, int n,
                         global int *restrict place)
{
	const size_t matrix = get_global_id(1);
	const int row = get_global_id(0);

	swaps += matrix * n;
	place += matrix * n;
	if (get_global_size(0) == 1)
		places_tell(swaps, n, place);
	else if (row < n)
		place[row] = place_of(row, swaps, n);
}

/* X = P B, transposed to one column after the other, followed by the probes;
 * most: see norm_of(). Item (row, column, matrix). bad: flags of b's matrices,
 * from index `matrices` on. */
kernel void solve_begin(global const real *restrict b, int n, int sides,
                        global const int *restrict members,
                        global const int *restrict from, int columns,
                        global const int *restrict place,
                        global const wide *restrict most, int parts,
                        int matrices, global int *restrict bad,
                        global real *restrict x)
{
	const int i = get_global_id(0), q = get_global_id(1);
	const size_t matrix = get_global_id(2);
	const struct sides s = sides_of(b, n, sides, members, from, columns,
	                                matrix);
	real v;

	if (i >= n)
		return;
	if (q >= columns) {
		v = probe_scale(norm_of(most, parts, matrix)) *
		    probe_sign(i, q - columns);
	} else {
		v = sides_column(&s, q)[(size_t)i * sides];
		if (isnan(v * 0))
			atomic_or(bad + matrices + sides_matrix(&s, q), 1);
	}
	x[(matrix * get_global_size(1) + q) * n +
	  place[matrix * (size_t)n + i]] = v;
}

/* --- probes */

static struct look column_look(global const real *x, int n,
                               local struct look *all)
{
	struct look s = LOOK_NONE;

	_Pragma("unroll 4")
	for (int i = get_local_id(0); i < n; i += GROUP)
		look_at(&s, x[i], i);
	return group_look(s, all);
}

/* After the first X: computes the norms of its columns; from each column of Y
 * its estimate of |A^-1|, and z, two probes for A^-T: the signs of Y, and a row
 * of the identity where Y is largest. Group (column, matrix). */
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void solve_turn(global const real *restrict x, int n, int columns,
                       global const wide *restrict most, int parts,
                       global wide *restrict told,
                       global wide *restrict about,
                       global real *restrict z)
{
	local struct look all[GROUP];
	const int q = get_group_id(0), c = q - columns;
	const size_t matrix = get_group_id(1);
	const size_t stride = get_num_groups(0);
	global const real *own = x + (matrix * stride + q) * n;
	const struct look s = column_look(own, n, all);
	real scale;

	if (c < 0) {
		global wide *to = column_told(about, columns, matrix, q);

		if (get_local_id(0) > 0)
			return;		/* no barrier follows */
		to[COLUMN_MAX] = s.most;
		to[COLUMN_SUM] = s.sum;
		to[COLUMN_STATE] = STATE_ACTIVE;
		to[COLUMN_STEPS] = 0;
		return;
	}
	scale = probe_scale(norm_of(most, parts, matrix));
	z += (matrix * SOLVE_TURNED + c) * n;
	for (int i = get_local_id(0); i < n; i += GROUP) {
		z[i] = copysign(scale, own[i]);
		z[(size_t)SOLVE_PROBES * n + i] = i == s.at ? scale : 0;
	}
	if (get_local_id(0) == 0)
		told[matrix * TOLD_LENGTH + TOLD_PROBES + c] = s.sum / n;
}

/* After A^-T: makes from z, in rows of P A, the probes behind the right-hand
 * sides r: columns of the identity where Z is largest, and W sign(G). Group
 * (probe, matrix). */
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void solve_turn_back(global const real *restrict z, int n, int columns,
                            global const int *restrict place,
                            global const real *restrict weight,
                            global const wide *restrict most, int parts,
                            global wide *restrict told,
                            global real *restrict r)
{
	local struct look all[GROUP];
	const int c = get_group_id(0);
	const size_t matrix = get_group_id(1);
	global const real *own = z + (matrix * SOLVE_TURNED + c) * n;
	const struct look s = column_look(own, n, all);
	const real scale = probe_scale(norm_of(most, parts, matrix));

	r += (matrix * (columns + SOLVE_TURNED) + columns + c) * n;
	place += matrix * n;
	weight += matrix * n;
	for (int i = get_local_id(0); i < n; i += GROUP) {
		const int p = place[i];

		r[p] = c >= SOLVE_PROBES ? copysign(weight[i], own[p]) :
		       p == s.at ? scale : 0;
	}
	if (get_local_id(0) == 0 && c < SOLVE_PROBES)
		told[matrix * TOLD_LENGTH + TOLD_PROBES + SOLVE_PROBES + c] =
			s.most;
}

/* --- refinement */

/* Moves column x by a step, or back; keeps the previous x. */
static void column_step(global real *x, global real *old,
                        global const real *d, int n, int state)
{
	for (int i = get_local_id(0); i < n && state != STATE_DONE;
	     i += GROUP) {
		const real before = x[i];

		x[i] = state == STATE_BACK ? old[i] : before + d[i];
		old[i] = before;
	}
}

/* After A^-1 R: X += R, the norms of X, and, if there are probes, their last
 * estimates. A matrix has x_columns columns in x and r_columns in r. Group
 * (column of r, matrix). */
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void solve_step(global real *restrict x, int x_columns,
                       global real *restrict old,
                       global const real *restrict r, int r_columns, int n,
                       int columns, global wide *restrict told,
                       global wide *restrict about)
{
	local struct look all[GROUP];
	const int q = get_group_id(0), c = q - columns;
	const size_t matrix = get_group_id(1);
	global real *own = x + (matrix * x_columns + q) * n;
	global wide *to = column_told(about, columns, matrix, q);
	struct look s;

	r += (matrix * r_columns + q) * n;
	if (c < 0)
		column_step(own, old + (matrix * columns + q) * n, r, n,
		            to[COLUMN_STATE]);
	barrier(CLK_GLOBAL_MEM_FENCE);
	s = column_look(c < 0 ? (global const real *)own : r, n, all);
	if (get_local_id(0) > 0)
		return;		/* no barrier follows */
	if (c < 0) {
		to[COLUMN_MAX] = s.most;
		to[COLUMN_SUM] = s.sum;
	} else {
		told += matrix * TOLD_LENGTH + TOLD_PROBES + SOLVE_TURNED;
		told[c] = c < SOLVE_PROBES ? s.sum : s.most;
	}
}
