/* norm.c - norms of arrays on the host. */
#include <math.h>

#include "ops/lapack/stack.h"

#define LAPACK_BODY "ops/lapack/norm_real.h"
#include "ops/lapack/each_type.h"

double lapack_norm1(enum dtype t, const void *x, size_t m, size_t n,
                    double *sums)
{
	double most = 0;

	for (size_t j = 0; j < n; j++)
		sums[j] = 0;
	(t == FLOAT32 ? column_sums_s : column_sums_d)(x, m, n, sums);
	for (size_t j = 0; j < n; j++)
		if (sums[j] > most || isnan(sums[j]))
			most = sums[j];
	return most;
}
