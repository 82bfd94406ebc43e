/* bounds.c - bounds on the singular values of A. They follow from A^T A = U^T U
 * and from the numbers about U that qr_normal_told() reads. */
#include <math.h>

#include "ops/dense.h"
#include "ops/lstsq/normal.h"

/* The bounds must clear the threshold of the rank by this factor. It exceeds
 * the effect of rounding errors, so that LAPACK would find the same rank. */
static const double MARGIN = 1.25;

/* Returns the square root of the Frobenius norm of A^T A, which is an upper
 * bound of the largest singular value. */
double lstsq_largest(const double *told)
{
	return pow(told[QR_NORMAL_SQUARE], 0.25);
}

/* Returns an upper bound of the condition number. The reciprocal of the
 * smallest singular value is the 2-norm of U^-1. This is at most the Frobenius
 * norm |U^-1|, and also at most |D^-1| (1 + |D U^-1 - I|), where the diagonal
 * matrix D has the 2-norms of A's columns. */
double lstsq_condition(const double *told)
{
	const double skew = 1 + sqrt(told[QR_NORMAL_SKEW]);
	const double inverse = fmin(sqrt(told[QR_NORMAL_INVERSE]),
	                            skew * sqrt(told[QR_NORMAL_SHORTEST]));

	return lstsq_largest(told) * inverse;
}

bool lstsq_has_full_rank(const struct args *a, const double *told)
{
	return MARGIN * lstsq_condition(told) *
	       dense_rcond(a, LSTSQ_RCOND) < 1;
}
