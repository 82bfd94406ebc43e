/* singular.h - the judges' reference for singular values: they are computed on
 * the host in long double. */
#ifndef CHECK_SINGULAR_H
#define CHECK_SINGULAR_H

#include <stddef.h>

/* Writes the min(m, n) singular values of the row-major m x n matrix a to s, in
 * descending order. One-sided Jacobi rotations (Hestenes 1958) overwrite a. */
void host_singular(long double *a, size_t m, size_t n, long double *s);

#endif
