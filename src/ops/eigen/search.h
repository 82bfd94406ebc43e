/* search.h - searches the wanted eigenpairs of an operator by Krylov-Schur
 * (Stewart 2001), which for a symmetric operator is thick-restart Lanczos (Wu
 * and Simon 2000), until a further run finds no better one.
 *
 * A Krylov space of one start vector holds one vector of each eigenspace, so
 * copies of a multiple eigenvalue, or an eigenvector that the start vector
 * happens to lack, are missed by it. So every run is made in the complement of
 * what was found before, with a new random start vector, and the search ends
 * only with a run whose first eigenvalue is no better than the k-th that is
 * known.
 */
#ifndef OPS_EIGEN_SEARCH_H
#define OPS_EIGEN_SEARCH_H

#include "ops/eigen/many.h"
#include "ops/eigen/small.h"
#include "ops/eigen/space.h"

struct search {
	/* Set by the caller; of the space l, n, symmetric, apply and with. */
	struct space space;
	struct seq *s;
	const struct eigen_choice *choice;	/* in terms of A */
	bool inverse;			/* C = (A - sigma I)^-1, else C = A */
	double norm;			/* |A| */
	double tol;			/* of residuals, relative to |A| */
	int64_t limit;			/* products with C */

	/* The result. */
	bool confirmed;			/* k pairs were found, and the last run
					 * has found none better */
	bool interior;			/* given up: A has eigenvalues on both
					 * sides of sigma, where products with A
					 * alone converge to neither */
	bool broken;			/* LAPACK's algorithms failed */
	double error;			/* the last run's first residual that is
					 * above tol, relative to |A| */

	struct small small;
	double *keys, *sorted;		/* of the locked ones; workspace */
};

/* -1: no memory, or the call was given up; search_fini() must be called in any
 * case. The vectors that were found are f->space's locked ones. */
int search_run(struct search *f);
void search_fini(struct search *f);

#endif
