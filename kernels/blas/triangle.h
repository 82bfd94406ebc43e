/* triangle.h - solves T x = b for a lower triangular tile T in local memory.
 * Each work-item has a right-hand side of its own in its registers, and needs
 * no barriers.
 *
 * T is stored by columns. Column c begins with row c / 4 * 4, so that four rows
 * can be read at once. The reciprocals of T's diagonal follow T. Included by
 * kernels only.
 */
#ifndef KERNELS_BLAS_TRIANGLE_H
#define KERNELS_BLAS_TRIANGLE_H

#include "blas/four.h"
#include "lib/unroll.h"
#include "shared/blas_tile.h"

/* Returns the position that element (0, c) of T would have in the storage if it
 * were stored, in units of a real4. */
static int triangle_column(int c)
{
	const int b = c / 4;

	return 4 * (b * BLAS_NB / 4 - b * (b - 1) / 2) +
	       c % 4 * (BLAS_NB / 4 - b) - b;
}

/* Stores element (row, c) of T, if the storage has a place for it. */
static void triangle_put(local real *t, int row, int c, real v)
{
	if (row >= c / 4 * 4)
		t[triangle_column(c) * 4 + row] = v;
}

/* Waits until the work-group has stored T, and stores the reciprocals of T's
 * diagonal. Returns whether all reciprocals are finite. All work-items must
 * call this. */
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

/* Solves for the elements `first` to `first` + BLAS_SLICE - 1 of x, and
 * subtracts their products with T from the later elements. x[0] holds element
 * `first`. If `exact` is set, elements are multiplied by the reciprocals of T's
 * diagonal, which must be finite then; otherwise they are divided by the
 * diagonal. */
INLINE void triangle_solve(local const real4 *t, int first, real x[BLAS_NB],
                           bool exact)
{
	local const real *inverse = (local const real *)t + BLAS_TRIANGLE;
	int column[BLAS_SLICE];		/* positions of the elements in row
					 * `first` of T */

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

/* Moves the elements of x down by BLAS_SLICE, so that the next slice begins at
 * x[0]. */
INLINE void triangle_shift(real x[BLAS_NB])
{
	UNROLL
	for (int i = 0; i < BLAS_NB - BLAS_SLICE; i++)
		x[i] = x[i + BLAS_SLICE];
}

#endif
