/* tensor_sum.h - the sum of Lik Ljk^T on the tensor cores, in float64, for
 * tiles.h. A warp computes 16 rows and 32 columns of the tile. Rows of Lik^T
 * and Ljk^T are PITCH apart in local memory, so that the elements that a warp
 * loads at a time are in different banks. Included by kernels only. */
#include "cholesky/tile.h"
#include "lib/ptx.h"

#ifdef DTYPE_float64

#define PITCH (NB + 4)
#define STEP 8				/* rows of Lik^T of one instruction */
#define SUM_ROOM (DEPTH * PITCH / 4)	/* real4 that sum_keep() stores */

/* Stores DEPTH rows of Lik^T or of Ljk^T. */
INLINE void sum_keep(const real4 from[LOADS], local real4 *to)
{
	const int item = get_local_id(0);

	UNROLL
	for (int q = 0; q < LOADS; q++)
		to[(item / SIDE + q * (ITEMS / SIDE)) * (PITCH / 4) +
		   item % SIDE] = from[q];
}

/* The first row and column of the item's elements of the sum; element 4 e + 2 h
 * + i is that of row 8 h and column 8 e + i from there. */
#define ROW ((int)get_local_id(0) / 32 % 4 * 16 + (int)get_local_id(0) / 4 % 8)
#define COLUMN ((int)get_local_id(0) / 128 * 32 + (int)get_local_id(0) % 4 * 2)

/* Adds their product. */
INLINE void sum_add(local const real4 *p, local const real4 *q,
                    real sum[EACH * EACH])
{
	const int at = (int)get_local_id(0) % 4 * PITCH;
	local const real *left = (local const real *)p + at + ROW;
	local const real *right = (local const real *)q + at + COLUMN / 32 * 32
	                          + (int)get_local_id(0) / 4 % 8;

	UNROLL
	for (int d = 0; d < DEPTH; d += STEP) {
		real a[4], b[2];

		UNROLL
		for (int e = 0; e < 4; e++)
			a[e] = left[(d + e / 2 * 4) * PITCH + e % 2 * 8];
		UNROLL
		for (int e = 0; e < 4; e++) {
			b[0] = right[d * PITCH + 8 * e];
			b[1] = right[(d + 4) * PITCH + 8 * e];
			ptx_mma_f64(sum + 4 * e, a, b);
		}
	}
}

/* Subtracts the sum, which passes through local memory into the layout of
 * tile.h. */
INLINE void sum_subtract(real a[EACH][EACH], const real sum[EACH * EACH],
                         local real4 *room)
{
	local real *to = (local real *)room + ROW * PITCH + COLUMN;

	barrier(CLK_LOCAL_MEM_FENCE);
	UNROLL
	for (int e = 0; e < EACH * EACH; e++)
		to[e / 2 % 2 * 8 * PITCH + e / 4 * 8 + e % 2] = sum[e];
	barrier(CLK_LOCAL_MEM_FENCE);
	UNROLL
	for (int r = 0; r < EACH; r++) {
		const real4 v = room[(Y * EACH + r) * (PITCH / 4) + X];

		a[r][0] -= v.s0;
		a[r][1] -= v.s1;
		a[r][2] -= v.s2;
		a[r][3] -= v.s3;
	}
}

#endif
