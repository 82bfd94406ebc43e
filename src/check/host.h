/* host.h - small dense algebra on the host in long double, by the simplest
 * algorithms, as the reference of the judges. */
#ifndef CHECK_HOST_H
#define CHECK_HOST_H

#include <stdbool.h>
#include <stddef.h>

#include "matrix/matrix.h"

/* Returns all elements of m, of a sparse matrix the zeros too, followed by
 * `more` zeros. The caller frees the array. Returns NULL if there is no
 * memory. */
long double *host_values(const struct matrix *m, size_t more);

/* |error| / size, but 0 if both are 0. It is infinite if only size is 0, and
 * NAN if error is NAN. */
double host_ratio(long double error, long double size);

/* The larger of the two numbers, or NAN if one of them is NAN. */
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
 * elimination with partial pivoting, which overwrites a. Returns false if a is
 * singular. */
bool host_invert(long double *a, long double *inverse, size_t n);

/* |X^T X - I| in the 1-norm for the m x n matrix X, whose element (i, j) is
 * x[i row + j column]. */
long double host_off_orthogonal(const long double *x, size_t m, size_t n,
                                size_t row, size_t column);

/* Is the symmetric n x n matrix a positive definite? The answer comes from its
 * Cholesky factorization, which overwrites a. */
bool host_is_definite(long double *a, size_t n);

#endif
