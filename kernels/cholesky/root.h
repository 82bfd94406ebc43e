/* root.h - the square root of a pivot, and its reciprocal. Included by kernels
 * only. */
#include "lib/real.h"

/* Returns the square root of x, and 1 / sqrt(x) in *inverse; both are NaN
 * unless x > 0. Devices' rsqrt() may be wrong by several ulp; one step of
 * Newton's method for each result makes it as exact as correctly rounded
 * operations would. */
static real root_of_any(real x, real *inverse)
{
	const real first = rsqrt(x);
	const real y = fma(first / 2, fma(-x * first, first, (real)1), first);
	const real s = x * y;

	*inverse = y;
	return fma(y / 2, fma(-s, s, x), s);
}

#if defined(cl_nv_pragma_unroll) && defined(DTYPE_float64)

/* Returns what root_of_any() does, faster on NVIDIA's devices. Their
 * instruction for 1 / sqrt(x) has an error of about 2^-20 and treats denormal
 * numbers as zeros (PTX ISA); one step of a third-order iteration makes the
 * result exact. This takes a third of the time of rsqrt(), which matters
 * because a factorization waits for each root. */
static real root(real x, real *inverse)
{
	real first, e, y, s;

	if (!(x >= 0x1p-1000))
		return root_of_any(x, inverse);
	__asm__("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(first) : "d"(x));
	e = fma(-x * first, first, 1.0);
	y = fma(first * e, fma(0.375, e, 0.5), first);
	s = x * y;
	*inverse = y;
	return fma(y / 2, fma(-s, s, x), s);
}

#else
#define root root_of_any
#endif
