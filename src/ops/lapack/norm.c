/* norm.c - norms of arrays on the host. */
#include <math.h>

#include "ops/lapack/stack.h"

#define LAPACK_BODY "ops/lapack/norm_real.h"
#include "ops/lapack/each_type.h"

/* Returns the norm of x multiplied by `by`. */
static double norm_by(enum dtype t, const void *x, size_t m, size_t n,
                      double by, double *sums)
{
	double most = 0;

	for (size_t j = 0; j < n; j++)
		sums[j] = 0;
	(t == FLOAT32 ? column_sums_s : column_sums_d)(x, m, n, by, sums);
	for (size_t j = 0; j < n; j++)
		if (sums[j] > most || isnan(sums[j]))
			most = sums[j];
	return most;
}

long double lapack_norm1(enum dtype t, const void *x, size_t m, size_t n,
                         double *sums)
{
	static const double down = 0x1p-64;
	const double norm = norm_by(t, x, m, n, 1, sums);

	return isinf(norm) ? norm_by(t, x, m, n, down, sums) /
	                     (long double)down : norm;
}
