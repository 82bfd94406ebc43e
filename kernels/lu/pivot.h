/* pivot.h - what all ways of factoring a panel share: which element is the
 * pivot, and how a column is divided by it. */
#ifndef KERNELS_LU_PIVOT_H
#define KERNELS_LU_PIVOT_H

#include "lib/real.h"

#define INLINE static inline __attribute__((always_inline))

#ifdef DTYPE_float64
#define SMALLEST_NORMAL DBL_MIN
typedef double4 real4;
typedef ulong order;
#define AS_ORDER(x) as_ulong(x)
#else
#define SMALLEST_NORMAL FLT_MIN
typedef float4 real4;
typedef uint order;
#define AS_ORDER(x) as_uint(x)
#endif

/* An integer from 1 on that orders elements as their moduli do; 0 for a NaN,
 * which is a pivot only if all elements are NaN or no pivot is searched for. */
INLINE order order_of(real x)
{
	return x != x ? 0 : AS_ORDER(fabs(x)) + 1;
}

/* A column's multipliers are its elements times `up` times `inverse`. A zero
 * pivot leaves its column unchanged, as in LAPACK. A subnormal pivot would have
 * an infinite inverse, and is scaled up first. */
struct scale {
	real up, inverse;
};

INLINE struct scale pivot_scale(real pivot)
{
	const real up = fabs(pivot) < SMALLEST_NORMAL && pivot != 0 ?
	                (real)1 / REAL_EPSILON : 1;

	return (struct scale){ up, pivot != 0 ? 1 / (pivot * up) : 1 };
}

#endif
