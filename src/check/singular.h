/* singular.h - singular values on the host in long double, as the reference of
 * the judges. */
#ifndef CHECK_SINGULAR_H
#define CHECK_SINGULAR_H

#include <stddef.h>

/* Writes the min(m, n) singular values of the m x n matrix a, descending, to s,
 * by one-sided Jacobi (Hestenes 1958), which overwrites a. */
void host_singular(long double *a, size_t m, size_t n, long double *s);

#endif
