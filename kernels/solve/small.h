/* small.h - substitution and sums by a work-group that has a small matrix to
 * itself, for small.cl. Item i has row i, of A or of P A, in LANES columns at a
 * time: LANES right-hand sides, or one with the probes of solve_told.h. The
 * factors are in local memory. Included by kernels only. */
#ifndef KERNELS_SOLVE_SMALL_H
#define KERNELS_SOLVE_SMALL_H

#define GROUP 64
#include "solve/group.h"
#include "solve/precise.h"

#define ROWS GROUP
#define LANES (SOLVE_TURNED + 1)

/* A matrix: its operands, and its part of local memory. */
struct small {
	struct sides of;
	global const real *a;
	global real *x, *old, *r;	/* [columns][n] */
	global wide *about, *told;
	int n;
	bool judged;
	wide norm;
	real scale;
	local real (*lu)[ROWS + 1];
	local real (*shown)[2 * ROWS];	/* broadcasts, in LANES columns */
	local real *row;		/* a column, or W */
	local int *place, *back;	/* row i of A is place[i] of P A */
	local struct look *all;
};

/* Broadcasts item k's numbers. Every item writes, each to its own place. */
static void lanes_show(const struct small *s, const real v[LANES], int k,
                       real y[LANES])
{
	const int i = get_local_id(0);

	_Pragma("unroll")
	for (int c = 0; c < LANES; c++)
		s->shown[c][i == k ? k : ROWS + i] = v[c];
	barrier(CLK_LOCAL_MEM_FENCE);
	_Pragma("unroll")
	for (int c = 0; c < LANES; c++)
		y[c] = s->shown[c][k];
}

/* v = T^-1 v for a triangle T of the factors, or its transpose. Steps go from
 * the first row on, or from the last row back; a unit triangle does not read
 * the diagonal. */
static void triangle_solve(const struct small *s, real v[LANES],
                           bool transposed, bool backward, bool ones)
{
	const int i = get_local_id(0), row = min(i, s->n - 1);

	for (int t = 0; t < s->n; t++) {
		const int k = backward ? s->n - 1 - t : t;
		const bool left = i < s->n && (backward ? i < k : i > k);
		const real m = transposed ? s->lu[k][row] : s->lu[row][k];
		const real pivot = ones ? 1 : s->lu[k][k];
		real y[LANES];

		_Pragma("unroll")
		for (int c = 0; c < LANES; c++)
			v[c] = i == k ? v[c] / pivot : v[c];
		lanes_show(s, v, k, y);
		_Pragma("unroll")
		for (int c = 0; c < LANES; c++)
			v[c] -= left ? m * y[c] : 0;
	}
	barrier(CLK_LOCAL_MEM_FENCE);	/* before the next broadcast */
}

/* v = A^-1 P^T v */
static void lanes_solve(const struct small *s, real v[LANES])
{
	triangle_solve(s, v, false, false, true);
	triangle_solve(s, v, false, true, false);
}

/* v = P A^-T v */
static void lanes_solve_transposed(const struct small *s, real v[LANES])
{
	triangle_solve(s, v, true, false, false);
	triangle_solve(s, v, true, true, true);
}

/* The sum and the largest of the moduli of the first n items. */
static struct look items_look(const struct small *s, wide x)
{
	struct look own = LOOK_NONE;
	const int i = get_local_id(0);

	own.at = i;
	if (i < s->n)
		look_at(&own, x, i);
	return group_look(own, s->all);
}

/* Right-hand sides are taken LANES at a time, but the first alone if there are
 * probes beside it: the first of turn t, and their number. */
static int turn_first(const struct small *s, int t)
{
	return s->judged ? max(0, t - 1) * LANES + (t > 0) : t * LANES;
}

static int turn_count(const struct small *s, int t)
{
	return max(min(s->judged && t == 0 ? 1 : LANES,
	               s->of.columns - turn_first(s, t)), 0);
}

static bool has_turn(const struct small *s, int t)
{
	return turn_count(s, t) > 0 || (s->judged && t == 0);
}

/* Reports the norms of column q, of which the item has x. */
static void column_tell(const struct small *s, int q, real x)
{
	const struct look seen = items_look(s, x);
	global wide *about = s->about + q * COLUMN_LENGTH;

	if (get_local_id(0) == 0) {
		about[COLUMN_MAX] = seen.most;
		about[COLUMN_SUM] = seen.sum;
	}
	barrier(CLK_GLOBAL_MEM_FENCE);
}

#endif
