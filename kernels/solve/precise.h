/* precise.h - sums in twice the precision, for the residual b - A x.
 *
 * float32 is summed in float64. float64 (and float32 where there is no float64)
 * keeps a sum as two numbers that are not added: Dot2 of Ogita, Rump and Oishi,
 * Accurate Sum and Dot Product (2005), in every lane. Included by kernels only.
 */
#ifndef KERNELS_SOLVE_PRECISE_H
#define KERNELS_SOLVE_PRECISE_H

#include "lu/lu.h"

/* Keeps the compiler from changing error-free transformations; it must stand
 * first in a block that contains one. */
#define AS_WRITTEN _Pragma("OPENCL FP_CONTRACT OFF")

#if defined(DTYPE_float64) || !defined(cl_khr_fp64)
#define COMPENSATED
#endif

struct sum {
	wide high, low;
};

/* a + b = s + e exactly (Knuth). */
#define TWO_SUM(type, s, e, a, b)                                        \
	const type s = (a) + (b);                                        \
	const type s##_b = s - (a);                                      \
	const type e = ((a) - (s - s##_b)) + ((b) - s##_b)

static struct sum sum_add(struct sum a, struct sum b)
{
	AS_WRITTEN
	TWO_SUM(wide, s, e, a.high, b.high);

	return (struct sum){ s, e + (a.low + b.low) };
}

/* high + low += a x, and size += |a x| */
#ifdef COMPENSATED
#define ADD_PRODUCT(type, high, low, size, a, x)                         \
	do {                                                             \
		AS_WRITTEN                                               \
		const type ax_a = (a), ax_x = (x);                       \
		const type product = ax_a * ax_x;                        \
		const type error = fma(ax_a, ax_x, -product);            \
		TWO_SUM(type, ax_s, ax_e, high, product);                \
                                                                         \
		high = ax_s;                                             \
		low += ax_e + error;                                     \
		size += fabs(product);                                   \
	} while (0)
#else
#define ADD_PRODUCT(type, high, low, size, a, x)                         \
	do {                                                             \
		const type product = (a) * (x);                          \
                                                                         \
		high += product;                                         \
		size += fabs(product);                                   \
	} while (0)
#endif

/* The sum of the lanes. */
#ifdef COMPENSATED
static struct sum lanes_fold(widev high, widev low)
{
	AS_WRITTEN
#if VW == 16
	TWO_SUM(wide8, a, a_e, high.lo, high.hi);
	const wide8 a_low = low.lo + low.hi + a_e;
#else
	const wide8 a = high, a_low = low;
#endif
	TWO_SUM(wide4, b, b_e, a.lo, a.hi);
	const wide4 b_low = a_low.lo + a_low.hi + b_e;
	TWO_SUM(wide2, c, c_e, b.lo, b.hi);
	const wide2 c_low = b_low.lo + b_low.hi + c_e;

	return sum_add((struct sum){ c.x, c_low.x },
	               (struct sum){ c.y, c_low.y });
}
#else
static struct sum lanes_fold(widev high, widev low)
{
	return (struct sum){ lanes_sum(high + low), 0 };
}
#endif

#endif
