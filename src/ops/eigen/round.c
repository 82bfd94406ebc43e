/* round.c - the methods whose rounds are one product each: similarity and
 * power. Rounds are queued in bursts; once a round has converged, a flag on the
 * device makes those after it do nothing, so that the host reads a few numbers
 * only once a burst. */
#include <math.h>

#include "base/size.h"
#include "ops/eigen/eigen.h"
#include "ops/last.h"

enum { BURST = 8, PATIENCE = 64 };	/* rounds */

/* If a burst leaves more of the spread than this share, B is shifted. */
#define SLOW 0.25

/* Kernels that use whole work-groups take two arguments more. */
static void product(struct eigen_problem *p, struct buf x, size_t from,
                    struct buf y, size_t to, bool settle)
{
	const double n = (double)p->n;
	const struct arg args[] = {
		ARG_BUF(p->a), ARG_LONG(p->index * p->n * p->n), ARG_BUF(x),
		ARG_LONG(from), ARG_BUF(y), ARG_LONG(to), ARG_BUF(p->state),
		ARG_BUF(p->parts), ARG_LONG(p->n), ARG_LONG(p->rows),
		ARG_BUF(p->done), ARG_INT(settle),
	};

	seq_work(p->s, 2 * n * n, n * n * (double)dtype_bytes(p->m->dtype));
	seq_launch_args(p->s, p->k->round,
	                GRID1(p->blocks * p->k->local, p->k->local), args,
	                COUNT(args) - (p->k->local > 1 ? 0 : 2));
}

void eigen_product(struct eigen_problem *p, struct buf x, size_t from,
                   struct buf y, size_t to)
{
	product(p, x, from, y, to, false);
}

void eigen_begin(struct eigen_problem *p, double value, double tol,
                 double least)
{
	const double state[STATE_LENGTH] = {
		[STATE_SCALE] = 1, [STATE_PEAK] = 1, [STATE_UNIT] = p->unit,
		[STATE_VALUE] = value, [STATE_FLOOR] = least,
		[STATE_TOL] = tol,
	};

	eigen_write(p, p->state, 0, state, STATE_LENGTH);
}

void eigen_round(struct eigen_problem *p, struct buf x, size_t from,
                 struct buf y, size_t to, double state[STATE_LENGTH])
{
	const bool settle = p->k->local > 1 &&
	                    last_is_known(seq_sheet(p->s));

	product(p, x, from, y, to, settle);
	if (!settle)
		seq_launch(p->s, p->k->fold, GRID1(p->k->local, p->k->local),
		           ARG_BUF(p->parts), ARG_BUF(p->state),
		           ARG_LONG(p->blocks));
	if (state)
		eigen_read(p, p->state, 0, state, STATE_LENGTH);
}

/* Launches up to BURST rounds from round `done` on. Round r writes y to the
 * half of p->pair that its v does not occupy; even rounds have v in half 0. */
static void burst(struct eigen_problem *p, int64_t done,
                  double state[STATE_LENGTH])
{
	int64_t end = done + BURST < p->limit ? done + BURST : p->limit;

	for (int64_t r = done; r < end; r++) {
		/* y = scale (B + shift I) v */
		eigen_round(p, p->pair, r % 2 ? p->n : 0, p->pair,
		            r % 2 ? 0 : p->n, r + 1 == end ? state : NULL);
	}
}

/* Takes v of the last round rather than its product y, because the bracket and
 * the residual belong to v. The residual was computed with the value of the
 * round before; with v's own value, which minimises it, it is no larger. */
static void take_pair(struct eigen_problem *p, struct eigen_pair *r,
                      const double state[STATE_LENGTH])
{
	const int64_t half = (int64_t)state[STATE_ROUNDS] - 1;
	const bool null = !(state[STATE_PEAK] > 0);

	eigen_read(p, p->pair, half % 2 ? p->n : 0, r->vector, p->n);
	r->value = null ? 0 : state[STATE_VALUE] / p->unit;
	r->residual = null ? 0 : state[STATE_ERROR];
	r->iterations += (int64_t)state[STATE_ROUNDS];
	r->converged = state[STATE_DONE] != 0;
}

static double spread_of(const double state[STATE_LENGTH])
{
	const double high = state[STATE_HIGH];

	return high > 0 ? (high - state[STATE_LOW]) / high : 0;
}

/* Sets the bracket, widened by the rounding errors of the row sums. The bracket
 * also bounds the residual, because every (B v)_i is between low v_i and high
 * v_i for v >= 0; the first round computes its residual without any value. */
static void enclose(const struct eigen_problem *p, struct eigen_pair *r,
                    const double state[STATE_LENGTH])
{
	const double rounding = ((double)p->n / 8 + 16) * p->epsilon / 2;
	const double low = state[STATE_LOW], high = state[STATE_HIGH];
	const double value = r->value * p->unit;

	r->enclosed = true;
	r->low = low * (1 - rounding) / p->unit;
	r->high = high * (1 + rounding) / p->unit;
	r->residual = fmin(r->residual, fmax(high - value, value - low));
}

static bool hopeless(const struct eigen_problem *p, double spread,
                     double before)
{
	const double rate = log(spread / before) / BURST;

	return !(rate < 0) || log(p->tol / spread) / rate > PATIENCE;
}

int eigen_similarity(struct eigen_problem *p, struct eigen_pair *r,
                     bool impatient)
{
	for (size_t i = 0; i < p->n; i++)
		r->vector[i] = 1;
	return eigen_similarity_from(p, r, impatient);
}

int eigen_similarity_from(struct eigen_problem *p, struct eigen_pair *r,
                          bool impatient)
{
	const double least = p->epsilon < 1e-10 ? 0x1p-930 : 0x1p-110;
	const double none[] = { [STATE_PULL - STATE_MOMENTUM] = 0 };
	double state[STATE_LENGTH] = { 0 }, spread = 1;

	eigen_write(p, p->pair, 0, r->vector, p->n);
	eigen_begin(p, 0, p->tol, least);
	while (state[STATE_DONE] == 0 &&
	       state[STATE_ROUNDS] < (double)p->limit) {
		const double before = spread;

		burst(p, (int64_t)state[STATE_ROUNDS], state);
		if (seq_failed(p->s))
			return -1;
		spread = spread_of(state);
		if (impatient && state[STATE_SHIFT] > 0 &&
		    hopeless(p, spread, before))
			break;
		if (state[STATE_SHIFT] > 0 || spread <= SLOW * before)
			continue;
		if (state[STATE_MOMENTUM] > 0) {
			/* The momentum was for another lambda_2, or
			 * lambda_2 is complex. */
			eigen_write(p, p->state, STATE_MOMENTUM, none, 2);
			continue;
		}
		/* A cyclic B has other eigenvalues of the same modulus;
		 * B + shift I has none. */
		state[STATE_SHIFT] = state[STATE_HIGH] / 2;
		eigen_write(p, p->state, STATE_SHIFT, &state[STATE_SHIFT], 1);
	}
	take_pair(p, r, state);
	enclose(p, r, state);
	r->error = spread;
	return seq_failed(p->s) ? -1 : 0;
}

int eigen_power_from(struct eigen_problem *p, struct eigen_pair *r)
{
	double state[STATE_LENGTH] = { 0 };

	eigen_write(p, p->pair, 0, r->vector, p->n);
	eigen_begin(p, 0, p->tol, 0);
	while (state[STATE_DONE] == 0 &&
	       state[STATE_ROUNDS] < (double)p->limit) {
		burst(p, (int64_t)state[STATE_ROUNDS], state);
		if (seq_failed(p->s))
			return -1;
	}
	take_pair(p, r, state);
	r->error = state[STATE_ERROR] / fabs(state[STATE_VALUE]);
	return seq_failed(p->s) ? -1 : 0;
}
