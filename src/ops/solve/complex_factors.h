/* complex_factors.h - what is known of a complex matrix A of which only the
 * factors P A = L U are given: products with A, and estimates of norms in
 * O(n^2) operations. */
#ifndef OPS_SOLVE_COMPLEX_FACTORS_H
#define OPS_SOLVE_COMPLEX_FACTORS_H

#include "ops/solve/complex_solver.h"

struct complex_factors {
	struct complex_solver solver;
	double eps;			/* of the factors' type */
	bool turned;			/* op(A) is A^T, else A */
	cplx *x, *y;			/* workspace, n each */
	double *weight;			/* workspace, n */
};

/* Returns an estimate of |op(A)| in the 1-norm. */
double complex_factors_norm(const struct complex_factors *f);

/* Sets r = b - op(A) x. Returns |r|_1. */
double complex_factors_residual(const struct complex_factors *f,
                                const cplx *b, const cplx *x, cplx *r);

/* Bounds the forward error of x, of which r is the residual, as LAPACK's xGERFS
 * does, with |L| |U| |x| in place of |A| |x|. `norm` is |op(A)|. */
double complex_factors_forward(const struct complex_factors *f, const cplx *b,
                               const cplx *x, const cplx *r, double norm);

#endif
