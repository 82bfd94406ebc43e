/* blocks.cl - the estimated residual |P (A x) - L (U x)| where the factors'
 * columns are in several buffers, of several devices or one after the other on
 * one: what a buffer's columns add to the sums (ops/lu/sums.h). What they add
 * to A x is computed by lu_times_a. Work-group (row), of any size. */
#include "lu/lu.h"

/* w = U x: lu has `own` columns of the packed factors, x their elements. Its
 * blocks are blocks part, part + parts, ... of the matrix, each of `width`
 * columns. */
kernel void lu_blocks_times_u(global const real *restrict lu, int own,
                              int width, int part, int parts,
                              global const wide *restrict x,
                              global wide *restrict w, local wide *sums)
{
	const int i = get_group_id(0), block = i / width;
	const int before = (block + parts - 1 - part) / parts * width;
	const int from = min(block % parts == part ? before + i % width :
	                                             before, own);
	const wide sum = group_sum(row_dot(lu + (size_t)i * own, from, own, x),
	                           sums);

	if (get_local_id(0) == 0)
		w[i] = sum;
}

/* z += L w: l is a block of packed factors, `cols` columns from column j on,
 * the first k of which have pivots. Its first row is row `first`. */
kernel void lu_blocks_times_l(global const real *restrict l, int first, int j,
                              int cols, int k, global const wide *restrict w,
                              global wide *restrict z, local wide *sums)
{
	const int row = get_group_id(0), i = first + row;
	const wide sum = group_sum(row_dot(l + (size_t)row * cols, 0,
	                                   clamp(i - j, 0, k), w + j), sums);

	if (get_local_id(0) == 0)
		z[i] += sum;
}
