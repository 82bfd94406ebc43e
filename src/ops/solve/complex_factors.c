/* complex_factors.c - see complex_factors.h. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "ops/solve/complex_factors.h"

/* Exchanges the rows of x as P, or with `back` as P^T. */
static void swap_rows(const struct complex_factors *f, cplx *x, bool back)
{
	for (size_t k = 0; k < f->solver.n; k++) {
		const size_t i = back ? f->solver.n - 1 - k : k;
		const size_t with = (size_t)f->solver.pivots[i] - 1;
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
	const size_t n = f->solver.n;

	for (size_t j = 0; j < n; j++) {
		const cplx *u = f->solver.lu + j * n, v = x[j];

		for (size_t i = 0; i < j; i++)
			x[i] += entry(u[i]) * v;
		x[j] = entry(u[j]) * v;
	}
	for (size_t j = n; j-- > 0; )
		for (size_t i = j + 1; i < n; i++)
			x[i] += entry(f->solver.lu[j * n + i]) * x[j];
	swap_rows(f, x, true);
}

/* x = U^T L^T P x */
static void times_turned(const struct complex_factors *f, entry_fn *entry,
                         cplx *x)
{
	const size_t n = f->solver.n;

	swap_rows(f, x, false);
	for (size_t j = 0; j < n; j++)
		for (size_t i = j + 1; i < n; i++)
			x[j] += entry(f->solver.lu[j * n + i]) * x[i];
	for (size_t j = n; j-- > 0; ) {
		const cplx *u = f->solver.lu + j * n;

		x[j] *= entry(u[j]);
		for (size_t i = 0; i < j; i++)
			x[j] += entry(u[i]) * x[i];
	}
}

/* Replaces x by A x or, if `back`, by A^H x; with A transposed, by A^H x or
 * A x, whose norms are those of A^T and its conjugate. */
static void apply(const void *how, bool back, cplx *x)
{
	const struct complex_factors *f = how;

	if (f->turned != back)
		times_turned(f, conjugate, x);
	else
		times(f, as_is, x);
}

double complex_factors_norm(const struct complex_factors *f)
{
	return complex_estimate(apply, f, f->solver.n, f->y);
}

/* --- the accuracy of a solution */

double complex_factors_residual(const struct complex_factors *f,
                                const cplx *b, const cplx *x, cplx *r)
{
	memcpy(r, x, f->solver.n * sizeof *r);
	(f->turned ? times_turned : times)(f, as_is, r);
	for (size_t i = 0; i < f->solver.n; i++)
		r[i] = b[i] - r[i];
	return complex_sum(r, f->solver.n);
}

/* Sets f->weight to |r| + (n + 1) eps (|op(A)| |x| + |b|). */
static void weigh(const struct complex_factors *f, const cplx *b,
                  const cplx *x, const cplx *r)
{
	const double unit = (double)(f->solver.n + 1) * f->eps / 2;

	for (size_t i = 0; i < f->solver.n; i++)
		f->x[i] = cabs(x[i]);
	(f->turned ? times_turned : times)(f, size_of, f->x);
	for (size_t i = 0; i < f->solver.n; i++)
		f->weight[i] = cabs(r[i]) + unit * (creal(f->x[i]) +
		                                    cabs(b[i]));
}

double complex_factors_forward(const struct complex_factors *f, const cplx *b,
                               const cplx *x, const cplx *r, double norm)
{
	double most = 0;

	weigh(f, b, x, r);
	for (size_t i = 0; i < f->solver.n; i++)
		most = fmax(most, cabs(x[i]));
	return complex_bound(&f->solver, f->turned, f->weight, norm, most,
	                     f->y);
}
