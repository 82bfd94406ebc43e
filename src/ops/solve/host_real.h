/* host_real.h - systems of known structure in one of the two types
 * (ops/lapack/each_type.h). Vectors of long double hold sums. */
#include "ops/solve/invert_real.h"

/* Adds T x, or T^T x if `across`, to y for a triangle T. With `sizes` the
 * magnitudes of T's elements take their place. */
static void TYPED(add)(const void *from, size_t n, bool lower,
                       enum diagonal diagonal, bool across, bool sizes,
                       const long double *x, long double *y)
{
	const real *t = from;

	for (size_t i = 0; i < n; i++, t += n) {
		const size_t end = lower ? i : n;
		long double sum = 0;

		lapack_poll();
		for (size_t j = lower ? 0 : i + 1; j < end; j++) {
			const real v = sizes ? (real)fabs(t[j]) : t[j];

			if (across)
				y[j] += v * x[i];
			else
				sum += v * x[j];
		}
		if (diagonal == READ)
			sum += (sizes ? fabs(t[i]) : t[i]) * x[i];
		else if (diagonal == ONES)
			sum += x[i];
		y[i] += sum;
	}
}

/* Computes y = op(A) x, or op(A)^T x if `back`; room has n numbers. With
 * `sizes` the magnitudes of all triangles' elements take their place, which for
 * KIND_FACTORS gives a bound on |A| x. */
static void TYPED(times)(const struct prepared *p, bool back, bool sizes,
                         const long double *x, long double *y,
                         long double *room)
{
	const size_t n = p->n;
	const bool across = p->turned != back;
	const bool lower = p->kind != KIND_UPPER;

	memset(y, 0, n * sizeof *y);
	if (p->kind == KIND_SPD || p->kind == KIND_SYMMETRIC) {
		TYPED(add)(p->t, n, true, READ, false, sizes, x, y);
		TYPED(add)(p->t, n, true, ZEROS, true, sizes, x, y);
	} else if (p->kind != KIND_FACTORS) {
		TYPED(add)(p->t, n, lower, READ, across, sizes, x, y);
	} else if (across) {		/* U^T L^T P */
		memcpy(room, x, n * sizeof *x);
		swap_rows(p, room, false);
		TYPED(add)(p->t, n, true, ONES, true, sizes, room, y);
		memcpy(room, y, n * sizeof *y);
		memset(y, 0, n * sizeof *y);
		TYPED(add)(p->t, n, false, READ, true, sizes, room, y);
	} else {			/* P^T L U */
		memset(room, 0, n * sizeof *room);
		TYPED(add)(p->t, n, false, READ, false, sizes, x, room);
		TYPED(add)(p->t, n, true, ONES, false, sizes, room, y);
		swap_rows(p, y, true);
	}
}

/* An operator whose 1-norm is estimated: s op(A) itself, or s W op(A)^-T. */
struct TYPED(operator) {
	const struct lapack *l;
	const struct prepared *p;
	const double *weight;		/* W's diagonal; NULL if all ones */
	double scale;			/* s; see scale_of() */
	bool itself;
	real *b;			/* n */
	long double *x, *y, *room;	/* n each, if itself */
};

/* Replaces x by M x, or by M^T x if `back`, where M is the operator. */
static void TYPED(apply)(const void *operator, bool back, double *x)
{
	const struct TYPED(operator) *const o = operator;
	const size_t n = o->p->n;

	for (size_t i = 0; i < n && o->itself; i++)
		o->x[i] = x[i];
	if (o->itself) {
		TYPED(times)(o->p, back, false, o->x, o->y, o->room);
		for (size_t i = 0; i < n; i++)
			x[i] = (double)(o->y[i] * o->scale);
		return;
	}
	for (size_t i = 0; i < n; i++)
		o->b[i] = (real)(x[i] * o->scale *
		                 (back && o->weight ? o->weight[i] : 1));
	TYPED(invert)(o->l, o->p, !back, o->b, 1);
	for (size_t i = 0; i < n; i++)
		x[i] = o->b[i] * (!back && o->weight ? o->weight[i] : 1);
}

static double TYPED(estimate)(const struct TYPED(operator) *o, double *x,
                              double *signs)
{
	return estimate_norm1(&(struct estimate_operator){
		o->p->n, TYPED(apply), o }, x, signs);
}

/* Returns the first row of A's triangle, or of the factors, that has an element
 * which is not finite, or n. */
static size_t TYPED(nonfinite_row)(const struct prepared *p)
{
	const real *t = p->t;
	const size_t n = p->n;

	for (size_t i = 0; i < n; i++, t += n) {
		const size_t from = p->kind == KIND_UPPER ? i : 0;
		const size_t to = p->kind == KIND_UPPER ||
		                  p->kind == KIND_FACTORS ? n : i + 1;

		if (lapack_find_nonfinite(REAL_DTYPE, t + from, to - from) <
		    to - from)
			return i;
	}
	return n;
}

/* Returns the sum of `by` |t_j| over `count` elements, and adds each to its
 * sum, of those that are not NULL. The lanes let the compiler use vector
 * instructions. */
static double TYPED(add_sizes)(const real *t, size_t count, double by,
                               double *sums)
{
	enum { LANES = 8 };
	double lane[LANES] = { 0 }, sum = 0;
	size_t j = 0;

	for (; j + LANES <= count; j += LANES)
		for (size_t k = 0; k < LANES; k++)
			lane[k] += fabs(t[j + k]) * by;
	for (; j < count; j++)
		sum += fabs(t[j]) * by;
	for (size_t k = 0; k < LANES; k++)
		sum += lane[k];
	for (j = 0; sums && j + LANES <= count; j += LANES)
		for (size_t k = 0; k < LANES; k++)
			sums[j + k] += fabs(t[j + k]) * by;
	for (; sums && j < count; j++)
		sums[j] += fabs(t[j]) * by;
	return sum;
}

/* Returns the 1-norm of `by` op(A), where A is given by a triangle. sums has
 * room for n numbers. */
static double TYPED(norm)(const struct prepared *p, double by, double *sums)
{
	const size_t n = p->n;
	const bool both = p->kind == KIND_SPD || p->kind == KIND_SYMMETRIC;
	const real *t = p->t;
	double most = 0;

	memset(sums, 0, n * sizeof *sums);
	for (size_t i = 0; i < n; i++, t += n) {
		const size_t from = p->kind == KIND_UPPER ? i : 0;
		const size_t to = p->kind == KIND_UPPER ? n : i + 1;
		const double row = TYPED(add_sizes)(t + from, to - from, by,
		    both || !p->turned ? sums + from : NULL);

		if (both || p->turned)
			sums[i] += row - (both ? fabs(t[i]) * by : 0);
	}
	for (size_t i = 0; i < n; i++)
		most = fmax(most, sums[i]);
	return most;
}

/* Returns |op(A)| multiplied by `by`. It is estimated if A is given by its
 * factors, and otherwise computed. */
static double TYPED(size_of)(struct TYPED(operator) *o, double by,
                             struct room *r)
{
	o->scale = by;
	return o->itself ? TYPED(estimate)(o, r->w, r->signs) :
	       TYPED(norm)(o->p, by, r->w);
}

/* Sets |op(A)| and rcond. */
static void TYPED(measure)(const struct lapack *l, struct prepared *p,
                           struct room *r)
{
	struct TYPED(operator) o = { .l = l, .p = p, .b = r->b, .x = r->x,
	                             .y = r->y, .room = r->more,
	                             .itself = p->kind == KIND_FACTORS };
	double inverse;

	p->norm = TYPED(size_of)(&o, 1, r);
	if (isinf(p->norm))
		p->norm = TYPED(size_of)(&o, DOWN, r) / (long double)DOWN;
	/* The operator is op(A)^-T; with A transposed it is op(A)^-1. */
	o.itself = false;
	o.scale = scale_of(p->norm, REAL_DTYPE);
	p->turned = !p->turned;
	inverse = TYPED(estimate)(&o, r->w, r->signs) *
	          (double)(p->norm / o.scale);
	p->turned = !p->turned;
	p->rcond = isfinite(inverse) ? fmin(1 / inverse, 1) : 0;
}

/* Computes m->r = b - op(A) x and m->y = |op(A)| |x| + |b|; returns the largest
 * |r_i| / y_i, infinity if one is NaN. */
static double TYPED(residual)(const struct prepared *p, const real *b,
                              size_t step, const real *x, struct room *m)
{
	double worst = 0;

	for (size_t i = 0; i < p->n; i++)
		m->x[i] = x[i];
	TYPED(times)(p, false, false, m->x, m->r, m->more);
	for (size_t i = 0; i < p->n; i++)
		m->x[i] = fabs(x[i]);
	TYPED(times)(p, false, true, m->x, m->y, m->more);
	for (size_t i = 0; i < p->n; i++) {
		m->r[i] = b[i * step] - m->r[i];
		m->y[i] += fabs(b[i * step]);
		if (m->r[i] != 0)
			worst = verdict_worse(worst, (double)fabsl(m->r[i] /
			                                           m->y[i]));
	}
	return worst;
}

/* Refines x by the rule of column_next() in kernels/solve/rules.h: while the
 * backward error falls and is not near the roundoff. A step after which it is
 * larger is undone. There is no refinement with factors that the client gives,
 * because A itself is not known. Returns the number of steps. */
static int TYPED(refine)(const struct lapack *l, const struct prepared *p,
                         const real *b, size_t step, real *x, struct room *m)
{
	double error = TYPED(residual)(p, b, step, x, m), before = INFINITY;
	real *correction = m->b;
	int steps = 0;

	while (p->kind != KIND_FACTORS && error < before &&
	       error > (steps > 0 ? 1 : 0.5) * REAL_EPSILON &&
	       steps < SOLVE_STEPS) {
		before = error;
		for (size_t i = 0; i < p->n; i++)
			correction[i] = (real)m->r[i];
		TYPED(invert)(l, p, false, correction, 1);
		for (size_t i = 0; i < p->n; i++) {
			m->signs[i] = x[i];
			x[i] += correction[i];
		}
		error = TYPED(residual)(p, b, step, x, m);
		steps++;
	}
	if (steps == 0 || error <= before)
		return steps;
	for (size_t i = 0; i < p->n; i++)
		x[i] = (real)m->signs[i];
	TYPED(residual)(p, b, step, x, m);
	return steps - 1;
}

/* Sets m->weight to W / u for the vector W = |r| + (n + 1) u y, and returns u,
 * a power of two near its largest element, which may be beyond the range of
 * double. */
static long double TYPED(weigh)(const struct prepared *p, struct room *m)
{
	const double unit = (double)(p->n + 1) * REAL_EPSILON / 2;
	long double most = 0, power;

	for (size_t i = 0; i < p->n; i++)
		most = fmaxl(most, fabsl(m->r[i]) + unit * m->y[i]);
	power = most > 0 && isfinite(most) ? ldexpl(1, ilogbl(most)) : 1;
	for (size_t i = 0; i < p->n; i++)
		m->weight[i] = (double)((fabsl(m->r[i]) + unit * m->y[i]) /
		                        power);
	return power;
}

/* Bounds the forward error of x as LAPACK's xGERFS does, by the largest element
 * of |A^-1| W, over |x|. Sets the ratio |b - A x| / (|A| |x|), too. Both are
 * infinite for an x that is not finite. */
static void TYPED(judge)(const struct lapack *l, const struct prepared *p,
                         const real *x, struct room *m, struct host_look *k)
{
	const struct TYPED(operator) o = {
		.l = l, .p = p, .b = m->b, .weight = m->weight,
		.scale = scale_of(p->norm, REAL_DTYPE),
	};
	const long double power = TYPED(weigh)(p, m);
	double most = 0, sum = 0, rest = 0, error;

	for (size_t i = 0; i < p->n; i++) {
		most = fmax(most, fabs(x[i]));
		sum += fabs(x[i]);
		rest += (double)fabsl(m->r[i]);
	}
	if (lapack_find_nonfinite(REAL_DTYPE, x, p->n) < p->n) {
		k->forward = k->ratio = INFINITY;
		k->overflown = true;
		return;
	}
	error = TYPED(estimate)(&o, m->w, m->signs);
	if (most > 0)
		error = (double)(error * power / most / o.scale);
	k->forward = verdict_worse(k->forward, most > 0 || error == 0 ?
	                           error : INFINITY);
	k->ratio = verdict_worse(k->ratio, rest == 0 ? 0 :
	                         (double)(rest / (p->norm * sum)));
}

/* Solves, refines and judges one system with `sides` right-hand sides. */
static void TYPED(solve)(const struct lapack_call *c, const struct prepared *p,
                         const real *b, real *x, size_t sides,
                         struct room *m, struct host_look *k)
{
	const size_t n = p->n, looked_at = size_min(sides, SOLVE_FEW);
	real *columns = m->columns;

	lapack_transpose(b, sides, n, sides, sizeof *b, columns, n);
	TYPED(invert)(c->l, p, false, columns, sides);
	for (size_t j = 0; j < looked_at; j++) {
		real *column = columns + j * n;

		if (sides <= SOLVE_FEW) {
			const int steps = TYPED(refine)(c->l, p, b + j, sides,
			                                column, m);

			k->steps = steps > k->steps ? steps : k->steps;
		} else {
			TYPED(residual)(p, b + j, sides, column, m);
		}
		if (c->a->quality != QUALITY_NONE)
			TYPED(judge)(c->l, p, column, m, k);
	}
	lapack_transpose(columns, n, sides, n, sizeof *x, x, sides);
}
