/* cpu.h - the systems of one matrix on a CPU, between the substitutions: lays
 * out the right-hand sides and refines the answers. solve/cpu/strip.cl does
 * this in launches for all cores, solve/cpu/narrow.cl matrix by matrix. */
#ifndef KERNELS_SOLVE_CPU_H
#define KERNELS_SOLVE_CPU_H

#include "lu/back.h"
#include "solve/precise.h"
#include "shared/solve_room.h"
#include "solve/rules.h"
#include "solve/side.h"
#include "solve/transposed.h"

#define SPARE 16		/* rows below the matrix that are cleared */
#define FEW (VW / 2)		/* for so few columns R is dot products */

/* A matrix, its factors in T, its right-hand sides. */
struct work {
	global const real *a;
	struct sides of;
	int n, ld, nb;		/* nb: columns of a panel */
	int probe;		/* the first column of probes, or -1 */
	global real *t, *strips;	/* T; its blocks of right-hand sides */
	global const int *swaps;
	global char *room;
	struct solve_room at;
	wide weight;		/* weight_scale() */
};

#define WORK_PARAMETERS                                                  \
	global const real *restrict a, long a_at, int n,                 \
	global const real *restrict b, int sides,                        \
	global const int *restrict members, long members_at,             \
	global const int *restrict from, int columns, int probe,         \
	global real *t, int ld, int own, int nb, global int *swaps,      \
	long swap_at, global char *room

#define WORK                                                             \
	{                                                                \
		a + a_at,                                                \
		{ b, members + members_at, from, n, sides, columns },    \
		n, ld, nb, probe, t, t + (size_t)own * ld * VW,          \
		swaps + swap_at, room,                                   \
		solve_room(n, ld, columns, probe, sizeof(real),          \
		           sizeof(wide))                                 \
	}

static global real *strips_of_rest(const struct work *w)
{
	return (global real *)(w->room + w->at.rest);
}

static global real4 *turned_probes(const struct work *w)
{
	return (global real4 *)(w->room + w->at.turned);
}

/* The address in the strips at which lane 0 is column q. */
static global real *lane_of(const struct work *w, global real *strips, int q)
{
	return strips + (size_t)(q / VW) * w->ld * VW + q % VW;
}

/* Columns of X begin at multiples of 64 bytes. */
static global real *column_of(const struct work *w, size_t at, int q)
{
	return (global real *)(w->room + at) +
	       (size_t)q * ((w->n + VW - 1) / VW * VW);
}

static global wide *column_told(const struct work *w, int q)
{
	return (global wide *)(w->room + w->at.column) + q * COLUMN_LENGTH;
}

static global wide *part_of(const struct work *w, int later, int row, int q)
{
	return (global wide *)(w->room + w->at.part[later]) +
	       ((size_t)(row / SOLVE_ROWS) * w->of.columns + q) * 2;
}

/* The number of columns, with the probes. */
static int columns_of(const struct work *w)
{
	return w->probe < 0 ? w->of.columns : w->probe + SOLVE_TURNED;
}

/* The norm of A where sums in the working precision have overflowed. */
static wide norm_in_wide(global const real *a, int n)
{
	wide most = 0;

	for (int j = 0; j < n; j++) {
		wide sum = 0;

		for (int i = 0; i < n; i++)
			sum += fabs((wide)a[(size_t)i * n + j]);
		most = larger(sum, most);
	}
	return most;
}

/* Clears rows `row` to `end` of all strips, and after the last row SPARE more,
 * so that lanes without a column stay zero. */
static void strips_clear(const struct work *w, global real *strips, int row,
                         int end)
{
	const int below = end < w->n ? end : w->n + SPARE;

	for (int c = 0; c * VW < columns_of(w); c++)
		for (int i = row; i < below; i++)
			PUT((realv)0, strips + ((size_t)c * w->ld + i) * VW);
}

/* Copies rows of column q of B; true if one of them is NaN or infinite. */
static int column_take(const struct work *w, int q, int row, int end)
{
	global const real *x = sides_column(&w->of, q);
	global real *to = lane_of(w, w->strips, q);
	real sum = 0;

	for (int i = row; i < end; i++) {
		const real v = x[(size_t)i * w->of.sides];

		to[(size_t)i * VW] = v;
		sum += v * 0;
	}
	return sum != 0;
}

/* Fills rows `row` to `end` of the strips with B and the probes' signs. bad is
 * set for matrices of B that are not finite. */
static void rows_take(const struct work *w, int row, int end, real scale,
                      global int *bad)
{
	strips_clear(w, w->strips, row, end);
	for (int q = 0; q < w->of.columns; q++)
		if (column_take(w, q, row, end))
			atomic_or(bad + sides_matrix(&w->of, q), 1);
	for (int c = 0; c < SOLVE_PROBES && w->probe >= 0; c++) {
		global real *to = lane_of(w, w->strips, w->probe + c);

		for (int i = row; i < end; i++)
			to[(size_t)i * VW] = scale * probe_sign(i, c);
	}
}

FOLDED void strip_substitute(const struct work *w, int forward,
                             global real *b0, int two)
{
	for (int j = 0; forward && j < w->n; j += w->nb)
		strip_advance(w->t, w->ld, w->n, j, min(w->nb, w->n - j),
		              w->swaps, b0, two);
	strip_back(w->t, w->ld, w->n, w->nb, b0, two);
}

/* For strip `first`, two blocks: x = U^-1 x; with `forward`, where B was not
 * factored beside A, x = L^-1 P x before that. */
static void strip_solve_all(const struct work *w, int forward,
                            global real *strips, int first)
{
	global real *b0 = block_of(strips, w->ld, first);

	if (columns_of(w) > (first + 1) * VW)
		strip_substitute(w, forward, b0, 1);
	else
		strip_substitute(w, forward, b0, 0);
}

/* Reports the norms of x, the current column q. */
static void column_tell(const struct work *w, int q, global const real *x)
{
	global wide *told = column_told(w, q);
	real most = 0, sum = 0;

	for (int i = 0; i < w->n; i++) {
		most = fmax(most, fabs(x[i]));
		sum += fabs(x[i]);
	}
	told[COLUMN_MAX] = most;
	told[COLUMN_SUM] = sum;
}

/* Takes column q of the first X from the strips. */
static void column_begin(const struct work *w, int q)
{
	global const real *from = lane_of(w, w->strips, q);
	global real *x = column_of(w, w->at.x, q);
	global wide *told = column_told(w, q);

	for (int i = 0; i < w->n; i++)
		x[i] = from[(size_t)i * VW];
	column_tell(w, q, x);
	told[COLUMN_STATE] = STATE_ACTIVE;
	told[COLUMN_STEPS] = 0;
}

/* x += A^-1 (b - A x) for column q, or back to the x before the last step. */
static void column_step(const struct work *w, int q)
{
	global const real *d = lane_of(w, strips_of_rest(w), q);
	global real *x = column_of(w, w->at.x, q);
	global real *old = column_of(w, w->at.old, q);
	global real *strip = lane_of(w, w->strips, q);
	const int state = column_told(w, q)[COLUMN_STATE];
	const int few = w->of.columns <= FEW;

	if (state == STATE_DONE)
		return;
	for (int i = 0; i < w->n; i++) {
		const real before = x[i];

		x[i] = state == STATE_BACK ? old[i] :
		       before + d[(size_t)i * VW];
		old[i] = before;
		if (!few)
			strip[(size_t)i * VW] = x[i];
	}
	column_tell(w, q, x);
}

/* Does that for the columns of strip `first`. */
static void strip_end(const struct work *w, int later, int first)
{
	const int end = min((first + STRIP) * VW, w->of.columns);

	for (int q = first * VW; q < end; q++)
		if (later)
			column_step(w, q);
		else
			column_begin(w, q);
}

/* --- r = b - A x for few columns, by dot products */

struct rest {
	wide r, size;		/* size: (|A| |x| + |b|) of the row */
};

static struct rest row_rest(global const real *a, global const real *x, int n,
                            wide b)
{
	widev high0 = 0, low0 = 0, size0 = 0, high1 = 0, low1 = 0, size1 = 0;
	struct sum sum = { -b, 0 };
	int k = 0;

	for (; k + 2 * VW <= n; k += 2 * VW) {
		ADD_PRODUCT(widev, high0, low0, size0, WIDE(VLOAD(a + k)),
		            WIDE(VLOAD(x + k)));
		ADD_PRODUCT(widev, high1, low1, size1,
		            WIDE(VLOAD(a + k + VW)), WIDE(VLOAD(x + k + VW)));
	}
	for (; k < n; k += VW)
		ADD_PRODUCT(widev, high0, low0, size0,
		            WIDE(load_part(a + k, n - k)),
		            WIDE(load_part(x + k, n - k)));
	sum = sum_add(sum, lanes_fold(high0, low0));
	if (n >= 2 * VW)
		sum = sum_add(sum, lanes_fold(high1, low1));
	return (struct rest){ -(sum.high + sum.low),
	                      lanes_sum(size0 + size1) + fabs(b) };
}

/* At most SOLVE_ROWS rows of a column. */
struct rests {
	wide r[SOLVE_ROWS], size[SOLVE_ROWS];
};

/* Sets the rows from n on to zero. */
static void rests_end(struct rests *e, int n)
{
	for (; n % VW != 0; n++)
		e->r[n] = e->size[n] = 0;
}

/* The largest backward error of n rows, and |r|_1. */
static void rests_judge(const struct work *w, const struct rests *e, int n,
                        global wide *part)
{
	widev most = 0, sum = 0, errors = 0;
	wide lane[VW], backward = 0;

	for (int i = 0; i < n; i += VW) {
		const widev r = WLOAD(e->r + i);
		const widev error = backward_error_widev(r, WLOAD(e->size + i),
		                                         w->n);

		most = fmax(most, error);
		errors += error;
		sum += fabs(r);
	}
	WSTORE(most, lane);
	for (int i = 0; i < VW; i++)
		backward = fmax(backward, lane[i]);
	part[0] = backward + 0 * lanes_sum(errors);	/* keeps NaN */
	part[1] = lanes_sum(sum);
}

/* Adds to W what n rows, from `row` on, of column q contribute: to the W of the
 * probes or, later, to that of the forward error. */
static void rests_weigh(const struct work *w, const struct rests *e, int row,
                        int n, int q, int later)
{
	const wide most = column_told(w, q)[COLUMN_MAX];
	const wide inverse = weight_inverse(most) * w->weight;
	global real *weight = column_of(w, later ? w->at.weight : w->at.first,
	                                0) + row;

	for (int i = 0; i < n; i += VW) {
		const widev size = WLOAD(e->size + i);
		const widev v = later ?
		    forward_weight_widev(WLOAD(e->r + i), size, w->n,
		                         inverse) : size * inverse;
		const realv own = NARROW(v);

		PUT(q > 0 ? fmax(own, VLOAD(weight + i)) : own, weight + i);
	}
}

static void rests_tell(const struct work *w, struct rests *e, int row,
                       int end, int q, int later)
{
	rests_end(e, end - row);
	rests_judge(w, e, end - row, part_of(w, later, row, q));
	if (w->probe >= 0)
		rests_weigh(w, e, row, end - row, q, later);
}

/* Computes rows `row` to `end` of R = B - A X. */
static void rows_rest(const struct work *w, int row, int end, int later)
{
	if (!later)
		strips_clear(w, strips_of_rest(w), row, end);
	for (int q = 0; q < w->of.columns; q++) {
		global const real *b = sides_column(&w->of, q);
		global const real *x = column_of(w, w->at.x, q);
		global real *r = lane_of(w, strips_of_rest(w), q);
		struct rests e;

		for (int i = row; i < end; i++) {
			const struct rest it =
				row_rest(w->a + (size_t)i * w->n, x, w->n,
				         b[(size_t)i * w->of.sides]);

			r[(size_t)i * VW] = (real)it.r;
			e.r[i - row] = it.r;
			e.size[i - row] = it.size;
		}
		rests_tell(w, &e, row, end, q, later);
	}
}

/* Writes the answer, row by row. */
static void rows_give(const struct work *w, int row, int end,
                      global real *answer)
{
	for (int q = 0; q < w->of.columns; q++) {
		global const real *x = column_of(w, w->at.x, q);
		global real *to = sides_answer(&w->of, q, answer);

		for (int i = row; i < end; i++)
			to[(size_t)i * w->of.sides] = x[i];
	}
}

#endif
