/* estimate.h - the norm of an operator of which only products are known. */
#ifndef OPS_LAPACK_ESTIMATE_H
#define OPS_LAPACK_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

/* A real n x n operator M. apply() replaces x by M x, or by M^T x if `back`. */
struct estimate_operator {
	size_t n;
	void (*apply)(const void *arg, bool back, double *x);
	const void *arg;
};

/* Returns an estimate of |M| in the 1-norm, which is hardly ever too small by
 * more than a factor of 3 (Hager 1984; N. Higham 1988, algorithm 2.4; LAPACK's
 * xLACN2). Returns infinity if a product with M overflows, even if that leaves
 * NaN in the product. x and signs have n numbers each. */
double estimate_norm1(const struct estimate_operator *m, double *x,
                      double *signs);

#endif
