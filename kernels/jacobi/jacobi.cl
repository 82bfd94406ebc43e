/* jacobi.cl - one round of Jacobi's method (Jacobi 1845),
 *
 *     r = b - A x,   y = x + omega r / d,
 *
 * in one pass over A, on any device; jacobi.h describes the system.
 *
 * A work-group of JACOBI_GROUP items takes a block of rows. Each row gets as
 * many of its items, a power of two, as the number of rows allows: a long
 * row, alone in its block, gets all of them. Sums over items are trees of
 * fixed order.
 * Launch: blocks * JACOBI_GROUP work-items in groups of JACOBI_GROUP.
 */
#include "jacobi/jacobi.h"

#define GROUP __attribute__((reqd_work_group_size(JACOBI_GROUP, 1, 1)))

/* The sum of x over the `lanes` items of each row; every item must call it. */
static double lanes_sum(double x, int lanes, local double *part)
{
	const int id = get_local_id(0);

	for (int step = lanes / 2; step > 0; step /= 2) {
		part[id] = x;
		barrier(CLK_LOCAL_MEM_FENCE);
		x += part[id ^ step];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	return x;
}

static int lanes_of(int rows)
{
	int lanes = JACOBI_GROUP;

	while (lanes > 1 && lanes * rows > JACOBI_GROUP)
		lanes /= 2;
	return lanes;
}

/* This kernel computes float64 and mixed rounds. */
kernel GROUP void jacobi_round(ROUND_MIXED)
{
	local double shared[JACOBI_GROUP];
	const int g = get_group_id(0), id = get_local_id(0);
	const int first = block[g], rows = block[g + 1] - first;
	const int lanes = lanes_of(rows), lane = id % lanes;
	const int i = first + id / lanes;
	double sum = 0, square = 0;

	if (state[STATE_DONE] != DONE_NOT)
		return;
	if (id / lanes < rows)
		sum = row_mixed(start, split, column, value, single, x64, x32,
		                i, lane, lanes);
	sum = lanes_sum(sum, lanes, shared);
	if (id / lanes < rows && lane == 0)
		square = update_mixed(sum, b[i], diagonal[i], omega,
		                      place ? place[i] : i, x64, y64, y32);
	square = lanes_sum(square, JACOBI_GROUP, shared);
	if (id == 0)
		part[g] = square;
}

kernel GROUP void jacobi_round_float32(ROUND_FLOAT32)
{
	local double shared[JACOBI_GROUP];
	const int g = get_group_id(0), id = get_local_id(0);
	const int first = block[g], rows = block[g + 1] - first;
	const int lanes = lanes_of(rows), lane = id % lanes;
	const int i = first + id / lanes;
	float sum = 0;

	if (state[STATE_DONE] != DONE_NOT)
		return;
	if (id / lanes < rows)
		sum = dot_float32(single, x, column, start[i] + lane,
		                  start[i + 1], lanes);
	sum = lanes_sum(sum, lanes, shared);
	if (id / lanes < rows && lane == 0)
		update_float32(sum, b[i], diagonal[i], omega,
		               place ? place[i] : i, x, y);
}

/* Updates the state after a round from the blocks' parts; one work-group. */
kernel GROUP void jacobi_fold(global const double *restrict part, int parts,
                              global double *restrict state, double rounds)
{
	local double shared[JACOBI_GROUP];
	const int id = get_local_id(0);
	double sum = 0;

	for (int i = id; i < parts; i += JACOBI_GROUP)
		sum += part[i];
	sum = lanes_sum(sum, JACOBI_GROUP, shared);
	if (id == 0 && state[STATE_DONE] == DONE_NOT)
		settle(state, sum, rounds);
}

/* Copies y to x64 and x32, where they are given; an item per element. */
kernel void jacobi_copy(global const double *restrict y,
                        global double *restrict x64,
                        global float *restrict x32, int n)
{
	const int i = get_global_id(0);

	if (i >= n)
		return;
	if (x64)
		x64[i] = y[i];
	if (x32)
		x32[i] = y[i];
}

kernel void jacobi_widen(global const float *restrict x,
                         global double *restrict y, int n)
{
	const int i = get_global_id(0);

	if (i < n)
		y[i] = x[i];
}

#if defined(DTYPE_float64)
#define SMALLEST_NORMAL DBL_MIN
#else
#define SMALLEST_NORMAL FLT_MIN
#endif

/* Writes the answer in the operand's order: unknown i of the system is unknown
 * order[i] of the answer (i without order); x is in units of 2^exponent. Sets
 * STATE_OVERFLOWS if an element is not finite, and STATE_UNDERFLOWS if one is
 * rounded because it is subnormal; x_i then becomes what the answer has. */
kernel void jacobi_end(global double *restrict x,
                       global const int *restrict order, int exponent,
                       global real *restrict answer, int n,
                       global double *restrict state)
{
	const int i = get_global_id(0);
	double back;
	real v;

	if (i >= n)
		return;
	v = ldexp(x[i], exponent);
	back = ldexp((double)v, -exponent);
	answer[order ? order[i] : i] = v;
	if (!isfinite(v)) {
		state[STATE_OVERFLOWS] = 1;
	} else if (fabs(v) < SMALLEST_NORMAL && back != x[i]) {
		x[i] = back;
		state[STATE_UNDERFLOWS] = 1;
	}
}
