/* triangle.c - the dominant pair of a triangular matrix: its diagonal holds the
 * eigenvalues, and substitution gives the vectors. This is exact where a Krylov
 * space sees only pseudo-eigenvalues, since triangular matrices may be as far
 * from normal as matrices get. Intermediate vectors are long double for its
 * range of exponents. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "ops/eigen/eigen.h"

static double element(const struct eigen_problem *p, size_t i, size_t j)
{
	return matrix_get(p->m, (p->index * p->n + i) * p->n + j);
}

/* The index of the largest diagonal element, the first in the order of
 * substitution. */
static size_t dominant(const struct eigen_problem *p, struct eigen_pair *r)
{
	const size_t n = p->n;
	size_t k = n;

	for (size_t s = 0; s < n; s++) {
		const size_t i = p->below ? n - 1 - s : s;
		const double d = element(p, i, i);

		if (k == n || fabs(d) > fabs(r->value)) {
			k = i;
			r->value = d;
			r->tie = false;
		} else if (fabs(d) == fabs(r->value)) {
			r->tie = true;
		}
	}
	return k;
}

/* Scales v down when its elements grow towards overflow. */
static void keep_small(long double *v, size_t n, long double last)
{
	if (fabsl(last) < ldexpl(1, LDBL_MAX_EXP / 2))
		return;
	for (size_t i = 0; i < n; i++)
		v[i] = ldexpl(v[i], -LDBL_MAX_EXP / 2);
}

/* Solves (A - value I) v = 0, or v^T (A - value I) = 0, with v_k = 1, by
 * substitution from k to the end of the diagonal. */
static void substitute(const struct eigen_problem *p, double value, size_t k,
                       bool left, long double *v)
{
	const bool down = left != p->below;
	const size_t n = p->n, count = down ? n - 1 - k : k;

	for (size_t i = 0; i < n; i++)
		v[i] = i == k;
	for (size_t s = 1; s <= count; s++) {
		const size_t i = down ? k + s : k - s;
		const long double own = element(p, i, i);
		long double sum = 0;

		for (size_t t = 0; t < s; t++) {
			const size_t j = down ? k + t : k - t;

			sum += v[j] * (left ? element(p, j, i) :
			               element(p, i, j));
		}
		v[i] = sum == 0 ? 0 : sum / (value - own);
		keep_small(v, n, v[i]);
	}
}

static long double norm_of(const long double *x, size_t n)
{
	long double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum = hypotl(sum, x[i]);
	return sum;
}

/* |x| |y| / |y_k x_k|, where the left vector y begins at k, where the right
 * vector x ends; infinity for a defective eigenvalue. */
static double condition_of(const struct eigen_problem *p, double value,
                           size_t k, const long double *x, long double *y)
{
	substitute(p, value, k, true, y);
	return (double)fminl(norm_of(x, p->n) * norm_of(y, p->n) /
	                     fabsl(x[k] * y[k]), DBL_MAX);
}

static void take(const long double *v, size_t n, double *to)
{
	long double peak = 0;

	for (size_t i = 0; i < n; i++)
		peak = fmaxl(peak, fabsl(v[i]));
	for (size_t i = 0; i < n; i++)
		to[i] = (double)(v[i] / peak);
}

int eigen_triangle(struct eigen_problem *p, struct eigen_pair *r)
{
	long double *v = malloc(2 * p->n * sizeof *v);
	size_t k;

	if (!v)
		return err_set(seq_err(p->s), ERR_MEMORY, "eigen: no memory");
	k = dominant(p, r);
	substitute(p, r->value, k, false, v);
	if (p->n <= EIGEN_FULL)
		r->condition = condition_of(p, r->value, k, v, v + p->n);
	take(v, p->n, r->vector);
	free(v);
	r->enclosed = p->non_negative;
	r->low = r->high = r->value;
	return eigen_measure(p, r, p->floor * p->norm);
}
