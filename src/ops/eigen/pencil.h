/* pencil.h - reduces the problem of a pair of matrices A, B with a positive
 * definite B to that of one matrix. */
#ifndef OPS_EIGEN_PENCIL_H
#define OPS_EIGEN_PENCIL_H

#include "ops/eigen/arrange.h"
#include "ops/eigen/many.h"

/* The problem of a pair of n x n matrices with a positive definite B. */
struct eigen_pencil {
	const struct lapack *l;
	enum eigen_form form;
	size_t n;
	bool symmetric;			/* A is */
	double *a, *b;
	struct arrange rows;		/* set by eigen_pencil_init() */
};

/* Allocates what the members before `rows` need. Returns -1 if there is no
 * memory. eigen_pencil_fini() is to be called in any case. */
int eigen_pencil_init(struct eigen_pencil *p);
void eigen_pencil_fini(struct eigen_pencil *p);

/* Overwrites b by the Cholesky factor L of B, whose rows and columns are first
 * sorted by the diagonal unless `sorted` is false, and a by L^-1 A L^-T or
 * L^T A L, whose eigenvalues are those of the problem. If A is symmetric,
 * removes the asymmetry that rounding errors leave in the latter. Returns 0, or
 * the order of the first leading minor of B, as sorted, that is not positive.
 */
int eigen_pencil_reduce(const struct eigen_pencil *p, bool sorted);

/* To be called after eigen_pencil_reduce(). Returns whether A is not symmetric
 * and B is ill-conditioned, so that the QZ algorithm should solve A x = lambda
 * B x. */
bool eigen_pencil_needs_qz(const struct eigen_pencil *p);

/* Returns whether the right or left eigenvectors of the problem are L^-T z,
 * where z are those of the reduced matrix; otherwise they are L z. */
bool eigen_pencil_divides(enum eigen_form form, bool left);

/* Turns n x columns right or left eigenvectors of the reduced matrix into those
 * of the problem. */
void eigen_pencil_back(const struct eigen_pencil *p, bool left, double *z,
                       size_t columns);

#endif
