/* large.h - several eigenvalues of a large sparse matrix, which is not made
 * dense, on the host:
 *
 *     large.c      the call: loads the matrix, answers
 *     plan.c       the choice between products with the matrix and
 *                  solutions after a factorization
 *     rayleigh.c   the pairs that a space holds, and their residuals with A
 *     search.c     runs of Krylov-Schur until nothing is missing
 *     space.c      a Krylov space
 *     small.c      its projected problem
 *     shifted.c    the factorization for shift-and-invert; banded.c its LU
 *     entries.c    the matrix; order.c an ordering that narrows its band
 */
#ifndef OPS_EIGEN_LARGE_H
#define OPS_EIGEN_LARGE_H

#include "ops/eigen/entries.h"
#include "ops/eigen/many.h"
#include "ops/eigen/search.h"
#include "ops/eigen/shifted.h"

/* One matrix, divided by 2^power, while it is worked on. */
struct large {
	struct seq *s;
	struct args *args;
	const struct lapack *l;
	struct entries loaded, across, mean;	/* A, A^T, (A + A^T) / 2 */
	const struct entries *a;	/* whose pairs are searched: `loaded`,
					 * or `mean` if A is symmetric */
	int power;
	bool symmetric;
	double norm;			/* |A|, the largest sum of a row */
	struct eigen_choice choice;	/* its sigma is divided, too */
	struct shifted shifted;
	int64_t products;		/* of ended searches */
	struct search search;
};

/* The pairs that the locked vectors hold. */
struct rayleigh {
	struct eigen_set set;		/* of the projection X^T A X */
	struct eigen_set pairs;		/* of A: its vectors have n rows, its
					 * other arrays are those of `set` */
	double residual;		/* the largest |A x - lambda x| / |A| of
					 * the chosen ones, |x| = 1 */
};

/* Computes the eigenpairs of A in the span of the locked vectors, chooses among
 * them, and measures their residuals. -1: no memory, or the call was cancelled.
 * *solved: did LAPACK converge? rayleigh_fini() must be called in any case. */
int rayleigh_find(struct rayleigh *r, struct large *g, bool *solved);
void rayleigh_fini(struct rayleigh *r);

/* Sets r->residual for the pairs as they are now. -1: no memory, or the call
 * was cancelled. */
int rayleigh_measure(struct rayleigh *r, struct large *g);

/* Multiplies the eigenvalues by 2^power. */
void rayleigh_scale(struct rayleigh *r, int power);

/* Searches the wanted pairs; g->search then has the vectors that were found.
 * -1: no memory, or the call was cancelled. */
int large_search(struct large *g);

/* Can the matrix be made dense if the iteration does not converge? */
bool large_can_be_dense(const struct large *g);

/* Returns a bound on the rounding errors of one product, relative to |A|. */
double large_rounding(const struct large *g);

/* Sets g->l, with the number of LAPACK's threads that suits matrices of `rows`
 * rows: several for a factorization, but one (rows = 1) for products of
 * vectors, after each of which several would wait for each other. -1: LAPACK is
 * missing. */
int large_set_threads(struct large *g, size_t rows);

/* Computes y = A x; false: the call was cancelled. `with` is the struct
 * large. */
bool large_times(void *with, const double *x, double *y);

#endif
