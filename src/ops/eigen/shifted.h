/* shifted.h - a factorization P (A - sigma I) = L U of a sparse matrix, and
 * solutions with it. The matrix is ordered so that its band is narrow, and is
 * stored as a band matrix, or as a dense one if that takes less time. */
#ifndef OPS_EIGEN_SHIFTED_H
#define OPS_EIGEN_SHIFTED_H

#include "ops/eigen/entries.h"
#include "ops/lapack/lapack.h"

struct shifted {
	const struct lapack *l;
	const struct entries *a;
	size_t n, rows;			/* of A; of the array f */
	bool dense;
	int below, above;		/* widths of the band */
	int32_t *order, *place;		/* of the rows: place[order[i]] = i */
	double *f, *x;			/* the factors; a vector */
	int *pivots;
};

/* Plans the factorization for a matrix whose pattern, made symmetric, is that
 * of `pattern`. *fits: are its memory and time within bounds? -1: no memory;
 * shifted_fini() must be called in any case. */
int shifted_init(struct shifted *s, const struct lapack *l,
                 const struct entries *a, const struct entries *pattern,
                 bool *fits);
void shifted_fini(struct shifted *s);

/* Factors A - sigma I. *singular: is U exactly singular? -1: no memory. */
int shifted_factor(struct shifted *s, double sigma, bool *singular);

/* Computes y = (A - sigma I)^-1 x; x and y may be the same array. */
void shifted_solve(const struct shifted *s, const double *x, double *y);

#endif
