/* shifted.h - a factorization P (A - sigma I) = L U of a sparse matrix, and
 * solutions with it. The matrix is ordered so that its band is narrow, and is
 * stored as a band matrix, or as a dense one if that takes less time. */
#ifndef OPS_EIGEN_SHIFTED_H
#define OPS_EIGEN_SHIFTED_H

#include "ops/eigen/banded.h"
#include "ops/eigen/entries.h"

struct shifted {
	const struct entries *a;
	struct seq *s;
	int32_t *order, *place;		/* of the rows: place[order[i]] = i */
	struct banded b;
	double *x;			/* scratch: a vector of n elements */
};

/* Returns the bytes of the host's memory that a factorization of n rows may
 * take: the least of the size of a dense matrix, 1 GiB and, if the device
 * shares the host's memory, a quarter of its memory. */
size_t shifted_most_bytes(const struct sheet *d, size_t n);

/* Plans the factorization for a matrix whose pattern, made symmetric, is that
 * of `pattern`. *fits: are its memory and time within bounds? -1: no memory;
 * shifted_fini() must be called in any case. */
int shifted_init(struct shifted *s, struct seq *seq, const struct lapack *l,
                 const struct entries *a, const struct entries *pattern,
                 bool *fits);
void shifted_fini(struct shifted *s);

/* Factors A - sigma I. Sets *singular if U is exactly singular. Returns -1 if
 * there is no memory, or if the call was cancelled. */
int shifted_factor(struct shifted *s, double sigma, bool *singular);

/* Computes y = (A - sigma I)^-1 x; x and y may be the same array. Returns 0, or
 * -1 if the call was cancelled. */
int shifted_solve(const struct shifted *s, const double *x, double *y);

#endif
