/* solve_strip.cl - A X = B on a CPU from the factors in T (lu_cpu.h). The
 * right-hand sides are blocks beside A's, factored with it (lu.cl), so that
 * they come here as L^-1 P B:
 *
 *     solve_take        the blocks of B           item (some rows)
 *     solve_pivots      which pivot is zero?      item (1)
 *     solve_strips      X = U^-1 L^-1 P X         item (strip of two blocks)
 *     solve_remainder   R = B - A X               (solve_remainder.cl)
 *     solve_strips      R = A^-1 R
 *     solve_give        X + R to the answer       item (some rows)
 */
#include "lu_back.h"
#include "solve_side.h"

#define ROWS_A_ITEM 24
#define SPARE 16		/* rows below the matrix that are cleared */

SINGLE_ITEM kernel void solve_take(global const real *restrict b, int n,
                                   int sides,
                                   global const int *restrict members,
                                   long members_at,
                                   global const int *restrict from,
                                   int columns, global real *restrict t,
                                   long t_at, int ld, int blocks)
{
	const int row = get_global_id(0) * ROWS_A_ITEM;
	const int end = min(row + ROWS_A_ITEM, n);
	const int below = end < n ? end : n + SPARE;

	members += members_at;
	t += t_at;
	for (int q = 0; q < blocks * VW; q++) {
		global real *to = block_of(t, ld, q / VW) + q % VW;
		int i = row;

		if (q < columns) {
			global const real *x = side_of(b, n, sides, members,
			                               from, q);

			for (; i < end; i++)
				to[(size_t)i * VW] = x[(size_t)i * sides];
		}
		for (; i < below; i++)
			to[(size_t)i * VW] = 0;
	}
}

/* The first column whose pivot is zero, or -1. */
SINGLE_ITEM kernel void solve_pivots(global const real *restrict t, int ld,
                                     int n, global int *restrict column,
                                     long matrix)
{
	int first = -1;

	for (int i = n - 1; i >= 0; i--)
		first = t[((size_t)(i / VW) * ld + i) * VW + i % VW] == 0 ?
		        i : first;
	column[matrix] = first;
}

FOLDED void strip_substitute(global const real *t, int ld, int n, int nb,
                             int forward, global const int *swaps,
                             global real *b0, int two)
{
	for (int j = 0; forward && j < n; j += nb)
		strip_advance(t, ld, n, j, min(nb, n - j), swaps, b0, two);
	strip_back(t, ld, n, nb, b0, two);
}

/* X = U^-1 X, and before, when it has not been done yet, X = L^-1 P X. */
SINGLE_ITEM kernel void solve_strips(global const real *t, int ld, int n,
                                     int nb, int forward,
                                     global const int *swaps, long swap_at,
                                     int columns, global real *x, long x_at)
{
	const int first = STRIP * get_global_id(0);
	global real *b0 = block_of(x + x_at, ld, first);

	if (columns > (first + 1) * VW)
		strip_substitute(t, ld, n, nb, forward, swaps + swap_at, b0,
		                 1);
	else
		strip_substitute(t, ld, n, nb, forward, swaps + swap_at, b0,
		                 0);
}

/* The refined answer; where the correction is not finite it is left out. */
SINGLE_ITEM kernel void solve_give(global const real *restrict x, long x_at,
                                   global const real *restrict r, int ld,
                                   int n, int sides,
                                   global const int *restrict members,
                                   long members_at, int columns,
                                   global real *restrict to)
{
	const int row = get_global_id(0) * ROWS_A_ITEM;
	const int end = min(row + ROWS_A_ITEM, n);

	x += x_at;
	members += members_at;
	for (int q = 0; q < columns; q++) {
		const size_t at = (size_t)(q / VW) * ld * VW + q % VW;
		global real *side = to + members[q / sides] * (size_t)n *
		                    sides + q % sides;

		for (int i = row; i < end; i++) {
			const real y = x[at + (size_t)i * VW];
			const real refined = y + r[at + (size_t)i * VW];

			side[(size_t)i * sides] = isfinite(refined) ?
			                          refined : y;
		}
	}
}
