/* triangle.h - the solution of T x = b for a lower triangular tile T in local
 * memory, one right-hand side in the registers of an item, without barriers.
 *
 * Column c of T begins with row c / 4 * 4, so that four rows can be read at
 * once. Behind T are the inverses of its diagonal. Included by kernels only.
 */
#ifndef KERNELS_BLAS_TRIANGLE_H
#define KERNELS_BLAS_TRIANGLE_H

#include "lib/real.h"
#include "lib/unroll.h"
#include "shared/blas_tile.h"

#if defined(DTYPE_float64)
typedef double4 real4;
#else
typedef float4 real4;
#endif

/* Returns x / d, given 1 / d, as exact as a correctly rounded division but for
 * overflow and underflow. */
static real quotient(real x, real d, real inverse)
{
	const real q = x * inverse;
	const real closer = fma(fma(-q, d, x), inverse, q);

	return isnan(closer) ? q : closer;
}

/* Where row 0 of column c would be, in units of a real4. */
static int triangle_column(int c)
{
	const int b = c / 4;

	return 4 * (b * BLAS_NB / 4 - b * (b - 1) / 2) +
	       c % 4 * (BLAS_NB / 4 - b) - b;
}

static void triangle_put(local real *t, int row, int c, real v)
{
	if (row >= c / 4 * 4)
		t[triangle_column(c) * 4 + row] = v;
	if (row == c)
		t[BLAS_TRIANGLE + c] = 1 / v;
}

/* Replaces x by T^-1 x. `exact`: all inverses are finite. */
static void triangle_solve(local const real4 *t, real x[BLAS_NB], bool exact)
{
	local const real *element = (local const real *)t;

	UNROLL
	for (int c = 0; c < BLAS_NB; c++) {
		const real d = element[triangle_column(c) * 4 + c];

		x[c] = exact ? quotient(x[c], d, element[BLAS_TRIANGLE + c]) :
		       x[c] / d;
		UNROLL
		for (int i = c / 4 * 4; i < BLAS_NB; i += 4) {
			const real4 v = t[triangle_column(c) + i / 4];

			if (i > c)
				x[i] -= x[c] * v.s0;
			if (i + 1 > c)
				x[i + 1] -= x[c] * v.s1;
			if (i + 2 > c)
				x[i + 2] -= x[c] * v.s2;
			if (i + 3 > c)
				x[i + 3] -= x[c] * v.s3;
		}
	}
}

#endif
