/* search.h - searches the wanted eigenpairs of an operator by Krylov-Schur
 * (Stewart 2001), which for a symmetric operator is thick-restart Lanczos (Wu
 * and Simon 2000), until a further run finds no better one.
 *
 * A Krylov space of one start vector holds one vector of each eigenspace, so it
 * misses copies of a multiple eigenvalue, and eigenvectors to which the start
 * vector happens to be orthogonal. So every run is made in the orthogonal
 * complement of the vectors found before, with a new random start vector, and
 * the search ends only with a run that finds no eigenvalue better than the k-th
 * best known one.
 */
#ifndef OPS_EIGEN_SEARCH_H
#define OPS_EIGEN_SEARCH_H

#include "ops/eigen/many.h"
#include "ops/eigen/small.h"
#include "ops/eigen/space.h"

struct search {
	/* The caller sets these; of `space` it sets l, n, symmetric, apply and
	 * with. */
	struct space space;
	struct seq *s;
	const struct eigen_choice *choice;	/* refers to A, not to C */
	bool inverse;			/* C = (A - sigma I)^-1, else C = A */
	double norm;			/* |A| */
	double tol;			/* of residuals, relative to |A| */
	int64_t limit;			/* of products with C */

	/* The result. */
	bool confirmed;			/* k pairs were found, and the last run
					 * has found none better */
	bool interior;			/* given up: A has eigenvalues on both
					 * sides of sigma, where products with A
					 * alone converge to neither */
	bool broken;			/* LAPACK's algorithms failed, or C is
					 * too far from normal */
	double error;			/* the last run's first residual that is
					 * above tol, relative to |A| */

	struct small small;
	double *keys, *sorted;		/* of the locked vectors; workspace */
};

/* Searches. The vectors that were found are the locked ones of f->space. -1: no
 * memory, or the call was cancelled; search_fini() must be called in any
 * case. */
int search_run(struct search *f);
void search_fini(struct search *f);

#endif
