/* complex_types.c - what complex.h has for both types. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "ops/lapack/complex.h"
#include "ops/lapack/exported.h"

#define LAPACK_BODY "ops/lapack/complex_typed.h"
#include "ops/lapack/each_complex.h"

bool complex_factor_c(const struct lapack *l, size_t m, size_t n, cplx_c *lu,
                      size_t ld, double norm, int *pivots)
{
	if (!complex_is_moderate(norm))
		return false;
	l->c.getrf(LAPACK_COLUMNS, (int)m, (int)n, lu, (int)ld, pivots);
	return complex_are_factors_c(lu, m, n, ld);
}

bool complex_is_doubtful(const cplx_c *lu, size_t n, size_t ld)
{
	double least = INFINITY, most = 0;

	for (size_t i = 0; i < n; i++) {
		const double size = complex_modulus_c(lu[i * (ld + 1)]);

		least = fmin(least, size);
		most = fmax(most, size);
	}
	return least <= most * (double)n * FLT_EPSILON;
}
