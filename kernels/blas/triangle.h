/* triangle.h - solves T x = b for a lower triangular tile T in local memory. A
 * work-item has a right-hand side in its registers, and needs no barriers.
 *
 * Column c of T begins with row c / 4 * 4, so that four rows can be read at
 * once. Behind T are the inverses of its diagonal. Included by kernels only.
 */
#ifndef KERNELS_BLAS_TRIANGLE_H
#define KERNELS_BLAS_TRIANGLE_H

#include "blas/four.h"
#include "lib/unroll.h"
#include "shared/blas_tile.h"

/* Returns the position that row 0 of column c of T would have, in units of a
 * real4. */
static int triangle_column(int c)
{
	const int b = c / 4;

	return 4 * (b * BLAS_NB / 4 - b * (b - 1) / 2) +
	       c % 4 * (BLAS_NB / 4 - b) - b;
}

/* Stores element (row, c) of T, unless column c begins below that row. */
static void triangle_put(local real *t, int row, int c, real v)
{
	if (row >= c / 4 * 4)
		t[triangle_column(c) * 4 + row] = v;
}

/* Waits until the work-group has stored T, and stores the inverses of its
 * diagonal. Returns whether none of them is infinite. All items call this. */
static bool triangle_invert(local real *t)
{
	const int c = get_local_id(0);
	local int *inexact = (local int *)(t + BLAS_FLAG);

	if (c == 0)
		*inexact = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (c < BLAS_NB) {
		const real inverse = 1 / t[triangle_column(c) * 4 + c];

		t[BLAS_TRIANGLE + c] = inverse;
		if (isinf(inverse))
			*inexact = 1;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	return !*inexact;
}

/* Solves for BLAS_SLICE elements of x, of which number `first` is the first,
 * and subtracts their products with T from the later elements. x[0] is number
 * `first`. If `exact`, elements are multiplied by the inverses of T's diagonal,
 * which should be finite then; if not, they are divided by the diagonal. */
INLINE void triangle_solve(local const real4 *t, int first, real x[BLAS_NB],
                           bool exact)
{
	local const real *inverse = (local const real *)t + BLAS_TRIANGLE;
	int column[BLAS_SLICE];		/* places of row `first` */

	UNROLL
	for (int c = 0; c < BLAS_SLICE; c++) {
		local const real *element;
		real d;

		column[c] = triangle_column(first + c) + first / 4;
		element = (local const real *)(t + column[c]);
		d = element[c];
		x[c] = exact ? quotient(x[c], d, inverse[first + c]) :
		       x[c] / d;
		UNROLL
		for (int i = 0; i < BLAS_SLICE; i++)
			if (i > c)
				x[i] -= x[c] * element[i];
	}
	UNROLL
	for (int g = BLAS_SLICE; g < BLAS_NB; g += BLAS_SLICE)
		if (first + g < BLAS_NB)
			UNROLL
			for (int e = 0; e < BLAS_SLICE * BLAS_SLICE / 4; e++) {
				const int c = e * 4 / BLAS_SLICE;
				const int i = g + e * 4 % BLAS_SLICE;
				const real4 v = t[column[c] + i / 4];

				x[i] -= x[c] * v.s0;
				x[i + 1] -= x[c] * v.s1;
				x[i + 2] -= x[c] * v.s2;
				x[i + 3] -= x[c] * v.s3;
			}
}

/* Drops the first BLAS_SLICE elements of x, so that the next slice begins at
 * x[0]. */
INLINE void triangle_shift(real x[BLAS_NB])
{
	UNROLL
	for (int i = 0; i < BLAS_NB - BLAS_SLICE; i++)
		x[i] = x[i + BLAS_SLICE];
}

#endif
