/* givens.h - plane rotations for kernels that apply very many of them. */
#ifndef KERNELS_LIB_GIVENS_H
#define KERNELS_LIB_GIVENS_H

#include "lib/real.h"

/* A smaller sum of squares counts as zero, because it may have lost digits to
 * underflow. It is for matrices whose largest element is about 1. */
#define GIVENS_SMALLEST (sizeof(real) == 8 ? (real)1e-280 : (real)1e-30)

/* c f + s g = r and c g - s f = 0, with c >= 0. */
struct givens { real c, s, r; };

/* Sets *t for f and g, or returns false if both count as zero. c^2 + s^2 = 1
 * holds to the last digit, because a step of Newton's method corrects both:
 * vectors that are rotated stay orthonormal, whatever the accuracy of the
 * device's rsqrt(). */
static inline bool givens_of(real f, real g, struct givens *t)
{
	const real square = fma(f, f, g * g);
	real by, more;

	if (!(square > GIVENS_SMALLEST))
		return false;
	by = copysign(rsqrt(square), f);
	t->c = f * by;
	t->s = g * by;
	more = fma(-t->c, t->c, fma(-t->s, t->s, (real)1)) / 2;
	t->c = fma(t->c, more, t->c);
	t->s = fma(t->s, more, t->s);
	t->r = fma(t->c, f, t->s * g);
	return true;
}

/* s / (1 + c), with which c x + s y = x + s (y - ratio x). This has no error of
 * a constant sign for small angles, where c is rounded to 1 or the number below
 * it, so that many such rotations leave vectors as long as they were
 * (Rutishauser 1966). */
static inline real givens_ratio(const struct givens *t)
{
	return t->s / (1 + t->c);
}

#endif
