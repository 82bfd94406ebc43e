/* pencil.h - reduces the problem of a pair of matrices A, B with a positive
 * definite B to that of one matrix. */
#ifndef OPS_EIGEN_PENCIL_H
#define OPS_EIGEN_PENCIL_H

#include "ops/eigen/many.h"

/* The problem of a pair of n x n matrices with a positive definite B. */
struct eigen_pencil {
	const struct lapack *l;
	enum eigen_form form;
	size_t n;
	bool symmetric;			/* A is */
	double *a, *b;
	size_t *order;			/* n: the rows of A and B as sorted */
	double *room;			/* n */
};

/* Overwrites b by the Cholesky factor L of B, whose rows and columns are first
 * sorted by the diagonal unless `sorted` is false, and a by L^-1 A L^-T or
 * L^T A L, whose eigenvalues are those of the problem. If A is symmetric,
 * removes the asymmetry that rounding errors leave in the latter. Returns 0, or
 * the order of the first leading minor of B, as sorted, that is not positive.
 */
int eigen_pencil_reduce(const struct eigen_pencil *p, bool sorted);

/* After eigen_pencil_reduce(): should the QZ algorithm solve A x = lambda B x,
 * because A is not symmetric and B is ill-conditioned? */
bool eigen_pencil_needs_qz(const struct eigen_pencil *p);

/* Is B ill-conditioned, but not so much that the QZ algorithm takes it for a
 * singular matrix? `most` and `least` are the extreme diagonal elements of L,
 * the squares of which differ about by B's condition number. */
static inline bool eigen_pencil_is_ill(double most, double least)
{
	return most / least > 0x1p5 && most / least < 0x1p22;
}

/* Returns whether the right or left eigenvectors of the problem are L^-T z,
 * where z are those of the reduced matrix; otherwise they are L z. */
bool eigen_pencil_divides(enum eigen_form form, bool left);

/* Turns n x columns right or left eigenvectors of the reduced matrix into those
 * of the problem. */
void eigen_pencil_back(const struct eigen_pencil *p, bool left, double *z,
                       size_t columns);

#endif
