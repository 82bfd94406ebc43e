/* judge.h - estimates on a CPU how accurate the answers of one matrix are: the
 * probes of solve_told.h, and the verdict on every column. */
#ifndef KERNELS_SOLVE_JUDGE_H
#define KERNELS_SOLVE_JUDGE_H

#include "lu/panel.h"
#include "solve/cpu.h"
#include "solve/transposed.h"

#if VW == 16
typedef float2 real2;
typedef int4 lane4;
#else
typedef double2 real2;
typedef long4 lane4;
#endif

static real element(real4 v, int c)
{
	return ((const real *)&v)[c];
}

/* Sums and maxima of the columns of the probes. */
struct look {
	real4 sum;		/* of the moduli */
	real4 most;		/* the largest modulus */
	lane4 row;		/* the first row that has it */
};

#define LOOK_NONE { 0, -1, 0 }

static void look_at(struct look *s, real4 x, int i)
{
	const real4 v = fabs(x);
	const lane4 better = v > s->most;

	s->sum += v;
	s->most = select(s->most, v, better);
	s->row = select(s->row, (lane4)i, better);
}

/* The largest modulus of column c, or NaN if it contains one. */
static wide look_most(const struct look *s, int c)
{
	const real sum = element(s->sum, c);

	return isnan(sum) ? sum : element(s->most, c);
}

static int look_row(const struct look *s, int c)
{
	return (int)((const lane *)&s->row)[c];
}

/* The probes among the strips, VW elements a row. */
static global real *probes_in(const struct work *w, global real *strips)
{
	return lane_of(w, strips, w->probe);
}

/* Before the second turn: sets the probes to the signs of Y, and to rows of the
 * identity where Y is largest; returns the estimate of s |A^-1| from Y. */
static wide turn_begin(const struct work *w, real scale)
{
	global const real *y = probes_in(w, w->strips);
	global real4 *p = turned_probes(w);
	struct look s = LOOK_NONE;
	wide most = 0;

	for (int i = 0; i < w->n; i++) {
		const real4 v = vload4(0, y + (size_t)i * VW);

		look_at(&s, v, i);
		p[i] = (real4)(copysign((real2)scale, v.lo), 0, 0);
	}
	for (int i = w->n; i % VW != 0; i++)
		p[i] = 0;
	for (int c = 0; c < SOLVE_PROBES; c++) {
		global real4 *row = p + look_row(&s, c);

		((global real *)row)[SOLVE_PROBES + c] = scale;
		most = larger((wide)element(s.sum, c) / w->n, most);
	}
	return most;
}

/* Before the third turn: sets the lanes of the probes beside the remainders to
 * columns of the identity where Z is largest, and to W sign(G); returns the
 * estimate from Z. */
static wide turn_end(const struct work *w, real scale)
{
	global const real4 *z = turned_probes(w);
	global const real *weight = column_of(w, w->at.first, 0);
	global real *r = probes_in(w, strips_of_rest(w));
	struct look s = LOOK_NONE;
	wide most = 0;

	for (int i = 0; i < w->n; i++) {
		look_at(&s, z[i], i);
		vstore4((real4)(0, 0, copysign((real2)weight[i], z[i].hi)), 0,
		        r + (size_t)i * VW);
	}
	for (int c = 0; c < SOLVE_PROBES; c++) {
		r[(size_t)look_row(&s, c) * VW + c] = scale;
		most = larger(look_most(&s, c), most);
	}
	return most;
}

/* Solves the second turn; needs W of the first X. */
static void probes_turn(const struct work *w, global wide *told)
{
	const real scale = probe_scale(told[TOLD_NORM]);
	const wide first = turn_begin(w, scale);

	upper_transposed(w->t, w->ld, w->n, turned_probes(w));
	lower_transposed(w->t, w->ld, w->n, w->nb, w->swaps,
	                 turned_probes(w));
	told[TOLD_CONDITION] = larger(turn_end(w, scale), first) *
	                       (told[TOLD_NORM] / scale);
}

/* After the third turn: takes its estimate of |A^-1|, and the largest element
 * of A^-1 W sign(G). */
static void probes_end(const struct work *w, global wide *told)
{
	const real scale = probe_scale(told[TOLD_NORM]);
	global const real *r = probes_in(w, strips_of_rest(w));
	wide inverse = 0, power = 0;
	struct look s = LOOK_NONE;

	for (int i = 0; i < w->n; i++)
		look_at(&s, vload4(0, r + (size_t)i * VW), i);
	for (int c = 0; c < SOLVE_PROBES; c++) {
		inverse = larger((wide)element(s.sum, c), inverse);
		power = larger(look_most(&s, SOLVE_PROBES + c), power);
	}
	told[TOLD_CONDITION] = larger(inverse * (told[TOLD_NORM] / scale),
	                              told[TOLD_CONDITION]);
	told[TOLD_POWER] = power;
}

/* An estimate of |A^-1| W for the last W: from rows G of A^-1, and from the
 * probes' result for the first W, which is not much smaller. */
static wide forward_error(const struct work *w, global const wide *told)
{
	const real unit = 1 / probe_scale(told[TOLD_NORM]);
	global const real4 *g = turned_probes(w);
	global const real *first = column_of(w, w->at.first, 0);
	global const real *last = column_of(w, w->at.weight, 0);
	real grown = 0;
	real2 sum = 0;

	for (int i = 0; i < w->n; i++) {
		sum += fabs(g[i].hi) * (last[i] * unit);
		/* Rarely true, so that few rows divide. */
		if (last[i] > grown * first[i] && first[i] > 0)
			grown = last[i] / first[i];
	}
	return larger(larger((wide)sum.x, (wide)sum.y),
	              (wide)grown * told[TOLD_POWER]) /
	       weight_scale(told[TOLD_NORM]);
}

/* The first column with a zero pivot, or -1. */
static int zero_pivot(const struct work *w)
{
	int first = -1;

	for (int i = w->n - 1; i >= 0; i--)
		if (w->t[((size_t)(i / VW) * w->ld + i) * VW + i % VW] == 0)
			first = i;
	return first;
}

/* The results of all rows of a column. */
struct tally {
	wide backward, sum;	/* the largest backward error, |r|_1 */
};

static struct tally column_tally(const struct work *w, int later, int q)
{
	struct tally t = { 0, 0 };

	for (int row = 0; row < w->n; row += SOLVE_ROWS) {
		global const wide *part = part_of(w, later, row, q);

		t.backward = larger(part[0], t.backward);
		t.sum += part[1];
	}
	return t;
}

/* The verdict after a step, which `step` counts from 1. bad: flags of b's
 * matrices, which are copied to nonfinite. */
static void matrix_tell(const struct work *w, int step,
                        global const int *bad, global wide *told,
                        global wide *nonfinite)
{
	wide forward;

	told[TOLD_RESIDUAL] = told[TOLD_STEPS] = told[TOLD_STALLED] = 0;
	told[TOLD_ACTIVE] = told[TOLD_BACK] = 0;
	told[TOLD_COLUMN] = zero_pivot(w);
	if (step == 1 && w->probe >= 0)
		probes_end(w, told);
	forward = w->probe >= 0 ? forward_error(w, told) : 0;
	for (int q = 0; q < w->of.columns; q++) {
		global wide *column = column_told(w, q);
		const struct tally now = column_tally(w, 1, q);
		const int b = sides_matrix(&w->of, q);
		wide ratio;

		if (step == 1)
			column_first(column, column_tally(w, 0, q).backward);
		column_judge(column, now.backward, now.sum);
		nonfinite[b] = bad[b];
		if (bad[b])
			continue;
		ratio = column[COLUMN_RATIO] / told[TOLD_NORM];
		told[TOLD_RESIDUAL] = larger(ratio, told[TOLD_RESIDUAL]);
		told[TOLD_STEPS] = fmax(told[TOLD_STEPS],
		                        column[COLUMN_STEPS]);
		told[TOLD_STALLED] += has_stalled(column[COLUMN_BACKWARD],
		                                  w->n);
		told[TOLD_ACTIVE] += column[COLUMN_STATE] == STATE_ACTIVE;
		told[TOLD_BACK] += column[COLUMN_STATE] == STATE_BACK;
		if (isnan(column[COLUMN_BACKWARD]))
			forward = NAN;
	}
	told[TOLD_FORWARD] = forward;
}

#endif
