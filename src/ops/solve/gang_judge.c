/* gang_judge.c - refines and judges the answers of several devices, by the
 * rules and the probes of one (kernels/shared/solve_told.h,
 * kernels/solve/rules.h); see gang.h. Every part computes all of this from the
 * same numbers, and so gets the same results. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "ops/lu/sums.h"
#include "ops/solve/gang.h"

/* LAPACK's eps. */
static double roundoff(const struct solve_gang *g)
{
	return dtype_epsilon(seq_dtype(g->s)) / 2;
}

/* A number of the call's type. */
static double rounded(const struct solve_gang *g, double x)
{
	return g->lu.each == sizeof(float) ? (float)x : x;
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
static int exponent_of(const struct solve_gang *g)
{
	const bool single = g->lu.each == sizeof(float);
	const int least = single ? FLT_MIN_EXP : DBL_MIN_EXP;
	const int most = (single ? FLT_MAX_EXP : DBL_MAX_EXP) - 1;
	int e;

	if (!(g->norm > 0) || !isfinite(g->norm))
		return 0;
	e = ilogb(g->norm);
	return e < least ? least : e > most ? most : e;
}

/* As probe_scale() and weight_scale() in kernels/solve/rules.h. */
static double scale_of(const struct solve_gang *g)
{
	return ldexp(1, exponent_of(g) / 2);
}

static double weight_scale(const struct solve_gang *g)
{
	const int e = exponent_of(g);

	return ldexp(1, e / 2 - e);
}

/* --- the probes */

/* Sets the columns of x_now after the first `count`, for the probes, to signs
 * times the scale. */
static void probes_begin(struct solve_gang *g, size_t count)
{
	for (int c = 0; c < SOLVE_PROBES; c++) {
		double *y = g->x_now + (count + (size_t)c) * g->n;

		for (size_t i = 0; i < g->n; i++)
			y[i] = scale_of(g) * solve_sign(g->order[i], c);
	}
}

/* Solves A^T Z = (sign(Y), E) for the solutions Y of the probes, where column c
 * of E is the unit vector of the row in which column c of Y is largest (Hager
 * 1984; Higham 1988). */
static void probes_turn(struct solve_gang *g, size_t count)
{
	const double scale = scale_of(g);

	memset(g->z, 0, SOLVE_TURNED * g->n * sizeof *g->z);
	for (size_t c = 0; c < SOLVE_PROBES; c++) {
		const double *y = g->x_now + (count + c) * g->n;
		const struct look k = look(y, g->n);

		for (size_t i = 0; i < g->n; i++)
			g->z[c * g->n + i] = copysign(scale, y[i]);
		g->z[(SOLVE_PROBES + c) * g->n + k.at] = scale;
		g->found[c] = k.sum / (double)g->n;
	}
	solve_gang_substitute_transposed(g, g->z, SOLVE_TURNED);
}

/* Sets the columns of d after the first `count` for the last solve with A: unit
 * vectors of the rows in which the first columns of Z are largest, and W times
 * the signs of the others, which estimate the norm of |A^-1| W. */
static void probes_turn_back(struct solve_gang *g, size_t count)
{
	const double scale = scale_of(g);

	for (size_t c = 0; c < SOLVE_TURNED; c++) {
		const double *z = g->z + c * g->n;
		const struct look k = look(z, g->n);
		double *to = g->d + (count + c) * g->n;

		for (size_t i = 0; i < g->n; i++)
			to[i] = c < SOLVE_PROBES ? (i == k.at ? scale : 0) :
			        copysign(rounded(g, g->first[g->order[i]]),
			                 z[i]);
		if (c < SOLVE_PROBES)
			g->found[SOLVE_PROBES + c] = k.most;
	}
}

static void probes_end(struct solve_gang *g, size_t count)
{
	double most = 0;

	for (size_t c = 0; c < SOLVE_TURNED; c++) {
		const struct look k = look(g->d + (count + c) * g->n, g->n);

		g->found[SOLVE_TURNED + c] = c < SOLVE_PROBES ? k.sum : k.most;
	}
	for (int i = 0; i < SOLVE_TURNED + SOLVE_PROBES; i++)
		most = lu_larger(most, g->found[i]);
	g->told[TOLD_CONDITION] = most * (g->norm / scale_of(g));
}

/* Estimates |A^-1| W for the last W. */
static double forward_error(const struct solve_gang *g)
{
	const double power = lu_larger(g->found[6], g->found[7]);
	double most = 0, grown = 0;

	for (size_t c = SOLVE_PROBES; c < SOLVE_TURNED; c++) {
		double sum = 0;

		for (size_t i = 0; i < g->n; i++)
			sum += fabs(g->z[c * g->n + i]) *
			       (g->last[g->order[i]] / scale_of(g));
		most = lu_larger(most, sum);
	}
	for (size_t i = 0; i < g->n; i++)
		if (g->first[i] > 0)
			grown = fmax(grown, g->last[i] / g->first[i]);
	return lu_larger(most, grown * power) / weight_scale(g);
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
static void rest(struct solve_gang *g, size_t count, bool later,
                 double *backward, double *sum)
{
	const double eps = roundoff(g), unit = (double)(g->n + 1) * eps;
	double *const weight = later || g->probed ? g->last : g->first;

	solve_gang_rest(g, count);
	memset(weight, 0, g->n * sizeof *weight);
	for (size_t q = 0; q < count; q++) {
		const double most = g->column[q].most;
		const double inverse = (most > 0 ? fmin(1 / most, DBL_MAX) :
		                        0) * weight_scale(g);

		backward[q] = sum[q] = 0;
		for (size_t i = 0; i < g->n; i++) {
			const double r = g->r[q * g->n + i];
			const double size = g->size[q * g->n + i];

			backward[q] = lu_larger(backward[q],
			    backward_error(r, size, g->n, eps));
			sum[q] += fabs(r);
			weight[i] = fmax(weight[i], inverse * (later ?
			                 fabs(r) + unit * size : size));
		}
	}
}

static void measure(struct solve_gang *g, size_t q)
{
	const struct look k = look(g->x_now + q * g->n, g->n);

	g->column[q].most = k.most;
	g->column[q].sum = k.sum;
}

/* Adds the correction to column q of X, or undoes the last correction if that
 * made it worse. */
static void move(struct solve_gang *g, size_t q)
{
	const int state = g->column[q].state;

	for (size_t i = q * g->n; i < (q + 1) * g->n && state != STATE_DONE;
	     i++) {
		const double before = g->x_now[i];

		g->x_now[i] = state == STATE_BACK ? g->old[i] :
		              rounded(g, before + g->d[i]);
		g->old[i] = before;
	}
	measure(g, q);
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
static void judge(struct solve_gang_column *c, double backward, double sum,
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
static void step(struct solve_gang *g, size_t count, size_t probes)
{
	double backward[SOLVE_GANG_SIDES], sum[SOLVE_GANG_SIDES];

	for (size_t q = 0; q < count; q++)
		for (size_t i = 0; i < g->n; i++)
			g->d[q * g->n + i] = g->r[q * g->n +
			                          (size_t)g->order[i]];
	if (probes > 0)
		probes_turn_back(g, count);
	solve_gang_substitute(g, g->d, count + probes);
	for (size_t q = 0; q < count; q++)
		move(g, q);
	if (probes > 0)
		probes_end(g, count);
	rest(g, count, true, backward, sum);
	for (size_t q = 0; q < count; q++)
		judge(&g->column[q], backward[q], sum[q], roundoff(g));
}

static bool goes_on(const struct solve_gang *g, size_t count)
{
	for (size_t q = 0; q < count && !seq_failed(g->s); q++)
		if (g->column[q].state != STATE_DONE)
			return true;
	return false;
}

/* --- some right-hand sides */

/* X = P B */
static void begin(struct solve_gang *g, const struct matrix *b, size_t first,
                  size_t count)
{
	for (size_t q = 0; q < count; q++) {
		double *const own = g->b + q * g->n;

		for (size_t i = 0; i < g->n; i++)
			own[i] = matrix_get(b, i * g->sides + first + q);
		for (size_t i = 0; i < g->n; i++)
			g->x_now[q * g->n + i] = own[g->order[i]];
	}
}

/* Sets what refinement knows of the columns before its first step. */
static void start(struct solve_gang *g, size_t count)
{
	double backward[SOLVE_GANG_SIDES], sum[SOLVE_GANG_SIDES];

	for (size_t q = 0; q < count; q++)
		measure(g, q);
	rest(g, count, false, backward, sum);
	for (size_t q = 0; q < count; q++) {
		g->column[q].backward = backward[q];
		g->column[q].state = STATE_ACTIVE;
		g->column[q].steps = 0;
	}
}

static void tell(struct solve_gang *g, size_t count)
{
	const double most = (double)(g->n + 1) * roundoff(g);
	double *const told = g->told, forward = g->judged ?
	                     forward_error(g) : 0;

	for (size_t q = 0; q < count; q++) {
		const struct solve_gang_column *c = &g->column[q];

		told[TOLD_RESIDUAL] = lu_larger(told[TOLD_RESIDUAL],
		                             c->ratio / g->norm);
		told[TOLD_STEPS] = fmax(told[TOLD_STEPS], c->steps);
		told[TOLD_STALLED] += !(c->backward <= most);
		told[TOLD_FORWARD] = lu_larger(told[TOLD_FORWARD],
		                            0 * c->backward);
	}
	told[TOLD_FORWARD] = lu_larger(told[TOLD_FORWARD], forward);
}

void solve_gang_columns(struct solve_gang *g, const struct matrix *b,
                        size_t first, size_t count, struct matrix *x)
{
	const bool probes = g->judged && first == 0;

	begin(g, b, first, count);
	if (probes)
		probes_begin(g, count);
	solve_gang_substitute(g, g->x_now, count +
	                      (probes ? SOLVE_PROBES : 0));
	start(g, count);
	if (probes)
		probes_turn(g, count);
	g->probed |= probes;
	step(g, count, probes ? SOLVE_TURNED : 0);
	while (goes_on(g, count))
		step(g, count, 0);
	if (seq_failed(g->s))
		return;
	tell(g, count);
	for (size_t q = 0; q < count && g->lu.x.part == 0; q++)
		for (size_t i = 0; i < g->n; i++)
			matrix_set(x, i * g->sides + first + q,
			           g->x_now[q * g->n + i]);
}
