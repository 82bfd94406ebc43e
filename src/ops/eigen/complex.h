/* complex.h - eigenvalues of complex matrices. */
#ifndef OPS_EIGEN_COMPLEX_H
#define OPS_EIGEN_COMPLEX_H

#include "ops/eigen/many.h"
#include "ops/lapack/complex.h"

/* What all matrices of a call have in common, and whether the eigenvalues of
 * each are real. */
struct eigen_complex {
	struct eigen_choice choice;
	bool *real;
};

/* The run() of the variant for complex matrices. */
int eigen_complex(struct seq *s, struct args *a);

#endif
