/* singular.h - singular values in long double, as the reference of the
 * judges. */
#ifndef CHECK_SINGULAR_H
#define CHECK_SINGULAR_H

#include <stddef.h>

/* Overwrites the row-major m x n matrix a, and writes its min(m, n) singular
 * values to s in descending order; NaN if they do not converge. */
void host_singular(long double *a, size_t m, size_t n, long double *s);

#endif
