/* polar.cl - singular vectors of A = P H, the polar decomposition, from the
 * eigenvectors of its symmetric factor H (src/ops/svd/polar.c). Each kernel has
 * one work-item for each of the `count` elements that it writes. */
#include "lib/real.h"

/* Stores columns order[0], order[1], ... of the n x n matrix Z as vectors:
 * element j of column order[i] becomes v[at + i down + j along]. */
kernel void svd_take(global const real *restrict z, int n,
                     global const int *restrict order, long count, long at,
                     long down, long along, global real *restrict v)
{
	const size_t e = get_global_id(0), i = e / n, j = e % n;

	if (e < count)
		v[at + i * down + j * along] = z[j * n + order[i]];
}

/* Negates every vector i for which signs[i] is negative. Vectors have n
 * elements; element j of vector i is v[at + i down + j along]. */
kernel void svd_turn(global real *restrict v, int n,
                     global const int *restrict signs, long count, long at,
                     long down, long along)
{
	const size_t e = get_global_id(0), i = e / n, j = e % n;

	if (e < count && signs[i] < 0)
		v[at + i * down + j * along] = -v[at + i * down + j * along];
}
