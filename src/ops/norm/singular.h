/* singular.h - singular values by LAPACK on the host, or on a device by the
 * polar decomposition, for the norms and condition numbers that are made of
 * them. */
#ifndef OPS_NORM_SINGULAR_H
#define OPS_NORM_SINGULAR_H

#include "ops/lapack/stack.h"
#include "ops/need.h"

/* Runs a function of the singular values, in descending order, of every matrix
 * of operand 0, and stores what it returns in the answer's output `output`. A
 * matrix with NaN or infinity fails with ERR_NONFINITE, one whose values do not
 * converge with ERR_CONVERGENCE. */
struct singular {
	int output;
	double (*value)(const double *s, size_t n);
	bool relative;			/* the same for 2 A as for A */
};

int singular_run(struct seq *s, struct args *a, const struct singular *how);

/* Does the work of singular_run() on the device, for calls for which
 * singular_polar_fits() returns true: those with a few large matrices. All
 * other calls, and calls with a matrix that has a NaN or an infinity or for
 * which the iteration does not converge, are passed on to singular_run().
 * singular_polar_need() adds the memory that singular_polar() takes on the
 * device, the operand's included. */
int singular_polar(struct seq *s, struct args *a, const struct singular *how);
bool singular_polar_fits(const struct args *a, const struct sheet *d);
void singular_polar_need(struct need *n, const struct sheet *d,
                         const struct args *a);

/* Sets the error text of a matrix that failed with ERR_NONFINITE or
 * ERR_CONVERGENCE. */
void singular_describe(const struct args *a, const struct failure *f,
                       struct err *e);

/* Returns the floating-point operations that the singular values of an m x n
 * matrix take. */
double singular_flops(double m, double n);

#endif
