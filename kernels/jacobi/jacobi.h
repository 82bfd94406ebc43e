/* jacobi.h - shared by jacobi's kernels: a row's products, its update, and
 * the end of a round.
 *
 * The system is D x + E x = b with D diagonal and E sparse. Row i of E has the
 * entries start[i] .. start[i + 1], of which those below split[i] are
 * multiplied in float32. value holds all of them in float64, single in float32.
 * Row i is the equation of unknown place[i] (of unknown i without place). A
 * work-group takes a block of rows; block b has the rows block[b] ..
 * block[b + 1].
 *
 * A product of two float32 numbers is exact in float64, in which it is summed.
 */
#ifndef KERNELS_JACOBI_JACOBI_H
#define KERNELS_JACOBI_JACOBI_H

#define FP64
#include "lib/real.h"
#include "shared/jacobi_state.h"

/* The parameters of the kernels that compute a round: the system, x before the
 * round and y after it. part[b] receives block b's part of |r|^2. */
#define ROUND_MIXED                                                            \
	global const double *restrict state,                                   \
	global const int *restrict block,                                      \
	global const long *restrict start, global const long *restrict split,  \
	global const int *restrict column,                                     \
	global const double *restrict value,                                   \
	global const float *restrict single,                                   \
	global const double *restrict diagonal,                                \
	global const double *restrict b, global const int *restrict place,     \
	global const double *restrict x64, global double *restrict y64,        \
	global const float *restrict x32, global float *restrict y32,          \
	double omega, global double *restrict part
#define ROUND_FLOAT32                                                          \
	global const double *restrict state,                                   \
	global const int *restrict block,                                      \
	global const long *restrict start, global const int *restrict column,  \
	global const float *restrict single,                                   \
	global const double *restrict diagonal,                                \
	global const double *restrict b, global const int *restrict place,     \
	global const float *restrict x, global float *restrict y, float omega

/* The sum of the terms of a[k] and x[column[k]] for k, k + step, ... below
 * `to`, as four partial sums, so that additions do not wait for each other. */
#define DOT(name, sum_type, a_type, x_type, TERM)                           \
static sum_type name(global const a_type *a, global const x_type *x,        \
                     global const int *column, long k, long to, int step)   \
{                                                                           \
	sum_type s0 = 0, s1 = 0, s2 = 0, s3 = 0;                            \
	                                                                    \
	for (; k + 3 * step < to; k += 4 * step) {                          \
		s0 += TERM(a[k], x[column[k]]);                             \
		s1 += TERM(a[k + step], x[column[k + step]]);               \
		s2 += TERM(a[k + 2 * step], x[column[k + 2 * step]]);       \
		s3 += TERM(a[k + 3 * step], x[column[k + 3 * step]]);       \
	}                                                                   \
	for (; k < to; k += step)                                           \
		s0 += TERM(a[k], x[column[k]]);                             \
	return (s0 + s1) + (s2 + s3);                                       \
}

#define PRODUCT(a, x) ((a) * (x))
#define PRODUCT_WIDE(a, x) ((double)(a) * (double)(x))
#define PRODUCT_CAST(a, x) ((double)(a) * (double)(float)(x))
DOT(dot_float64, double, double, double, PRODUCT)
DOT(dot_float32, float, float, float, PRODUCT)
DOT(dot_mixed, double, float, float, PRODUCT_WIDE)
DOT(dot_cast, double, float, double, PRODUCT_CAST)

/* This lane's part of (E x)_i; without x32, each x64 is cast. */
static double row_mixed(global const long *start, global const long *split,
                        global const int *column, global const double *value,
                        global const float *single, global const double *x64,
                        global const float *x32, int i, int lane, int lanes)
{
	const long middle = split[i];
	const double sum = x32
	    ? dot_mixed(single, x32, column, start[i] + lane, middle, lanes)
	    : dot_cast(single, x64, column, start[i] + lane, middle, lanes);

	return sum + dot_float64(value, x64, column, middle + lane,
	                         start[i + 1], lanes);
}

/* y = x + omega r / d with r = b - sum - d x, where sum is (E x)_i; also writes
 * y32 where it is given. Returns r^2. */
static double update_mixed(double sum, double b, double d, double omega,
                           int at, global const double *x64,
                           global double *y64, global float *y32)
{
	const double x = x64[at], r = b - sum - d * x;
	const double y = x + omega * r / d;

	y64[at] = y;
	if (y32)
		y32[at] = y;
	return r * r;
}

static void update_float32(float sum, float b, float d, float omega, int at,
                           global const float *x, global float *y)
{
	y[at] = x[at] + omega * ((b - sum - d * x[at]) / d);
}

/* Ends a round that found |b - A x|^2 = sum; if it is not the last, it counts
 * as update number `rounds`. Calling it again changes nothing. */
static void settle(global double *state, double sum, double rounds)
{
	const double norm = sqrt(sum);

	state[STATE_NORM] = norm;
	if (norm <= state[STATE_GOAL])
		state[STATE_DONE] = DONE_CONVERGED;
	else if (!(norm <= state[STATE_LIMIT]))
		state[STATE_DONE] = DONE_DIVERGED;
	else
		state[STATE_ROUNDS] = rounds;
}

#endif
