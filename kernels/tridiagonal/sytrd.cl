/* sytrd.cl - T = Q^T A Q, tridiagonal, of a symmetric matrix A, by panels of
 * Householder reflections H = I - tau v v^T (Dongarra, Sorensen and Hammarling
 * 1989; LAPACK's xLATRD). Within a panel A stays as it is, and the matrix that
 * the panel's columns see is
 *
 *     A - V W^T - W V^T,    w = tau (A v - V (W^T v) - W (V^T v)) + alpha v,
 *                           alpha = -tau/2 (w^T v without its alpha term),
 *
 * with a column of V and W for each column of the panel. The host updates A by
 * one matrix product at the end of a panel.
 *
 *     sytrd_start     x = column 0 of A
 *     sytrd_times     y = A v, s = (W V)^T v and v^T y for the reflection that
 *                     maps column p, which is in x, to (d, e, 0, ...)
 *     sytrd_column    w, and x = column p + 1
 *     sytrd_clean     reflector i becomes row i of an upper triangular matrix
 *
 * A column takes two launches, whose work-groups need nothing from each other:
 * all groups of a launch repeat the short sums that the launch before has left
 * in parts.
 *
 * A is n x n with rows of ld elements, a multiple of BUNDLE; both triangles are
 * filled, so that rows are read in place of columns. V and W lie by rows of ld
 * elements, too: rows 2 j and 2 j + 1 of P are v_j and w_j, those of Q w_j and
 * v_j. So V W^T + W V^T = P^T Q. Reflector p overwrites row p of A from column
 * p + 1 on. Elements of x before column p + 1, and all elements in the padding
 * of rows, are 0.
 *
 * If a column is 0 below its subdiagonal, tau, v and w are 0. t holds the
 * results: the diagonal d of T, its off-diagonal e and tau, n numbers each.
 */
#include "lib/real.h"
#include "lib/wide.h"
#include "shared/tridiagonal_tile.h"

/* A sum of squares that is not larger has lost digits to underflow, and counts
 * as 0; the elements of A are at most about 1. */
#define SMALLEST (sizeof(real) == 8 ? (wide)1e-280 :                         \
                  sizeof(wide) == 8 ? (wide)1e-60 : (wide)1e-30)

/* A column's reflection: v = scale (x - beta e_1), where e_1 is the unit vector
 * of the subdiagonal element. */
enum { BETA, TAU, SCALE, REFLECTION };

/* The reflection of a column with the subdiagonal element alpha, the sum of
 * squares of whose other elements is `sum`. */
static void reflect(wide alpha, wide sum, wide *h)
{
	const int none = !(sum > SMALLEST);
	const wide beta = -copysign(sqrt(alpha * alpha + sum), alpha);

	h[BETA] = none ? alpha : beta;
	h[TAU] = none ? 0 : (beta - alpha) / beta;
	h[SCALE] = none ? 0 : 1 / (alpha - beta);
}

/* The first two steps of a sum over the work-group: after them teams[i] is the
 * sum of x over team i. */
static void team_sums(wide x, local wide *part, local wide *teams)
{
	const int id = get_local_id(0);
	wide sum = 0;

	part[id] = x;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (id % SYTRD_TEAM == 0) {
		for (int i = 0; i < SYTRD_TEAM; i++)
			sum += part[id + i];
		teams[id / SYTRD_TEAM] = sum;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
}

static wide sum_of_teams(const local wide *teams)
{
	wide sum = 0;

	for (int i = 0; i < SYTRD_TEAMS; i++)
		sum += teams[i];
	return sum;
}

kernel __attribute__((reqd_work_group_size(SYTRD_ITEMS, 1, 1)))
void sytrd_start(global const real *restrict a, int n,
                 global real *restrict x, global wide *restrict t,
                 global wide *restrict norms)
{
	local wide part[SYTRD_ITEMS], teams[SYTRD_TEAMS];
	const int id = get_local_id(0);
	const int r = get_group_id(0) * SYTRD_ROWS + id;
	const int is_mine = id < SYTRD_ROWS && r < n;
	const real own = is_mine ? a[r] : 0;

	if (is_mine)
		x[r] = r == 0 ? 0 : own;
	if (is_mine && r == 0)
		t[0] = own;
	team_sums(r >= 2 ? (wide)own * own : 0, part, teams);
	if (id == 0)
		norms[get_group_id(0)] = sum_of_teams(teams);
}

/* The first work-groups have SYTRD_TEAMS rows of y each, one for a team. Group
 * i of the last `count` sums s_i = Q_i v. norms holds `parts` partial sums of
 * squares of x, and products one partial sum of v^T y for each group with
 * rows. */
kernel __attribute__((reqd_work_group_size(SYTRD_ITEMS, 1, 1)))
void sytrd_times(global const real *restrict a, int n, int ld, int p,
                 global const real *restrict x,
                 global const real *restrict q, int count,
                 global const wide *restrict norms, int parts,
                 global real *restrict y, global real *restrict s,
                 global wide *restrict products,
                 global wide *restrict reflection,
                 global wide *restrict t)
{
	local wide part[SYTRD_ITEMS], teams[SYTRD_TEAMS];
	const int id = get_local_id(0), team = id / SYTRD_TEAM;
	const int first = p + 1, group = get_group_id(0);
	const int groups = (n - first + SYTRD_TEAMS - 1) / SYTRD_TEAMS;
	const int in_y = group < groups;
	const int r = first + group * SYTRD_TEAMS + team;
	const int step = (in_y ? SYTRD_TEAM : SYTRD_ITEMS) * BUNDLE;
	const int begin = first / BUNDLE * BUNDLE;
	global const real *row = in_y ? a + (size_t)min(r, n - 1) * ld :
	                                q + (size_t)(group - groups) * ld;
	bundle own = 0;
	wide sum = 0, norm = 0, h[REFLECTION];

#pragma unroll 4
	for (int c = begin + (in_y ? id % SYTRD_TEAM : id) * BUNDLE; c < n;
	     c += step)
		own += *(global const bundle *)(row + c) *
		       *(global const bundle *)(x + c);
	for (int i = id; i < parts; i += SYTRD_ITEMS)
		norm += norms[i];
	team_sums(norm, part, teams);
	reflect(x[first], sum_of_teams(teams), h);
	part[id] = BUNDLE_SUM(own);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (id % SYTRD_TEAM == 0) {
		for (int i = 0; i < SYTRD_TEAM; i++)
			sum += part[id + i];
		if (in_y) {
			const wide v = r == first ? h[SCALE] != 0 :
			    r < n ? h[SCALE] * x[r] : 0;

			sum = h[SCALE] * (sum - h[BETA] * row[first]);
			if (r < n)
				y[r] = sum;
			sum *= v;
		}
		teams[team] = sum;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (id == 0) {
		sum = sum_of_teams(teams);
		if (in_y)
			products[group] = sum;
		else
			s[group - groups] = h[SCALE] *
			                    (sum - h[BETA] * row[first]);
	}
	if (group == 0 && id < REFLECTION)
		reflection[id] = h[id];
	if (group == 0 && id == 0) {
		t[n + p] = h[BETA];
		t[2 * n + p] = h[TAU];
	}
}

/* A work-group has SYTRD_ROWS rows; item (row, slice) sums over every
 * SYTRD_SLICES-th of the `count` rows of P. Rows count and count + 1 of P and Q
 * are made. norms receives a partial sum of squares for each group. */
kernel __attribute__((reqd_work_group_size(SYTRD_ITEMS, 1, 1)))
void sytrd_column(global real *a, int n, int ld, int p,
                  global real *x, global real *pp, global real *q, int count,
                  global const real *restrict y,
                  global const real *restrict s,
                  global const wide *restrict products, int parts,
                  global const wide *restrict reflection,
                  global wide *restrict t, global wide *restrict norms)
{
	local wide part[SYTRD_ITEMS], teams[SYTRD_TEAMS];
	local wide more[SYTRD_ITEMS], more_teams[SYTRD_TEAMS];
	local real by_s[2 * SYTRD_MOST], by_q[2 * SYTRD_MOST];
	local real sums[2][SYTRD_ITEMS];
	const int id = get_local_id(0), first = p + 1;
	const int slice = id / SYTRD_ROWS;
	const int r = first + get_group_id(0) * SYTRD_ROWS + id % SYTRD_ROWS;
	const real scale = reflection[SCALE], tau = reflection[TAU];
	real to_w = 0, to_x = 0, share, w_first, next = 0;
	wide vy = 0, first_sum = 0;

	for (int i = id; i < parts; i += SYTRD_ITEMS)
		vy += products[i];
	if (id < count) {
		const real own = s[id];

		by_s[id] = own;
		by_q[id] = q[(size_t)id * ld + first];
		first_sum = (wide)own * pp[(size_t)id * ld + first];
		vy -= (wide)own * s[id ^ 1];
	}
	team_sums(vy, part, teams);
	team_sums(first_sum, more, more_teams);
	/* w^T v = tau (v^T y - 2 (V^T v).(W^T v)) */
	share = tau * tau * sum_of_teams(teams) / 2;
	w_first = tau * (y[first] - sum_of_teams(more_teams)) - share;
	if (r < n)
		for (int i = slice; i < count; i += SYTRD_SLICES) {
			const real own = pp[(size_t)i * ld + r];

			to_w += own * by_s[i];
			to_x += own * by_q[i];
		}
	sums[0][id] = to_w;
	sums[1][id] = to_x;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (slice == 0 && r < n) {
		const real v = r == first ? tau != 0 : scale * x[r];
		real w;

		for (int i = 1; i < SYTRD_SLICES; i++) {
			to_w += sums[0][i * SYTRD_ROWS + id];
			to_x += sums[1][i * SYTRD_ROWS + id];
		}
		w = tau * (y[r] - to_w) - share * v;
		next = a[(size_t)first * ld + r] - to_x - v * w_first -
		       (tau != 0 ? w : 0);
		pp[(size_t)count * ld + r] = v;
		pp[(size_t)(count + 1) * ld + r] = w;
		q[(size_t)count * ld + r] = w;
		q[(size_t)(count + 1) * ld + r] = v;
		a[(size_t)p * ld + r] = v;
		x[r] = r == first ? 0 : next;
		if (r == first)
			t[first] = next;
	}
	team_sums(r >= first + 2 ? (wide)next * next : 0, part, teams);
	if (id == 0)
		norms[get_group_id(0)] = sum_of_teams(teams);
}

/* An item for each element of a padded row; launched in one dimension. */
kernel void sytrd_clean(global real *a, int ld, long count)
{
	const size_t at = get_global_id(0);

	if (at < count && at % ld <= at / ld)
		a[at] = 0;
}
