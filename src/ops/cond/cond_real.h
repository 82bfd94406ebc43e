/* cond_real.h - the part of cond.c that is compiled for each type. LAPACK sees
 * A^T in a row-major A: its infinity norm is the 1-norm of A. */

/* The workspace of a matrix; its size is room_of() in cond.c for either type.
 * Each row of x is filled up with zeros to ld elements. */
struct TYPED(room) {
	size_t n, ld;			/* of x */
	real *x;			/* A, its factors, or its inverse */
	real *work;			/* WORK * n */
	double *sums;			/* ld */
	int *integers;			/* n */
};

static struct TYPED(room) TYPED(split)(size_t n, void *room)
{
	const size_t ld = lapack_ld(n);
	real *const x = room;
	double *const sums = (double *)room + (ld + WORK) * n;

	return (struct TYPED(room)){ n, ld, x, x + ld * n, sums,
	                             (int *)(sums + ld) };
}

/* NaN if an element is NaN. */
static long double TYPED(largest_row)(const struct TYPED(room) *r)
{
	long double most = 0;

	for (size_t i = 0; i < r->n; i++) {
		long double all = 0;

		for (size_t j = 0; j < r->n; j++)
			all += fabsl(r->x[i * r->ld + j]);
		most = all > most || isnan(all) ? all : most;
	}
	return most;
}

static long double TYPED(fro)(const struct TYPED(room) *r)
{
	long double all = 0;

	for (size_t i = 0; i < r->n * r->ld; i++)
		all += (long double)r->x[i] * r->x[i];
	return sqrtl(all);
}

static long double TYPED(norm)(const struct args *a,
                               const struct TYPED(room) *r)
{
	return is_wanted(a, FRO) ? TYPED(fro)(r) :
	       is_wanted(a, INF) ? TYPED(largest_row)(r) :
	       lapack_norm1(REAL_DTYPE, r->x, r->n, r->ld, r->sums);
}

/* Returns the largest magnitude of `count` elements, a multiple of MAXIMA. So
 * many are found at a time, by vector instructions. */
static double TYPED(largest)(const real *x, size_t count)
{
	enum { MAXIMA = 8 };
	real most[MAXIMA] = { 0 };
	double all = 0;

	for (size_t i = 0; i < count; i += MAXIMA)
		for (size_t k = 0; k < MAXIMA; k++) {
			const real size = x[i + k] < 0 ? -x[i + k] : x[i + k];

			most[k] = size > most[k] ? size : most[k];
		}
	for (size_t k = 0; k < MAXIMA; k++)
		all = fmax(all, most[k]);
	return all;
}

/* Copies elements `at` to at + n - 1 of a matrix of either type. */
static void TYPED(take)(const struct matrix *from, size_t at, size_t n,
                        real *to)
{
	if (from->dtype == REAL_DTYPE)
		memcpy(to, (const real *)matrix_data(from) + at,
		       n * sizeof *to);
	else
		for (size_t i = 0; i < n; i++)
			to[i] = (real)matrix_get(from, at + i);
}

/* Copies A, and returns the power of two that is near its largest element. */
static int TYPED(copy)(const struct matrix *from, size_t index,
                       const struct TYPED(room) *r)
{
	const size_t n = r->n;
	double most = 0;
	int power;

	for (size_t i = 0; i < n; i++) {
		real *row = r->x + i * r->ld;

		TYPED(take)(from, (index * n + i) * n, n, row);
		memset(row + n, 0, (r->ld - n) * sizeof *row);
		most = fmax(most, TYPED(largest)(row, r->ld));
	}
	frexp(most, &power);
	return power;
}

/* Copies A, and multiplies it by a power of two that brings its largest element
 * near 2^`near`, unless it is there already. That does not change the condition
 * number, and keeps the factors from overflowing. The power itself may be
 * beyond the range of the type, but half of its exponent is not. */
static void TYPED(load)(const struct matrix *from, size_t index, int near,
                        const struct TYPED(room) *r)
{
	enum { NEAR = 16 };
	const int power = TYPED(copy)(from, index, r);
	const real half = (real)ldexp(1, (near - power) / 2);
	const real rest = (real)ldexp(1, near - power - (near - power) / 2);
	const size_t count = abs(near - power) > NEAR ? r->n * r->ld : 0;

	for (size_t i = 0; i < count; i++)
		r->x[i] = r->x[i] * half * rest;
}

/* Returns |A| |A^-1| from A's factors and the norm of A: infinity for a
 * singular matrix, NaN where the inverse overflows. */
static long double TYPED(product)(const struct lapack_call *c,
                                  const struct TYPED(room) *r,
                                  long double norm)
{
	long double cond;

	OF(c->l)->getri(LAPACK_COLUMNS, (int)r->n, r->x, (int)r->ld,
	                r->integers, r->work, (int)(WORK * r->n));
	cond = norm * TYPED(norm)(c->a, r);
	return isfinite(cond) ? cond : (long double)NAN;
}

#include "ops/cond/estimate_real.h"

/* Returns an estimate of 1 / (|A| |A^-1|), or NaN if that is 0. Plain
 * substitutions take a third of the time of xGECON's, which are scaled at each
 * step so that nothing overflows; these follow where those overflow. */
static long double TYPED(estimate)(const struct lapack *l,
                                   const struct TYPED(room) *r,
                                   long double norm)
{
	const double inverse = TYPED(inverse_norm)(l, r);
	const double cond = inverse * (double)norm;
	real rcond = 0;

	if (cond > 0 && isfinite(cond))
		return fmin(1 / cond, 1);
	OF(l)->gecon(LAPACK_COLUMNS, 'I', (int)r->n, r->x, (int)r->ld,
	             (real)norm, &rcond, r->work, r->integers);
	return rcond > 0 ? rcond : (long double)NAN;
}

/* Computes the output of one matrix, or NaN where a number overflows on the
 * way. `near` is the power of two that its elements are scaled to. */
static long double TYPED(value)(const struct lapack_call *c, size_t index,
                                int near, void *room)
{
	const struct args *a = c->a;
	const struct TYPED(room) r = TYPED(split)(c->rows, room);
	const int n = (int)r.n, ld = (int)r.ld;
	long double norm;
	bool singular;

	TYPED(load)(&a->in[0], index, near, &r);
	norm = TYPED(norm)(a, &r);
	singular = OF(c->l)->getrf(LAPACK_COLUMNS, n, n, r.x, ld,
	                           r.integers) != 0;
	if (!is_estimate(a))
		return singular ? (long double)INFINITY :
		       TYPED(product)(c, &r, norm);
	return singular ? 0 : TYPED(estimate)(c->l, &r, norm);
}
