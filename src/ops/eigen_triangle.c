/* eigen_triangle.c - the dominant pair of a triangular matrix: its diagonal
 * holds the eigenvalues, substitution gives the vector. Exact where a Krylov
 * space sees only pseudo-eigenvalues: such matrices may be as far from
 * normal as matrices get. */
#include <math.h>

#include "ops/eigen.h"

static double element(const struct eigen_problem *p, size_t i, size_t j)
{
	return p->unit *
	    matrix_get(p->m, (p->index * p->n + i) * p->n + j);
}

/* The first largest diagonal element, in the order of substitution. */
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
		}
		r->tie = r->tie || (d == -r->value && d != 0);
	}
	return k;
}

/* Halves everything so far when it grows towards overflow. */
static void keep_small(double *v, size_t n, double *last)
{
	if (fabs(*last) < 0x1p500)
		return;
	for (size_t i = 0; i < n; i++)
		v[i] = ldexp(v[i], -500);
}

/* (B - value I) v = 0 with v_k = 1, from k towards the diagonal's end that
 * the triangle leaves open. */
static void substitute(const struct eigen_problem *p, size_t k,
                       struct eigen_pair *r)
{
	const bool upper = !p->below;
	const size_t n = p->n, count = upper ? k : n - 1 - k;
	double *v = r->vector;

	for (size_t i = 0; i < n; i++)
		v[i] = i == k;
	for (size_t s = 1; s <= count; s++) {
		const size_t i = upper ? k - s : k + s;
		double sum = 0;

		for (size_t t = 0; t < s; t++) {
			const size_t j = upper ? k - t : k + t;

			sum += element(p, i, j) * v[j];
		}
		v[i] = sum / (r->value - element(p, i, i));
		keep_small(v, n, &v[i]);
	}
}

void eigen_triangle(struct eigen_problem *p, struct eigen_pair *r)
{
	const size_t k = dominant(p, r);

	substitute(p, k, r);
	r->iterations = 1;
	r->converged = true;
	r->error = 0;
	r->enclosed = p->non_negative;
	r->low = r->high = r->value;
}
