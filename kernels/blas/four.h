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

/* The elements of a real4, in an expression with constant indices. */
#define PUT4(to, at, v) \
	((to)[(at)] = (v).s0, (to)[(at) + 1] = (v).s1, \
	 (to)[(at) + 2] = (v).s2, (to)[(at) + 3] = (v).s3)
#define GET4(from, at) \
	((real4)((from)[(at)], (from)[(at) + 1], (from)[(at) + 2], \
	         (from)[(at) + 3]))

/* Returns x / d, given 1 / d, as exact as a correctly rounded division but for
 * overflow and underflow. */
static real quotient(real x, real d, real inverse)
{
	const real q = x * inverse;
	const real closer = fma(fma(-q, d, x), inverse, q);

	return isnan(closer) ? q : closer;
}

#endif
