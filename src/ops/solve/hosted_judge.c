/* hosted_judge.c - refines and judges answers by the rules and the probes of
 * one device (kernels/shared/solve_told.h, kernels/solve/rules.h); see
 * hosted.h. Every part of a gang computes all of this from the same numbers,
 * and so gets the same results. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "ops/lu/sums.h"
#include "ops/solve/hosted.h"

/* LAPACK's eps. */
static double roundoff(const struct solve_hosted *h)
{
	return dtype_epsilon(seq_dtype(h->s)) / 2;
}

/* A number of the call's type. */
static double rounded(const struct solve_hosted *h, double x)
{
	return h->each == sizeof(float) ? (float)x : x;
}

/* What is known of the moduli of a column: their sum, the largest one, where
 * NaN counts as the largest of all, and the row where that is first found. */
struct look {
	double sum, most;
	size_t at;
};

static struct look look(const double *x, size_t n)
{
	struct look k = { 0, -1, 0 };

	for (size_t i = 0; i < n; i++) {
		const double v = fabs(x[i]);

		k.sum += v;
		if (v > k.most || (isnan(v) && !isnan(k.most))) {
			k.most = v;
			k.at = i;
		}
	}
	return k;
}

/* The exponent of |A|. */
static int exponent_of(const struct solve_hosted *h)
{
	const bool single = h->each == sizeof(float);
	const int least = single ? FLT_MIN_EXP : DBL_MIN_EXP;
	const int most = (single ? FLT_MAX_EXP : DBL_MAX_EXP) - 1;
	int e;

	if (!(h->norm > 0) || !isfinite(h->norm))
		return 0;
	e = ilogb(h->norm);
	return e < least ? least : e > most ? most : e;
}

/* As probe_scale() and weight_scale() in kernels/solve/rules.h. */
static double scale_of(const struct solve_hosted *h)
{
	return ldexp(1, exponent_of(h) / 2);
}

static double weight_scale(const struct solve_hosted *h)
{
	const int e = exponent_of(h);

	return ldexp(1, e / 2 - e);
}

/* --- the probes */

/* Sets the columns of x_now after the first `count`, for the probes, to signs
 * times the scale. */
static void probes_begin(struct solve_hosted *h, size_t count)
{
	for (int c = 0; c < SOLVE_PROBES; c++) {
		double *y = h->x_now + (count + (size_t)c) * h->n;

		for (size_t i = 0; i < h->n; i++)
			y[i] = scale_of(h) * solve_sign(h->order[i], c);
	}
}

/* Solves A^T Z = (sign(Y), E) for the solutions Y of the probes, where column c
 * of E is the unit vector of the row in which column c of Y is largest (Hager
 * 1984; Higham 1988). */
static void probes_turn(struct solve_hosted *h, size_t count)
{
	const double scale = scale_of(h);

	memset(h->z, 0, SOLVE_TURNED * h->n * sizeof *h->z);
	for (size_t c = 0; c < SOLVE_PROBES; c++) {
		const double *y = h->x_now + (count + c) * h->n;
		const struct look k = look(y, h->n);

		for (size_t i = 0; i < h->n; i++)
			h->z[c * h->n + i] = copysign(scale, y[i]);
		h->z[(SOLVE_PROBES + c) * h->n + k.at] = scale;
		h->found[c] = k.sum / (double)h->n;
	}
	h->by->substitute_transposed(h->holder, h->z, SOLVE_TURNED);
}

/* Sets the columns of d after the first `count` for the last solve with A: unit
 * vectors of the rows in which the first columns of Z are largest, and W times
 * the signs of the others, which estimate the norm of |A^-1| W. */
static void probes_turn_back(struct solve_hosted *h, size_t count)
{
	const double scale = scale_of(h);

	for (size_t c = 0; c < SOLVE_TURNED; c++) {
		const double *z = h->z + c * h->n;
		const struct look k = look(z, h->n);
		double *to = h->d + (count + c) * h->n;

		for (size_t i = 0; i < h->n; i++)
			to[i] = c < SOLVE_PROBES ? (i == k.at ? scale : 0) :
			        copysign(rounded(h, h->first[h->order[i]]),
			                 z[i]);
		if (c < SOLVE_PROBES)
			h->found[SOLVE_PROBES + c] = k.most;
	}
}

static void probes_end(struct solve_hosted *h, size_t count)
{
	double most = 0;

	for (size_t c = 0; c < SOLVE_TURNED; c++) {
		const struct look k = look(h->d + (count + c) * h->n, h->n);

		h->found[SOLVE_TURNED + c] = c < SOLVE_PROBES ? k.sum : k.most;
	}
	for (int i = 0; i < SOLVE_TURNED + SOLVE_PROBES; i++)
		most = lu_larger(most, h->found[i]);
	h->told[TOLD_CONDITION] = most * (h->norm / scale_of(h));
}

/* Estimates |A^-1| W for the last W. */
static double forward_error(const struct solve_hosted *h)
{
	const double power = lu_larger(h->found[6], h->found[7]);
	double most = 0, grown = 0;

	for (size_t c = SOLVE_PROBES; c < SOLVE_TURNED; c++) {
		double sum = 0;

		for (size_t i = 0; i < h->n; i++)
			sum += fabs(h->z[c * h->n + i]) *
			       (h->last[h->order[i]] / scale_of(h));
		most = lu_larger(most, sum);
	}
	for (size_t i = 0; i < h->n; i++)
		if (h->first[i] > 0)
			grown = fmax(grown, h->last[i] / h->first[i]);
	return lu_larger(most, grown * power) / weight_scale(h);
}

/* --- refinement */

/* As backward_error() in kernels/solve/rules.h. */
static double backward_error(double r, double size, size_t n, double eps)
{
	const double tiny = (double)(n + 1) * (DBL_MIN * DBL_EPSILON);
	const double more = size * eps > tiny ? 0 : tiny;

	return r == 0 ? 0 : (fabs(r) + more) / (size + more) + 0 * size;
}

/* Computes the residuals R and the weights W: those of the probes the first
 * time, later those of the forward error. Sets each column's largest backward
 * error and the 1-norm of its residual. */
static void rest(struct solve_hosted *h, size_t count, bool later,
                 double *backward, double *sum)
{
	const double eps = roundoff(h), unit = (double)(h->n + 1) * eps;
	double *const weight = later || h->probed ? h->last : h->first;

	h->by->rest(h->holder, count);
	memset(weight, 0, h->n * sizeof *weight);
	for (size_t q = 0; q < count; q++) {
		const double most = h->column[q].most;
		const double inverse = (most > 0 ? fmin(1 / most, DBL_MAX) :
		                        0) * weight_scale(h);

		backward[q] = sum[q] = 0;
		for (size_t i = 0; i < h->n; i++) {
			const double r = h->r[q * h->n + i];
			const double size = h->size[q * h->n + i];

			backward[q] = lu_larger(backward[q],
			    backward_error(r, size, h->n, eps));
			sum[q] += fabs(r);
			weight[i] = fmax(weight[i], inverse * (later ?
			                 fabs(r) + unit * size : size));
		}
	}
}

static void measure(struct solve_hosted *h, size_t q)
{
	const struct look k = look(h->x_now + q * h->n, h->n);

	h->column[q].most = k.most;
	h->column[q].sum = k.sum;
}

/* Adds the correction to column q of X, or undoes the last correction if that
 * made it worse. */
static void move(struct solve_hosted *h, size_t q)
{
	const int state = h->column[q].state;

	for (size_t i = q * h->n; i < (q + 1) * h->n && state != STATE_DONE;
	     i++) {
		const double before = h->x_now[i];

		h->x_now[i] = state == STATE_BACK ? h->old[i] :
		              rounded(h, before + h->d[i]);
		h->old[i] = before;
	}
	measure(h, q);
}

static int next_state(double before, double now, int steps, double eps)
{
	if (now <= 2 * eps)
		return STATE_DONE;
	if (!(now <= before))
		return STATE_BACK;
	return now < before && steps < SOLVE_STEPS ? STATE_ACTIVE : STATE_DONE;
}

/* As column_judge() in kernels/solve/rules.h. */
static void judge(struct solve_column_state *c, double backward, double sum,
                  double eps)
{
	const int state = c->state, steps = c->steps + 1;

	if (state == STATE_DONE)
		return;
	c->state = state == STATE_BACK ? STATE_DONE :
	           next_state(c->backward, backward, steps, eps);
	c->ratio = sum == 0 ? 0 : sum / c->sum;
	if (c->state == STATE_BACK || state == STATE_BACK)
		return;
	c->backward = backward;
	c->steps = steps;
}

/* A step of refinement, with `probes` columns beside the corrections. */
static void step(struct solve_hosted *h, size_t count, size_t probes)
{
	double backward[SOLVE_SIDES], sum[SOLVE_SIDES];

	for (size_t q = 0; q < count; q++)
		for (size_t i = 0; i < h->n; i++)
			h->d[q * h->n + i] = h->r[q * h->n +
			                          (size_t)h->order[i]];
	if (probes > 0)
		probes_turn_back(h, count);
	h->by->substitute(h->holder, h->d, count + probes);
	for (size_t q = 0; q < count; q++)
		move(h, q);
	if (probes > 0)
		probes_end(h, count);
	rest(h, count, true, backward, sum);
	for (size_t q = 0; q < count; q++)
		judge(&h->column[q], backward[q], sum[q], roundoff(h));
}

static bool goes_on(const struct solve_hosted *h, size_t count)
{
	for (size_t q = 0; q < count && !seq_failed(h->s); q++)
		if (h->column[q].state != STATE_DONE)
			return true;
	return false;
}

/* --- some right-hand sides */

/* X = P B */
static void begin(struct solve_hosted *h, const struct matrix *b, size_t first,
                  size_t count)
{
	for (size_t q = 0; q < count; q++) {
		double *const own = h->b + q * h->n;

		for (size_t i = 0; i < h->n; i++)
			own[i] = matrix_get(b, i * h->sides + first + q);
		for (size_t i = 0; i < h->n; i++)
			h->x_now[q * h->n + i] = own[h->order[i]];
	}
}

/* Sets what refinement knows of the columns before its first step. */
static void start(struct solve_hosted *h, size_t count)
{
	double backward[SOLVE_SIDES], sum[SOLVE_SIDES];

	for (size_t q = 0; q < count; q++)
		measure(h, q);
	rest(h, count, false, backward, sum);
	for (size_t q = 0; q < count; q++) {
		h->column[q].backward = backward[q];
		h->column[q].state = STATE_ACTIVE;
		h->column[q].steps = 0;
	}
}

static void tell(struct solve_hosted *h, size_t count)
{
	const double most = (double)(h->n + 1) * roundoff(h);
	double *const told = h->told, forward = h->judged ?
	                     forward_error(h) : 0;

	for (size_t q = 0; q < count; q++) {
		const struct solve_column_state *c = &h->column[q];

		told[TOLD_RESIDUAL] = lu_larger(told[TOLD_RESIDUAL],
		                             c->ratio / h->norm);
		told[TOLD_STEPS] = fmax(told[TOLD_STEPS], c->steps);
		told[TOLD_STALLED] += !(c->backward <= most);
		told[TOLD_FORWARD] = lu_larger(told[TOLD_FORWARD],
		                            0 * c->backward);
	}
	told[TOLD_FORWARD] = lu_larger(told[TOLD_FORWARD], forward);
}

void solve_hosted_columns(struct solve_hosted *h, const struct matrix *b,
                          size_t first, size_t count, struct matrix *x)
{
	const bool probes = h->judged && first == 0;

	begin(h, b, first, count);
	if (probes)
		probes_begin(h, count);
	h->by->substitute(h->holder, h->x_now, count +
	                  (probes ? SOLVE_PROBES : 0));
	start(h, count);
	if (probes)
		probes_turn(h, count);
	h->probed |= probes;
	step(h, count, probes ? SOLVE_TURNED : 0);
	while (goes_on(h, count))
		step(h, count, 0);
	if (seq_failed(h->s))
		return;
	tell(h, count);
	for (size_t q = 0; q < count && h->answers; q++)
		for (size_t i = 0; i < h->n; i++)
			matrix_set(x, i * h->sides + first + q,
			           h->x_now[q * h->n + i]);
}
