/* sums.h - the sums of the estimated residual (residual.h) where the factors'
 * columns are not all in one buffer: with w = U x,
 *
 *     |P (A x) - L w| / (n |A| |x| eps)  in the maximum norm
 *
 * Kernels compute what some columns add to a sum (kernels/lu/blocks.cl), and
 * the host adds that up in float64. */
#ifndef OPS_LU_SUMS_H
#define OPS_LU_SUMS_H

#include <math.h>

#include "device/seq.h"

/* Numbers of an m x n matrix with k pivots. lw is without L's diagonal. */
struct lu_sums {
	double *ax, *norm, *lw;		/* m: A x, the rows' sums of |a_ij|,
					 * L w */
	double *ux;			/* k: w */
};

/* How many numbers struct lu_sums has in all; and the struct for so many
 * numbers at x. */
size_t lu_sums_count(size_t m, size_t k);
struct lu_sums lu_sums_at(double *x, size_t m);

/* Returns zeroed memory for n numbers, from calloc(); NULL with the sequence's
 * error. */
double *lu_sums_room(struct seq *s, size_t n);

/* Copy n numbers from and to a buffer of the device's type for sums.
 * lu_sums_write() overwrites host[0] to host[n - 1]. Both return when the copy
 * is complete. */
void lu_sums_read(struct seq *s, struct buf b, double *to, size_t n);
void lu_sums_write(struct seq *s, struct buf b, double *host, size_t n);

/* The ratio for a matrix of m rows, n columns and k pivots in the sequence's
 * type; order as in A[order] = L U. */
double lu_sums_ratio(const struct seq *s, const struct lu_sums *x, size_t m,
                     size_t n, size_t k, const int32_t *order);

/* The larger one of two numbers; a NaN wins. */
static inline double lu_larger(double a, double b)
{
	return b > a || isnan(b) ? b : a;
}

#endif
