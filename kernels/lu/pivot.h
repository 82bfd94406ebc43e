/* pivot.h - what every way of factoring a panel must agree on: which row
 * is the pivot's, and how a column is divided by it. */
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

/* Ordered as the moduli are, from 1 on; 0 for a NaN: that is a pivot only
 * where all are, or none is searched for. */
INLINE order order_of(real x)
{
	return x != x ? 0 : AS_ORDER(fabs(x)) + 1;
}

/* A column's multipliers are its elements times up times inverse. A zero
 * pivot leaves its column, as LAPACK. A subnormal one would have an infinite
 * inverse: it is scaled up first. */
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
