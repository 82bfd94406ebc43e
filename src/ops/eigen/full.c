/* full.c - decides by a full decomposition on the host which eigenvalue is
 * dominant, where no iteration can prove it. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/eigen/eigen.h"

bool eigen_is_symmetric(const struct eigen_problem *p)
{
	const size_t n = p->n, first = p->index * n * n;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (matrix_get(p->m, first + i * n + j) !=
			    matrix_get(p->m, first + j * n + i))
				return false;
	return true;
}

bool eigen_is_tridiagonal(const struct eigen_problem *p)
{
	const size_t n = p->n, first = p->index * n * n;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 2; j < n; j++)
			if (matrix_get(p->m, first + i * n + j) != 0)
				return false;
	return eigen_is_symmetric(p);
}

bool eigen_full_can(const struct eigen_problem *p)
{
	return p->n <= EIGEN_FULL_GENERAL ||
	       (p->n <= EIGEN_FULL_SYMMETRIC && eigen_is_symmetric(p)) ||
	       eigen_is_tridiagonal(p);
}

int eigen_full(struct eigen_problem *p, struct eigen_pair *r)
{
	return eigen_is_symmetric(p) ? eigen_symmetric(p, r) :
	                               eigen_general(p, r);
}

/* Twice the residual that LAPACK's inverse iteration accepts. */
double eigen_least_residual(size_t n, double norm)
{
	return 20 * sqrt((double)n) * DBL_EPSILON * norm;
}

static double size_of(const struct eigen_pair *r)
{
	return hypot(r->value, r->imaginary);
}

bool eigen_agree(const struct eigen_pair *r, const struct eigen_pair *f,
                 double tol)
{
	return fabs(size_of(f) - size_of(r)) <= 2 * tol * size_of(f);
}

void eigen_replace(struct eigen_pair *r, const struct eigen_pair *f, size_t n)
{
	const struct eigen_pair before = *r;

	*r = *f;
	r->vector = memcpy(before.vector, f->vector,
	                   2 * n * sizeof *r->vector);
	r->iterations = before.iterations;
	r->enclosed = before.enclosed;
	r->low = before.low;
	r->high = before.high;
}

int eigen_full_confirm(struct eigen_problem *p, struct eigen_pair *r)
{
	struct eigen_pair f = { .vector = malloc(2 * p->n * sizeof(double)) };
	int rc;

	if (!f.vector)
		return err_set(seq_err(p->s), ERR_MEMORY, "eigen: no memory");
	rc = eigen_full(p, &f);
	if (rc == 0 && f.converged) {
		if (!eigen_agree(r, &f, p->tol))
			eigen_replace(r, &f, p->n);
		r->condition = f.condition;
		r->tie = f.tie;
	}
	free(f.vector);
	return rc;
}
