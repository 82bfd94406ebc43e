/* complex_quick.h - factors of complex128 matrices in complex64, which take
 * half of the time. Refinement makes solutions by them as exact as those by
 * factors in complex128 if A is not ill-conditioned (LAPACK's ZCGESV and
 * ZCPOSV). */
#ifndef OPS_SOLVE_COMPLEX_QUICK_H
#define OPS_SOLVE_COMPLEX_QUICK_H

#include "ops/solve/complex_system.h"

struct complex_quick {
	struct complex_solver solver;	/* has `quick` */
	struct complex_solver_c factors;
};

/* Factors A, which y has, in complex64, in the array for its factors. Returns
 * false for a matrix that is left to complex128: one for which nothing is
 * gained because it is small or B has many columns; one whose norm is near the
 * ends of float32's range; and one that may be singular, or not positive
 * definite, because a pivot may consist of rounding errors. q is not to be
 * moved. */
bool complex_factor_quickly(const struct lapack_call *c,
                            const struct complex_system *y,
                            struct complex_quick *q);

#endif
