/* four.h - four elements at once, and division by a number whose inverse is
 * known. Included by kernels only. */
#ifndef KERNELS_BLAS_FOUR_H
#define KERNELS_BLAS_FOUR_H

#include "lib/real.h"

#if defined(DTYPE_float64)
typedef double4 real4;
#else
typedef float4 real4;
#endif

/* PUT4 stores the elements of v in to[at] to to[at + 3]; GET4 returns the real4
 * of from[at] to from[at + 3]. Arrays in registers may be used if `at` is a
 * constant after unrolling. */
#define PUT4(to, at, v) \
	((to)[(at)] = (v).s0, (to)[(at) + 1] = (v).s1, \
	 (to)[(at) + 2] = (v).s2, (to)[(at) + 3] = (v).s3)
#define GET4(from, at) \
	((real4)((from)[(at)], (from)[(at) + 1], (from)[(at) + 2], \
	         (from)[(at) + 3]))

/* Returns x / d, given `inverse` = 1 / d. The result is as exact as that of a
 * correctly rounded division, except where that overflows or underflows. */
static real quotient(real x, real d, real inverse)
{
	const real q = x * inverse;
	const real closer = fma(fma(-q, d, x), inverse, q);

	return isnan(closer) ? q : closer;
}

#endif
