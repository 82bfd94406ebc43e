/* vector.h - complex vectors on the host in long double, as the judges of one
 * eigenpair (pair.h) and of several (several.h) use them. |x| is the 2-norm. */
#ifndef CHECK_VECTOR_H
#define CHECK_VECTOR_H

#include <complex.h>

#include "matrix/matrix.h"

/* Element i of m, whether m is real or complex. */
long double complex host_element(const struct matrix *m, size_t i);

/* y = A x, or y = A^T x if `transposed`, for an n x n matrix A by rows. */
void host_multiply(const long double *a, bool transposed,
                   const long double complex *x, size_t n,
                   long double complex *y);

long double host_norm2(const long double complex *x, size_t n);

/* |y - lambda x|, where y and x have n components. */
long double host_remainder(const long double complex *y,
                           long double complex lambda,
                           const long double complex *x, size_t n);

/* | |x| - 1 |, or infinity unless the first of the largest components of x is
 * real and positive, as eigen promises of every eigenvector. */
long double host_off_unit(const long double complex *x, size_t n);

#endif
