/* power.c - the power method: runs from a random start until its residual is
 * small and a full decomposition confirms that the pair is dominant. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/eigen/eigen.h"

/* The factor by which sharpen() reduces the tolerance each time. */
#define SHARPER 16

/* A small residual says little about an ill-conditioned eigenvalue: reduces the
 * tolerance until the value agrees with f, which a full decomposition found. */
static int sharpen(struct eigen_problem *p, struct eigen_pair *r,
                   const struct eigen_pair *f)
{
	const double tol = p->tol;
	const int64_t limit = p->limit;
	int rc = 0;

	while (rc == 0 && r->converged && !eigen_agree(r, f, tol)) {
		p->tol /= SHARPER;
		p->limit = limit - r->iterations;
		r->converged = p->tol >= p->floor && p->limit > 0;
		if (r->converged)
			rc = eigen_power_from(p, r);
	}
	p->tol = tol;
	p->limit = limit;
	r->condition = f->condition;
	r->tie = f->tie;
	return rc;
}

int eigen_power(struct eigen_problem *p, struct eigen_pair *r)
{
	struct eigen_pair f = { .vector = malloc(2 * p->n * sizeof(double)) };
	int rc;

	if (!f.vector)
		return err_set(seq_err(p->s), ERR_MEMORY, "eigen: no memory");
	eigen_random(r->vector, p->n);
	rc = eigen_power_from(p, r);
	if (rc == 0 && r->converged && r->value != 0 && p->n <= EIGEN_FULL) {
		rc = eigen_full(p, &f);
		if (rc == 0 && f.converged)
			rc = sharpen(p, r, &f);
	}
	free(f.vector);
	return rc;
}

int eigen_try_nilpotent(struct eigen_problem *p, struct eigen_pair *r)
{
	struct eigen_pair zero = { .vector = malloc(p->n * sizeof(double)) };
	const int64_t limit = p->limit, left = limit - r->iterations;
	int rc = 0;

	if (!zero.vector)
		return err_set(seq_err(p->s), ERR_MEMORY, "eigen: no memory");
	eigen_random(zero.vector, p->n);
	p->limit = left < (int64_t)p->n + 1 ? left : (int64_t)p->n + 1;
	if (p->limit > 0)
		rc = eigen_power_from(p, &zero);
	p->limit = limit;
	r->iterations += zero.iterations;
	if (rc == 0 && zero.converged && zero.value == 0) {
		memcpy(r->vector, zero.vector, p->n * sizeof *r->vector);
		r->value = r->imaginary = r->error = r->residual = 0;
		r->tie = r->converged = true;
	}
	free(zero.vector);
	return rc;
}
