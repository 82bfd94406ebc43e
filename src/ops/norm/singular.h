/* singular.h - singular values by LAPACK on the host, for the norms and
 * condition numbers that are made of them. */
#ifndef OPS_NORM_SINGULAR_H
#define OPS_NORM_SINGULAR_H

#include "ops/lapack/stack.h"

/* Runs a function of the singular values, in descending order, of every matrix
 * of operand 0, and stores what it returns in the answer's output `output`. A
 * matrix with NaN or infinity fails with ERR_NONFINITE, one whose values do not
 * converge with ERR_CONVERGENCE. */
struct singular {
	int output;
	double (*value)(const double *s, size_t n);
};

int singular_run(struct seq *s, struct args *a, const struct singular *how);

/* Sets the error text of either failure. */
void singular_describe(const struct args *a, const struct failure *f,
                       struct err *e);

/* Returns the floating-point operations that the singular values of an m x n
 * matrix take. */
double singular_flops(double m, double n);

#endif
