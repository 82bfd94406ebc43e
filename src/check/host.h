/* host.h - small dense algebra on the host in long double, by the simplest
 * algorithms, as the reference of the judges. */
#ifndef CHECK_HOST_H
#define CHECK_HOST_H

#include <stdbool.h>
#include <stddef.h>

#include "matrix/matrix.h"

/* All elements of m, followed by `more` zeros; the caller frees them. NULL: no
 * memory. */
long double *host_values(const struct matrix *m, size_t more);

/* |error| / size, and 0 where the error is 0, even if size is. NAN stays
 * NAN. */
double host_ratio(long double error, long double size);

/* The larger; NAN if one is, so that it is not hidden. */
double host_worse(double a, double b);

/* The 1-norm: the largest column sum of magnitudes. */
long double host_norm1(const long double *a, size_t m, size_t n);

/* The m x n product X Y: element (i, j) of the m x k matrix X is
 * x[i row + j column], and Y, k x n, is row-major. */
struct host_product {
	size_t m, k, n;
	const long double *x;
	size_t row, column;
	const long double *y;
};

/* A -= X Y */
void host_subtract(long double *a, const struct host_product *p);

/* Writes the inverse of the n x n matrix a to `inverse`, by Gauss-Jordan
 * elimination with partial pivoting; a is overwritten. False: a is singular. */
bool host_invert(long double *a, long double *inverse, size_t n);

/* The largest column sum of |X^T X - I| for an m x n matrix X, whose elements
 * (i, j) are x[i row + j column]. */
long double host_off_orthogonal(const long double *x, size_t m, size_t n,
                                size_t row, size_t column);

/* Is the symmetric n x n matrix a positive definite? Uses Cholesky's
 * factorization, which overwrites it. */
bool host_is_definite(long double *a, size_t n);

#endif
