/* eigen.h - the accumulator type and the end of a round, which eigen's kernels
 * share. Vectors have elements of type `acc`, whatever the type of A. */
#ifndef KERNELS_EIGEN_EIGEN_H
#define KERNELS_EIGEN_EIGEN_H

#include "lib/real.h"
#include "shared/eigen_state.h"

#if defined(cl_khr_fp64) || defined(DTYPE_float64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double acc;
typedef double8 accv;
#define TO_ACCV(v) convert_double8(v)
#define ACC_EPSILON DBL_EPSILON
#else
typedef float acc;
typedef float8 accv;
#define TO_ACCV(v) (v)
#define ACC_EPSILON FLT_EPSILON
#endif

/* A new direction that is shorter than this, relative to the vector before the
 * subtractions, consists of rounding errors: the Krylov space is complete. */
#define BREAKDOWN (16 * ACC_EPSILON)

/* Adds row i to a round: s is (B v)_i, v is v_i, and *to, which holds u_i,
 * becomes y_i. A positive y_i is kept from underflowing to zero: Collatz's and
 * Wielandt's bracket holds for any v > 0, but not without a row whose component
 * may still grow. */
static inline void eigen_row(acc s, acc v, global acc *to,
                             global const acc *state, acc *part)
{
	acc plain = state[STATE_SCALE] * (s + state[STATE_SHIFT] * v);
	acc y = plain, r = s - state[STATE_VALUE] * v;

	if (state[STATE_PULL] > 0)
		y -= state[STATE_PULL] * *to;
	if (state[STATE_FLOOR] > 0 && !(y > 0))
		y = plain;
	if (state[STATE_FLOOR] > 0 && s > 0)
		y = fmax(y, state[STATE_FLOOR]);
	if (v > 0) {
		part[PART_LOW] = fmin(part[PART_LOW], s / v);
		part[PART_HIGH] = fmax(part[PART_HIGH], s / v);
	}
	part[PART_PEAK] = fmax(part[PART_PEAK], fabs(y));
	part[PART_VY] += v * s;
	part[PART_VV] += v * v;
	part[PART_RR] += r * r;
	*to = y;
}

static inline void eigen_part_begin(acc *part)
{
	for (int i = 0; i < PART_LENGTH; i++)
		part[i] = 0;
	part[PART_LOW] = INFINITY;
}

static inline void eigen_part_add(acc *part, const acc *more)
{
	part[PART_LOW] = fmin(part[PART_LOW], more[PART_LOW]);
	part[PART_HIGH] = fmax(part[PART_HIGH], more[PART_HIGH]);
	part[PART_PEAK] = fmax(part[PART_PEAK], more[PART_PEAK]);
	part[PART_VY] += more[PART_VY];
	part[PART_VV] += more[PART_VV];
	part[PART_RR] += more[PART_RR];
}

/* With a momentum of (lambda_2 / 2)^2 the component along every other
 * eigenvector with a real eigenvalue shrinks in each round by a factor of about
 * r / (1 + sqrt(1 - r^2)) instead of r = |lambda_2 / lambda_1|: 0.3 instead of
 * 0.55 (Xu, He, De Sa, Mitliagkas and Re 2018). The bracket shrinks by r in
 * each round, so a few rounds give an estimate of |lambda_2|. */
#define MOMENTUM_AFTER 5		/* rounds */
#define MOMENTUM_SLOWEST 0.8		/* largest r; with a larger one, B may
					 * need a shift instead */

static inline acc eigen_momentum(global const acc *state, const acc *sum,
                                 acc value)
{
	acc before = 1 - state[STATE_LOW] / state[STATE_HIGH];
	acc r = (1 - sum[PART_LOW] / sum[PART_HIGH]) / before;

	if (state[STATE_ROUNDS] + 1 != MOMENTUM_AFTER || state[STATE_SHIFT] > 0
	    || !(state[STATE_FLOOR] > 0 && r < (acc)MOMENTUM_SLOWEST))
		return state[STATE_MOMENTUM];
	return r * r * value * value / 4;
}

/* Ends a round: updates the state from the sums over all rows. */
static inline void eigen_settle(global acc *state, const acc *sum)
{
	acc tol = state[STATE_TOL], value = sum[PART_VY] / sum[PART_VV];
	acc error = sqrt(sum[PART_RR] / sum[PART_VV]);
	/* The growth of y, so that the next y can be scaled to about 1. */
	acc growth = sum[PART_PEAK] / state[STATE_SCALE] / state[STATE_PEAK];
	bool close = state[STATE_FLOOR] > 0
	    ? sum[PART_HIGH] - sum[PART_LOW] <= tol * sum[PART_HIGH]
	    : error <= tol * fabs(value);

	acc scale = state[STATE_SCALE];

	state[STATE_MOMENTUM] = eigen_momentum(state, sum, value);
	state[STATE_ROUNDS] += 1;
	state[STATE_LOW] = sum[PART_LOW];
	state[STATE_HIGH] = sum[PART_HIGH];
	state[STATE_VALUE] = value;
	state[STATE_ERROR] = error;
	state[STATE_PEAK] = sum[PART_PEAK];
	state[STATE_DONE] = close || !(sum[PART_PEAK] > 0);
	if (sum[PART_PEAK] > 0)
		state[STATE_SCALE] = ldexp((acc)1,
		    -ilogb(sum[PART_PEAK]) - ilogb(growth));
	state[STATE_PULL] = state[STATE_MOMENTUM] * scale *
	                    state[STATE_SCALE];
}

/* The length beta of w after its orthogonalisation, or 0 if the Krylov space is
 * complete. norms holds the squared norms of w's blocks, and h the `count`
 * coefficients of the basis vectors that were subtracted from w. */
static inline acc eigen_beta(global const acc *norms, int blocks,
                             global const acc *h, int count)
{
	acc ww = 0, hh = 0, beta;

	for (int k = 0; k < blocks; k++)
		ww += norms[k];
	for (int i = 0; i < count; i++)
		hh += h[i] * h[i];
	beta = sqrt(ww);
	return beta > BREAKDOWN * sqrt(hh + ww) ? beta : 0;
}

#endif
