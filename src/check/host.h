/* host.h - small dense algebra on the host in long double, by the
 * plainest algorithms: what the judges compare with. */
#ifndef CHECK_HOST_H
#define CHECK_HOST_H

#include <stdbool.h>
#include <stddef.h>

#include "matrix/matrix.h"

/* All elements, then `more` zeros; the caller's to free(). NULL: no memory. */
long double *host_values(const struct matrix *m, size_t more);

/* |error| / size; an exact zero needs no size. NAN stays. */
double host_ratio(long double error, long double size);

/* The larger; NAN wins, so that it shows. */
double host_worse(double a, double b);

/* The largest sum of magnitudes of a column. */
long double host_norm1(const long double *a, size_t m, size_t n);

/* The inverse of the n x n matrix at a, into `inverse`, by Gauss and Jordan
 * with partial pivoting; a is destroyed. false: singular. */
bool host_invert(long double *a, long double *inverse, size_t n);

/* Is the symmetric n x n matrix at a positive definite? By Cholesky's
 * factorization, which overwrites it. */
bool host_is_definite(long double *a, size_t n);

#endif
