/* complex_factors.c - see complex_factors.h. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "ops/solve/complex_factors.h"

/* Exchanges the rows of x as P, or with `back` as P^T. */
static void swap_rows(const struct complex_factors *f, cplx *x, bool back)
{
	for (size_t k = 0; k < f->n; k++) {
		const size_t i = back ? f->n - 1 - k : k;
		const size_t with = (size_t)f->pivots[i] - 1;
		const cplx v = x[i];

		x[i] = x[with];
		x[with] = v;
	}
}

/* How an element of the factors enters a product. */
static cplx as_is(cplx x)
{
	return x;
}

static cplx conjugate(cplx x)
{
	return conj(x);
}

static cplx size_of(cplx x)
{
	return cabs(x);
}

typedef cplx entry_fn(cplx x);

/* x = P^T L U x */
static void times(const struct complex_factors *f, entry_fn *entry, cplx *x)
{
	const size_t n = f->n;

	for (size_t j = 0; j < n; j++) {
		const cplx *u = f->lu + j * n, v = x[j];

		for (size_t i = 0; i < j; i++)
			x[i] += entry(u[i]) * v;
		x[j] = entry(u[j]) * v;
	}
	for (size_t j = n; j-- > 0; )
		for (size_t i = j + 1; i < n; i++)
			x[i] += entry(f->lu[j * n + i]) * x[j];
	swap_rows(f, x, true);
}

/* x = U^T L^T P x */
static void times_turned(const struct complex_factors *f, entry_fn *entry,
                         cplx *x)
{
	const size_t n = f->n;

	swap_rows(f, x, false);
	for (size_t j = 0; j < n; j++)
		for (size_t i = j + 1; i < n; i++)
			x[j] += entry(f->lu[j * n + i]) * x[i];
	for (size_t j = n; j-- > 0; ) {
		const cplx *u = f->lu + j * n;

		x[j] *= entry(u[j]);
		for (size_t i = 0; i < j; i++)
			x[j] += entry(u[i]) * x[i];
	}
}

/* --- norms */

/* An operator M whose 1-norm is estimated: A, or s W A^-H; with A transposed,
 * A^H or s W A^-1, whose elements have the moduli of A^T and s W A^-T^H. */
struct operator {
	const struct complex_factors *f;
	bool inverse;
	double scale;			/* s */
};

/* Replaces x by M x, or by M^H x if `back`. */
static void apply(const struct operator *o, bool back, cplx *x)
{
	const struct complex_factors *f = o->f;
	const int n = (int)f->n;
	const bool across = f->turned != back;

	if (!o->inverse) {
		if (across)
			times_turned(f, conjugate, x);
		else
			times(f, as_is, x);
		return;
	}
	for (size_t i = 0; i < f->n; i++)
		x[i] *= o->scale * (back ? f->weight[i] : 1);
	f->l->z.getrs(LAPACK_COLUMNS, across ? 'N' : 'C', n, 1, f->lu, n,
	              f->pivots, x, n);
	for (size_t i = 0; i < f->n && !back; i++)
		x[i] *= f->weight[i];
}

/* Returns an estimate of |M|, infinity if a product overflows (N. Higham 1988,
 * algorithm 2.4; LAPACK's ZLACN2). */
static double estimate(const struct operator *o)
{
	const size_t n = o->f->n;
	cplx *const x = o->f->y;
	double best = 0;
	size_t last = n;

	for (size_t i = 0; i < n; i++)
		x[i] = 1 / (double)n;
	for (int turn = 0; turn < 5; turn++) {
		const double now = (apply(o, false, x), complex_sum(x, n));
		size_t top = 0;

		if (!isfinite(now))
			return INFINITY;
		if (now <= best)
			break;
		best = now;
		for (size_t i = 0; i < n; i++)
			x[i] = cabs(x[i]) >= DBL_MIN ? x[i] / cabs(x[i]) : 1;
		apply(o, true, x);
		if (!isfinite(complex_sum(x, n)))
			return INFINITY;
		for (size_t i = 1; i < n; i++)
			if (cabs(x[i]) > cabs(x[top]))
				top = i;
		if (top == last)
			break;
		last = top;
		for (size_t i = 0; i < n; i++)
			x[i] = i == top;
	}
	for (size_t i = 0; i < n; i++)
		x[i] = (i % 2 ? -1 : 1) *
		       (1 + (double)i / (double)(n > 1 ? n - 1 : 1));
	apply(o, false, x);
	return verdict_worse(best, 2 * complex_sum(x, n) / (3 * (double)n));
}

double complex_factors_norm(const struct complex_factors *f)
{
	return estimate(&(const struct operator){ .f = f });
}

/* --- the accuracy of a solution */

double complex_factors_residual(const struct complex_factors *f,
                                const cplx *b, const cplx *x, cplx *r)
{
	memcpy(r, x, f->n * sizeof *r);
	(f->turned ? times_turned : times)(f, as_is, r);
	for (size_t i = 0; i < f->n; i++)
		r[i] = b[i] - r[i];
	return complex_sum(r, f->n);
}

/* Sets f->weight to |r| + (n + 1) eps (|op(A)| |x| + |b|). */
static void weigh(const struct complex_factors *f, const cplx *b,
                  const cplx *x, const cplx *r)
{
	const double unit = (double)(f->n + 1) * f->eps / 2;

	for (size_t i = 0; i < f->n; i++)
		f->x[i] = cabs(x[i]);
	(f->turned ? times_turned : times)(f, size_of, f->x);
	for (size_t i = 0; i < f->n; i++)
		f->weight[i] = cabs(r[i]) + unit * (creal(f->x[i]) +
		                                    cabs(b[i]));
}

/* Divides f->weight by a power of two near its largest element, and returns
 * that. */
static double normalize(const struct complex_factors *f)
{
	double most = 0, power;

	for (size_t i = 0; i < f->n; i++)
		most = fmax(most, f->weight[i]);
	power = most > 0 && isfinite(most) ? ldexp(1, ilogb(most)) : 1;
	for (size_t i = 0; i < f->n; i++)
		f->weight[i] /= power;
	return power;
}

double complex_factors_bound(const struct complex_factors *f, double norm,
                             double size)
{
	/* With it neither solutions nor their products overflow, unless the
	 * condition is large. */
	const double scale = norm > 0 && isfinite(norm) ?
	                     ldexp(1, ilogb(norm) / 2) : 1;
	const double power = normalize(f);
	const double error = estimate(&(const struct operator){ f, true,
	                                                        scale });

	return size > 0 ? error * (power / size / scale) :
	       error > 0 ? INFINITY : 0;
}

double complex_factors_forward(const struct complex_factors *f, const cplx *b,
                               const cplx *x, const cplx *r, double norm)
{
	double most = 0;

	weigh(f, b, x, r);
	for (size_t i = 0; i < f->n; i++)
		most = fmax(most, cabs(x[i]));
	return complex_factors_bound(f, norm, most);
}
