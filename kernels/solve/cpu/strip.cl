/* strip.cl - A X = B on a CPU from the factors in T (lu/cpu.h). The
 * right-hand sides are blocks after A's and factored with it (lu.cl), which
 * makes them L^-1 P B. The launches for a matrix:
 *
 *     solve_load        T = A; column sums, NaNs        item (some rows)
 *     solve_norm        the norm of A                   item (1)
 *     solve_take        the blocks of B, and probes     item (some rows)
 *     lu_factor
 *     solve_strips      X = U^-1 L^-1 P B               item (strip of two
 *                                                       blocks)
 *     solve_rest, or    R = B - A X                     item (some rows)
 *     solve_remainder   for many columns (remainder.cl)
 *     solve_probe       probes of A^-T                  item (1)
 *     solve_strips      X + A^-1 R                      these two again,
 *     solve_rest        R = B - A X                     until the verdict
 *     solve_tell        the verdict                     item (1)
 *     solve_give        X to the answer                 item (some rows)
 */
#include "solve/judge.h"

#define LOAD_ROWS 32

/* Loads rows of A, adds up their column sums, and checks that they are
 * finite. */
static void rows_load(global const real *a, int n, int row, int end,
                      global real *t, int ld, global real *sums,
                      global int *bad)
{
	realv rest = 0;

	for (int c = 0; c < (n + VW - 1) / VW; c++) {
		global real *to = block_of(t, ld, c);
		realv sum = 0;

		for (int i = row; i < end; i++) {
			const realv v = load_part(a + (size_t)i * n + c * VW,
			                          n - c * VW);

			PUT(v, to + (size_t)i * VW);
			sum += fabs(v);
			rest += v * 0;
		}
		PUT(sum, sums + c * VW);
	}
	if (any(isnan(rest)))
		atomic_or(bad, 1);
}

/* The last item also clears the rows below, and blocks without columns. sums:
 * [item][columns of the blocks]. */
SINGLE_ITEM kernel void solve_load(global const real *restrict a, long a_at,
                                   int n, global real *restrict t, int ld,
                                   int blocks, global real *restrict sums,
                                   global int *restrict bad, int matrix)
{
	const int row = get_global_id(0) * LOAD_ROWS;
	const int end = min(row + LOAD_ROWS, n);
	const int below = end < n ? end : n + SPARE;

	rows_load(a + a_at, n, row, end, t, ld,
	          sums + get_global_id(0) * (size_t)blocks * VW, bad + matrix);
	for (int c = 0; c < blocks; c++)
		for (int i = c * VW < n ? end : row; i < below; i++)
			PUT((realv)0, block_of(t, ld, c) + (size_t)i * VW);
}

SINGLE_ITEM kernel void solve_norm(global const real *restrict a, long a_at,
                                   global const real *restrict sums,
                                   int chunks, int blocks, int n,
                                   global wide *restrict told, int matrix)
{
	wide most = 0;

	for (int j = 0; j < n; j += VW) {
		wide lane[VW];
		widev sum = 0;

		for (int k = 0; k < chunks; k++)
			sum += WIDE(VLOAD(sums + (size_t)k * blocks * VW + j));
		WSTORE(sum, lane);
		for (int i = 0; i < min(VW, n - j); i++)
			most = larger(lane[i], most);
	}
	told[(size_t)matrix * TOLD_LENGTH + TOLD_NORM] =
		isinf(most) ? norm_in_wide(a + a_at, n) : most;
}

/* bad: flags of a's matrices, then of b's; told: see solve_told.h. */
SINGLE_ITEM kernel void solve_take(WORK_PARAMETERS, int matrix, int matrices,
                                   global int *bad, global const wide *told)
{
	const struct work w = WORK;
	const int row = get_global_id(0) * SOLVE_ROWS;
	const wide norm = probe < 0 ? 1 : told[(size_t)matrix * TOLD_LENGTH +
	                                       TOLD_NORM];

	rows_take(&w, row, min(row + SOLVE_ROWS, n), probe_scale(norm),
	          bad + matrices);
}

/* X = U^-1 L^-1 P B, where B has become L^-1 P B; later: R = A^-1 R, and X +=
 * R. */
SINGLE_ITEM kernel void solve_strips(WORK_PARAMETERS, int later)
{
	const struct work w = WORK;
	const int first = STRIP * get_global_id(0);

	strip_solve_all(&w, later, later ? strips_of_rest(&w) : w.strips,
	                first);
	strip_end(&w, later, first);
}

SINGLE_ITEM kernel void solve_rest(WORK_PARAMETERS, int later, int matrix,
                                   global const wide *told)
{
	struct work w = WORK;
	const int row = get_global_id(0) * SOLVE_ROWS;

	w.weight = weight_scale(told[(size_t)matrix * TOLD_LENGTH +
	                             TOLD_NORM]);
	rows_rest(&w, row, min(row + SOLVE_ROWS, n), later);
}

SINGLE_ITEM kernel void solve_probe(WORK_PARAMETERS, int matrix,
                                   global wide *told)
{
	const struct work w = WORK;

	probes_turn(&w, told + (size_t)matrix * TOLD_LENGTH);
}

SINGLE_ITEM kernel void solve_tell(WORK_PARAMETERS, int step, int matrix,
                                   int matrices, global const int *bad,
                                   global wide *told)
{
	const struct work w = WORK;
	global wide *its = told + (size_t)matrix * TOLD_LENGTH;

	its[TOLD_NONFINITE] = bad[matrix];
	matrix_tell(&w, step, bad + matrices, its,
	            told + (size_t)matrices * TOLD_LENGTH);
}

SINGLE_ITEM kernel void solve_give(WORK_PARAMETERS, global real *answer)
{
	const struct work w = WORK;
	const int row = get_global_id(0) * SOLVE_ROWS;

	rows_give(&w, row, min(row + SOLVE_ROWS, n), answer);
}
