/* small.h - solves the projected problem of a Krylov space, A V = V H + v b^T,
 * by LAPACK: H's eigenvalues and their residuals, and its invariant subspaces.
 *
 * All matrices are column-major. A symmetric H is replaced by (H + H^T) / 2.
 */
#ifndef OPS_EIGEN_SMALL_H
#define OPS_EIGEN_SMALL_H

#include <stdbool.h>

#include "ops/lapack/lapack.h"

struct small {
	const struct lapack *l;
	int most, p;			/* largest and present order of H */
	bool symmetric;
	double *t, *q;			/* H = Q T Q^T; p x p */
	double *re, *im;		/* eigenvalues of H: Ritz values */
	double *residual;		/* |A x - value x| of the Ritz vectors,
					 * |x| = 1 */
	double *key;			/* set by the caller before sorting */
	int *order;			/* ascending keys; the second of a
					 * conjugate pair follows the first */
	double *vectors, *work;
	int *integers;
};

/* -1: no memory; small_fini() must be called in any case. */
int small_init(struct small *m, const struct lapack *l, int most,
               bool symmetric);
void small_fini(struct small *m);

/* Decomposes the p x p matrix h with leading dimension ld, where b = beta e_p.
 * False: LAPACK's algorithm did not converge. */
bool small_solve(struct small *m, const double *h, int ld, int p,
                 double beta);

/* Sorts the Ritz values by their keys, which must be equal for both of a
 * conjugate pair. */
void small_sort(struct small *m);

/* Is Ritz value order[i] the first of a conjugate pair? */
bool small_is_pair(const struct small *m, int i);

/* Reorders T and Q so that the first `count` values of the order come first:
 * then the first columns of Q span their invariant subspace, and the leading
 * block of T is the projection on it. `count` must not cut a pair. False: the
 * values are too close to each other to be reordered. */
bool small_select(struct small *m, int count);

#endif
