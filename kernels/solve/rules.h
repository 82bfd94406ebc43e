/* rules.h - the rules of refinement for every device: when it ends, what the
 * backward error is, and the probes (solve_told.h). Included by kernels
 * only. */
#ifndef KERNELS_SOLVE_RULES_H
#define KERNELS_SOLVE_RULES_H

#include "lu/lu.h"
#include "shared/solve_told.h"

#ifdef DTYPE_float64
#define REAL_EXPONENTS DBL_MIN_EXP, DBL_MAX_EXP - 1
#else
#define REAL_EXPONENTS FLT_MIN_EXP, FLT_MAX_EXP - 1
#endif

#ifdef cl_khr_fp64
#define WIDE_MAX DBL_MAX
#define WIDE_SUBNORMAL (DBL_MIN * DBL_EPSILON)	/* the smallest one */
#else
#define WIDE_MAX FLT_MAX
#define WIDE_SUBNORMAL (FLT_MIN * FLT_EPSILON)
#endif

/* LAPACK's eps, half of the distance from 1 to the next number. */
#define ROUNDOFF ((wide)REAL_EPSILON / 2)

/* +1 or -1 for row i of probe c. */
static real probe_sign(int i, int c)
{
	return solve_sign(i, c);
}

/* The exponent of the norm; 0 for a norm of 0 or not finite. */
static int norm_exponent(wide norm)
{
	return norm > 0 && isfinite(norm) ?
	       clamp(ilogb(norm), REAL_EXPONENTS) : 0;
}

/* A power of two near the square root of the norm (solve_told.h). */
static real probe_scale(wide norm)
{
	return ldexp((real)1, norm_exponent(norm) / 2);
}

/* The power of two by which W is multiplied: that one over the norm. */
static wide weight_scale(wide norm)
{
	const int e = norm_exponent(norm);

	return ldexp((wide)1, e / 2 - e);
}

/* For numbers and for vectors:
 *
 * backward_error: |r_i| / size, where size is (|A| |x| + |b|)_i; NaN where that
 * overflowed. Where size is so small that products are rounded to subnormal
 * numbers, both grow by the error of n such products, much as in LAPACK's
 * xGERFS.
 *
 * forward_weight: a row's element of W for the forward error of a right-hand
 * side; inverse: that of max |x_i|, 0 for x = 0, which is exact, times
 * weight_scale(). */
#define ERRORS_OF(type)                                                  \
	static inline type backward_error_##type(type r, type size, int n) \
	{                                                                \
		const type tiny = (n + 1) * (wide)WIDE_SUBNORMAL;        \
		const type more = size * ROUNDOFF > tiny ? (type)0 : tiny; \
		const type ratio = (fabs(r) + more) / (size + more);     \
                                                                         \
		return r == 0 ? (type)0 : ratio + 0 * size;              \
	}                                                                \
                                                                         \
	static inline type forward_weight_##type(type r, type size, int n, \
	                                         wide inverse)           \
	{                                                                \
		return (fabs(r) + (n + 1) * ROUNDOFF * size) * inverse;  \
	}

ERRORS_OF(wide)
ERRORS_OF(widev)

/* 1 / x, made finite; 0 for x = 0. */
static wide weight_inverse(wide x)
{
	return x > 0 ? fmin(1 / x, (wide)WIDE_MAX) : 0;
}

/* The state of a column after a step: the step is undone if the backward error
 * is larger than before and above the roundoff; another step follows while it
 * falls. */
static enum solve_state column_next(wide before, wide now, int steps)
{
	const wide enough = 2 * ROUNDOFF;

	if (now <= enough)
		return STATE_DONE;
	if (!(now <= before))
		return STATE_BACK;
	return now < before && steps < SOLVE_STEPS ? STATE_ACTIVE : STATE_DONE;
}

/* Sets a column's numbers (enum solve_column) before the first step. */
static void column_first(global wide *about, wide backward)
{
	about[COLUMN_BACKWARD] = backward;
	about[COLUMN_STATE] = STATE_ACTIVE;
	about[COLUMN_STEPS] = 0;
}

/* Updates them after a step or its undoing; sum: |r|_1. */
static void column_judge(global wide *about, wide backward, wide sum)
{
	const int state = about[COLUMN_STATE];
	const int steps = about[COLUMN_STEPS] + 1;

	if (state == STATE_DONE)
		return;
	about[COLUMN_STATE] = state == STATE_BACK ? STATE_DONE :
	    column_next(about[COLUMN_BACKWARD], backward, steps);
	about[COLUMN_RATIO] = sum == 0 ? 0 : sum / about[COLUMN_SUM];
	if (about[COLUMN_STATE] == STATE_BACK || state == STATE_BACK)
		return;
	about[COLUMN_BACKWARD] = backward;
	about[COLUMN_STEPS] = steps;
}

/* Did refinement end at a backward error larger than rounding explains? */
static int has_stalled(wide backward, int n)
{
	return !(backward <= (n + 1) * ROUNDOFF);
}

#endif
