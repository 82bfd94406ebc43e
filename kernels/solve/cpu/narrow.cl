/* narrow.cl - A X = B on a CPU for matrices no wider than a panel: one
 * work-item does for a matrix and its systems all that the launches of strip.cl
 * do. */
#include "solve/judge.h"

/* T = A, with its padding cleared; returns the largest column sum. */
static wide narrow_load(const struct work *w, const struct panel *s,
                        int own, int *bad)
{
	const int n = w->n;
	real most = 0;
	realv rest = 0;

	for (int c = 0; c < own; c++) {
		global real *to = block_of(w->t, w->ld, c);
		realv sum = 0;
		real lane[VW];

		for (int i = 0; i < n && c < s->blocks; i++) {
			const realv v = load_part(w->a + (size_t)i * n +
			                          c * VW, n - c * VW);

			PUT(v, to + (size_t)i * VW);
			sum += fabs(v);
			rest += v * 0;
		}
		for (int i = c < s->blocks ? n : 0; i < n + SPARE; i++)
			PUT((realv)0, to + (size_t)i * VW);
		VSTORE(sum, lane);
		for (int i = 0; i < VW; i++)
			most = fmax(most, lane[i]);
	}
	*bad = any(isnan(rest));
	return isinf(most) ? norm_in_wide(w->a, n) : most;
}

static void rest_all(const struct work *w, int later)
{
	for (int row = 0; row < w->n; row += SOLVE_ROWS)
		rows_rest(w, row, min(row + SOLVE_ROWS, w->n), later);
}

static void strips_all(const struct work *w, int later)
{
	for (int first = 0; first * VW < columns_of(w); first += STRIP) {
		strip_solve_all(w, 1, later ? strips_of_rest(w) : w->strips,
		                first);
		strip_end(w, later, first);
	}
}

static int goes_on(global const wide *told)
{
	return told[TOLD_ACTIVE] + told[TOLD_BACK] > 0;
}

static void narrow_solve(struct work *w, int own, global int *bad,
                         int matrix, int matrices, global wide *all,
                         global int *swaps, global real *answer)
{
	const struct panel s = { w->n, w->n, (w->n + VW - 1) / VW, w->ld };
	global wide *told = all + (size_t)matrix * TOLD_LENGTH;
	int nonfinite, step = 1;

	told[TOLD_NORM] = narrow_load(w, &s, own, &nonfinite);
	told[TOLD_NONFINITE] = nonfinite;
	w->weight = weight_scale(told[TOLD_NORM]);
	panel_factor(w->t, &s, 1, 0, swaps);
	rows_take(w, 0, w->n, probe_scale(told[TOLD_NORM]), bad);
	strips_all(w, 0);
	rest_all(w, 0);
	if (w->probe >= 0)
		probes_turn(w, told);
	do {
		strips_all(w, 1);
		rest_all(w, 1);
		matrix_tell(w, step++, bad, told,
		            all + (size_t)matrices * TOLD_LENGTH);
	} while (goes_on(told));
	rows_give(w, 0, w->n, answer);
}

/* Item i takes matrices first + i, first + i + items and so on before `end`,
 * and has its own part of T, with
 * `strips` blocks after A's, of the workspace and of the swaps. */
SINGLE_ITEM kernel void solve_narrow(global const real *restrict a, int n,
                                     global const real *restrict b, int sides,
                                     global const int *restrict members,
                                     global const int *restrict from,
                                     int columns, int probe,
                                     global real *t, int ld, int own,
                                     int strips, global int *swaps,
                                     global char *room, int matrices,
                                     global int *bad,
                                     global wide *restrict told,
                                     global real *restrict answer, int first,
                                     int end)
{
	const size_t item = get_global_id(0);
	const size_t each = columns / max(sides, 1);
	const struct solve_room at = solve_room(n, ld, columns, probe,
	                                        sizeof(real), sizeof(wide));

	t += item * (own + strips) * ld * VW;
	swaps += item * n;
	for (size_t i = first + item; i < end; i += get_global_size(0)) {
		struct work w = {
			a + i * n * n,
			{ b, members + i * each, from, n, sides, columns },
			n, ld, n, probe, t, t + (size_t)own * ld * VW, swaps,
			room + item * at.end, at
		};

		narrow_solve(&w, own, bad + matrices, i, matrices, told,
		             swaps, answer);
	}
}
