/* extremes.h - proves that the condition number of a triangular matrix U is
 * small, by products of U^T U and of its inverse with random vectors: far
 * cheaper than the singular values, and sharper than norms of U^-1.
 *
 * Let M be U^T U or (U^T U)^-1, and v the eigenvector of its largest eigenvalue
 * |M|. For a vector g and p steps
 *
 *     |M^p g| >= |M|^p |v^T g|.
 *
 * The elements of g are independent standard normal numbers, so that v^T g is
 * one, too, of whatever M. The probability of |v^T g| < d is at most (2 / pi)^½
 * d. Hence for VECTORS = 16 vectors and d = LEAST_PART the bound
 *
 *     |M| <= (max |M^p g| / d)^(1/p)
 *
 * fails for all p at once with a probability below 10^-15. |M^p g| itself is
 * about 2 |M|^p at most where one eigenvalue dominates, so that after 16 steps
 * the bound of the singular value exceeds it by less than a tenth. Dixon,
 * Estimating extremal eigenvalues and condition numbers of matrices, SIAM J.
 * Numer. Anal. 20(4), 1983, 812-814, gives the bound for one vector on the unit
 * sphere.
 *
 * The vectors are the same in every call, so that equal calls have equal
 * answers. */
#ifndef OPS_LSTSQ_EXTREMES_H
#define OPS_LSTSQ_EXTREMES_H

#include <stdbool.h>
#include <stddef.h>

enum { EXTREMES_VECTORS = 16, EXTREMES_STEPS = 16 };

struct extremes {
	size_t n;			/* rows of U */
	const double *start;		/* extremes_start() */
	double *v;			/* room for 2 n x VECTORS numbers */
	double largest;			/* a bound of |U|, or INFINITY */
	/* Replaces each column of the n x VECTORS matrix v, which is stored
	 * column by column, by U^T U v or, if `inverse`, by (U^T U)^-1 v.
	 * Returns false if that fails. */
	bool (*apply)(const void *how, bool inverse, double *v);
	const void *how;
};

/* Sets the n x VECTORS random numbers of `start`. */
void extremes_start(double *start, size_t n);

/* Returns whether the condition number of U is proved to be less than `most`;
 * false also if U is singular or a number overflows. Then *first is a lower bound
 * of the largest singular value, from two steps or more. */
bool extremes_prove(const struct extremes *e, double most, double *first);

#endif
