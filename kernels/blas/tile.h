/* tile.h - products of tiles of NB rows and columns, by work-groups of ITEMS
 * items, which keep the product in registers. Included by kernels only. */
#ifndef KERNELS_BLAS_TILE_H
#define KERNELS_BLAS_TILE_H

#include "blas/triangle.h"

#define NB BLAS_NB
#define ITEMS BLAS_ITEMS
#define SLICE BLAS_SLICE
#define PITCH BLAS_PITCH

/* An item computes DOWN x ACROSS elements of a tile. */
#define ACROSS 4
#define DOWN (NB / (ITEMS / (NB / ACROSS)))

/* Adds A B^T to sum, the work-item's elements of the product: rows DOWN y to
 * DOWN y + DOWN - 1, columns ACROSS x to ACROSS x + ACROSS - 1. A and B are
 * slices of SLICE columns of two tiles, column-major with PITCH elements from
 * one column to the next. */
INLINE void multiply(local const real4 *a, local const real4 *b,
                     real sum[DOWN][ACROSS])
{
	const int x = get_local_id(0) % (NB / ACROSS);
	const int y = get_local_id(0) / (NB / ACROSS);

	for (int p = 0; p < SLICE; p++) {
		const real4 right = b[p * (PITCH / 4) + x];
		real left[DOWN];

		UNROLL
		for (int i = 0; i < DOWN; i += 4)
			PUT4(left, i, a[p * (PITCH / 4) + (y * DOWN + i) / 4]);
		UNROLL
		for (int i = 0; i < DOWN; i++) {
			sum[i][0] += left[i] * right.s0;
			sum[i][1] += left[i] * right.s1;
			sum[i][2] += left[i] * right.s2;
			sum[i][3] += left[i] * right.s3;
		}
	}
}

#endif
