/* solve.h - what the files of linalgd-mpi's solve share. */
#ifndef MPI_SOLVE_H
#define MPI_SOLVE_H

#include "mpi/work.h"

struct solving {
	struct work *w;
	size_t n, sides;
	struct dist a, lu, b, x;
	struct dist r;			/* B - A X, or a correction of X */
	int *pivots;
	double *sums;			/* twice max(n, sides) */
};

/* refine.c: R = B - A X */
void solve_defect(struct solving *s);

/* X = X + A^-1 (B - A X), in the working precision. That makes Gaussian
 * elimination backward stable (R. D. Skeel, "Iterative Refinement Implies
 * Numerical Stability for Gaussian Elimination", 1980). */
void solve_refine(struct solving *s);

/* estimate.c: sets *rcond to the reciprocal condition number in the 1-norm;
 * norm: that of A. */
enum err_code solve_rcond(struct solving *s, double norm, double *rcond);

/* Sets *error to the bound on |x - x_true| / |x| in the infinity norm that
 * LAPACK's xGERFS estimates, the largest of the first 16 columns. R must be
 * B - A X. */
enum err_code solve_forward_error(struct solving *s, double *error);

#endif
