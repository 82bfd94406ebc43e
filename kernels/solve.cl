/* solve.cl - what surrounds the substitution, for any device: operands are
 * scanned, right-hand sides laid out and permuted, the solution refined.
 *
 * Right-hand sides lie one after the other, x[matrix][side][n]. Matrix i of
 * the answer is solved with factors which[i] and operand b's matrix from[i].
 */
#include "lu.h"

/* Error-free transformations must stay as they are written. */
#pragma OPENCL FP_CONTRACT OFF

#define CHUNK 4096		/* elements an item of solve_scan */
#define ROWS 16			/* of A a work-group of solve_residual */
#define LANES 32		/* of solve_residual_lanes, for each row */
#define TEAMS 8

/* *found |= 1 if one of `count` elements is NaN or infinite. */
kernel void solve_scan(global const real *restrict a, long count,
                       global int *restrict found)
{
	const long begin = get_global_id(0) * (long)CHUNK;
	const long end = min(begin + CHUNK, count);
	const long tail = begin + (end - begin) / VW * VW;
	realv sum = 0;
	real rest = 0;

	for (long i = begin; i < tail; i += VW)
		sum += VLOAD(a + i) * 0;
	for (long i = tail; i < end; i++)
		rest += a[i] * 0;
	if (any(isnan(sum)) || isnan(rest))
		atomic_or(found, 1);
}

/* The same where items go side by side: any number of them. */
kernel void solve_scan_lanes(global const real *restrict a, long count,
                             global int *restrict found)
{
	real sum = 0;

	_Pragma("unroll 8")
	for (long i = get_global_id(0); i < count; i += get_global_size(0))
		sum += a[i] * 0;
	if (isnan(sum))
		atomic_or(found, 1);
}

/* The first column of each matrix whose pivot is zero, or -1; a work-group of
 * any size a matrix. */
kernel void solve_verdict(global const real *restrict lu, int n,
                          global int *restrict column)
{
	local int first;
	const size_t matrix = get_group_id(0);
	int own = INT_MAX;

	if (get_local_id(0) == 0)
		first = INT_MAX;
	barrier(CLK_LOCAL_MEM_FENCE);
	lu += matrix * n * n;
	for (int i = get_local_id(0); i < n; i += get_local_size(0))
		own = lu[(size_t)i * n + i] == 0 ? min(own, i) : own;
	atomic_min(&first, own);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) == 0)
		column[matrix] = first == INT_MAX ? -1 : first;
}

/* The swaps undone, the last one first, say where each row has gone. */
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

/* A row's own way through the swaps, until no more can concern it. */
static int place_of(int row, global const int *swaps, int n)
{
	_Pragma("unroll 8")
	for (int k = 0; k < n; k++) {
		const int r = swaps[k];

		row = row == k ? r : row == r ? k : row;
	}
	return row;
}

/* place[matrix][n]: row i of A is row place[i] of P A. Item (row, matrix), or
 * one a matrix. */
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

/* x = P b, side by side instead of row by row; item (VW sides, rows,
 * matrix). */
kernel void solve_begin(global const real *restrict b, int n, int sides,
                        global const int *restrict from,
                        global const int *restrict which,
                        global const int *restrict place,
                        global real *restrict x)
{
	const int c = get_global_id(0) * VW, last = min(c + VW, sides);
	const int row = get_global_id(1) * ROWS, end = min(row + ROWS, n);
	const size_t matrix = get_global_id(2);

	b += from[matrix] * (size_t)n * sides;
	place += which[matrix] * (size_t)n;
	x += matrix * n * sides;
	for (int s = c; s < last; s++)
		for (int i = row; i < end; i++)
			x[(size_t)s * n + place[i]] = b[(size_t)i * sides + s];
}

/* x = the refined answer, row by row; where the correction is not finite
 * it is left out. Item (VW sides, rows, matrix). */
kernel void solve_end(global const real *restrict y,
                      global const real *restrict correction, int n,
                      int sides, global real *restrict x)
{
	const int c = get_global_id(0) * VW, last = min(c + VW, sides);
	const int row = get_global_id(1) * ROWS, end = min(row + ROWS, n);
	const size_t at = get_global_id(2) * (size_t)n * sides;

	for (int i = row; i < end; i++)
		for (int s = c; s < last; s++) {
			const size_t k = at + (size_t)s * n + i;
			const real refined = y[k] + correction[k];

			x[at + (size_t)i * sides + s] =
				isfinite(refined) ? refined : y[k];
		}
}

/* --- r = P (b - A x), summed in twice the precision
 *
 * float32 sums in float64. float64 (and float32 where there is no float64)
 * keeps each partial sum as an unevaluated one of two numbers: Dot2 of Ogita,
 * Rump and Oishi, Accurate Sum and Dot Product (2005), in every lane.
 */
#if defined(DTYPE_float64) || !defined(cl_khr_fp64)
#define COMPENSATED
#endif

struct sum {
	wide high, low;
};

/* a + b = s + e exactly (Knuth). */
#define TWO_SUM(type, s, e, a, b)                                        \
	const type s = (a) + (b);                                        \
	const type s##_b = s - (a);                                      \
	const type e = ((a) - (s - s##_b)) + ((b) - s##_b)

static struct sum sum_add(struct sum a, struct sum b)
{
	TWO_SUM(wide, s, e, a.high, b.high);

	return (struct sum){ s, e + (a.low + b.low) };
}

#ifdef COMPENSATED
#define ADD_PRODUCT(type, high, low, a, x)                               \
	do {                                                             \
		const type ax_a = (a), ax_x = (x);                       \
		const type product = ax_a * ax_x;                        \
		const type error = fma(ax_a, ax_x, -product);            \
		TWO_SUM(type, s, e, high, product);                      \
                                                                         \
		high = s;                                                \
		low += e + error;                                        \
	} while (0)
#else
#define ADD_PRODUCT(type, high, low, a, x) high += (a) * (x)
#endif

/* This item's share of the sum of row[i] x[i]. */
static struct sum precise_dot(global const real *row,
                              global const real *x, int n)
{
	const int id = get_local_id(0), items = get_local_size(0);
	const int tail = n / VW * VW;
	widev high = 0, low = 0;
	struct sum sum = { 0, 0 };
	wide h[VW], l[VW];

	for (int i = id * VW; i < tail; i += items * VW)
		ADD_PRODUCT(widev, high, low, WIDE(VLOAD(row + i)),
		            WIDE(VLOAD(x + i)));
	for (int i = tail + id; i < n; i += items)
		ADD_PRODUCT(wide, sum.high, sum.low, (wide)row[i],
		            (wide)x[i]);
	WSTORE(high, h);
	WSTORE(low, l);
	for (int i = 0; i < VW; i++)
		sum = sum_add(sum, (struct sum){ h[i], l[i] });
	return sum;
}

/* Work-group (side, ROWS rows, matrix) of any size; part holds two numbers
 * an item. */
kernel void solve_residual(global const real *restrict a, int n,
                           global const int *restrict which,
                           global const real *restrict b, int sides,
                           global const int *restrict from,
                           global const real *restrict x,
                           global const int *restrict place,
                           global real *restrict r, local wide *part)
{
	const int id = get_local_id(0), items = get_local_size(0);
	const int side = get_group_id(0), row = get_group_id(1) * ROWS;
	const size_t matrix = get_group_id(2);
	const size_t at = (matrix * sides + side) * n;

	a += which[matrix] * (size_t)n * n;
	b += from[matrix] * (size_t)n * sides + side;
	place += which[matrix] * (size_t)n;
	for (int i = row; i < min(row + ROWS, n); i++) {
		const struct sum own = precise_dot(a + (size_t)i * n, x + at,
		                                   n);
		struct sum sum = { -(wide)b[(size_t)i * sides], 0 };

		part[2 * id] = own.high;
		part[2 * id + 1] = own.low;
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = 0; k < items; k++)
			sum = sum_add(sum, (struct sum){ part[2 * k],
			                                 part[2 * k + 1] });
		if (id == 0)
			r[at + place[i]] = -(sum.high + sum.low);
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}

/* The same where items go side by side: work-group (side, TEAMS rows, matrix)
 * of LANES items for each row. */
__attribute__((reqd_work_group_size(LANES, TEAMS, 1)))
kernel void solve_residual_lanes(global const real *restrict a, int n,
                                 global const int *restrict which,
                                 global const real *restrict b, int sides,
                                 global const int *restrict from,
                                 global const real *restrict x,
                                 global const int *restrict place,
                                 global real *restrict r)
{
	local wide high[TEAMS][LANES], low[TEAMS][LANES];
	const int lane = get_local_id(0), team = get_local_id(1);
	const int i = get_group_id(1) * TEAMS + team, side = get_group_id(0);
	const size_t matrix = get_group_id(2);
	const size_t at = (matrix * sides + side) * n;
	struct sum sum = { 0, 0 };

	a += (which[matrix] * (size_t)n + min(i, n - 1)) * n;
	_Pragma("unroll 8")
	for (int k = lane; k < n; k += LANES)
		ADD_PRODUCT(wide, sum.high, sum.low, (wide)a[k],
		            (wide)x[at + k]);
	for (int width = LANES / 2; width > 0; width /= 2) {
		high[team][lane] = sum.high;
		low[team][lane] = sum.low;
		barrier(CLK_LOCAL_MEM_FENCE);
		sum = sum_add(sum, (struct sum){
			high[team][lane ^ width], low[team][lane ^ width]
		});
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (lane > 0 || i >= n)
		return;		/* no barrier follows */
	sum = sum_add(sum, (struct sum){
		-(wide)b[(from[matrix] * (size_t)n + i) * sides + side], 0
	});
	r[at + place[which[matrix] * (size_t)n + i]] = -(sum.high + sum.low);
}
