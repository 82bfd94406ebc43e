/* givens.h - plane rotations for kernels that apply very many of them. */
#ifndef KERNELS_LIB_GIVENS_H
#define KERNELS_LIB_GIVENS_H

#include "lib/real.h"

/* The smallest sum of squares that counts as nonzero: a smaller one may have
 * lost digits to underflow. The limit is for matrices whose largest element is
 * about 1. */
#define GIVENS_SMALLEST (sizeof(real) == 8 ? (real)1e-280 : (real)1e-30)

/* The plane rotation with c >= 0 that maps (f, g) to (r, 0): c f + s g = r and
 * c g - s f = 0. */
struct givens { real c, s, r; };

/* Sets *t to the rotation for f and g and returns true, or returns false if f^2
 * + g^2 counts as zero. c^2 + s^2 = 1 holds to the last digit, because a step
 * of Newton's method corrects both: vectors that are rotated stay orthonormal,
 * whatever the accuracy of the device's rsqrt(). */
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

/* Returns ratio = s / (1 + c), with which c x + s y = x + s (y - ratio x). For
 * small angles c is rounded to 1 or to the number below 1, so that products
 * with c have errors of one sign, and many rotations would change the length of
 * vectors. The form with `ratio` has no such error (Rutishauser 1966). */
static inline real givens_ratio(const struct givens *t)
{
	return t->s / (1 + t->c);
}

#endif
