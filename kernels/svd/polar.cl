/* polar.cl - the singular vectors that follow from eigenvectors of H, for svd
 * by the polar decomposition (src/ops/svd/polar.c). One work-item for each of
 * `count` elements. */
#include "lib/real.h"

/* Takes k of the columns of the n x n matrix Z: element j of the i-th, which is
 * column order[i], becomes v[at + i down + j along]. */
kernel void svd_take(global const real *restrict z, int n,
                     global const int *restrict order, long count, long at,
                     long down, long along, global real *restrict v)
{
	const size_t e = get_global_id(0), i = e / n, j = e % n;

	if (e < count)
		v[at + i * down + j * along] = z[j * n + order[i]];
}

/* Changes the signs of the vectors of n elements that signs[i] is negative for;
 * element j of vector i is v[at + i down + j along]. */
kernel void svd_turn(global real *restrict v, int n,
                     global const int *restrict signs, long count, long at,
                     long down, long along)
{
	const size_t e = get_global_id(0), i = e / n, j = e % n;

	if (e < count && signs[i] < 0)
		v[at + i * down + j * along] = -v[at + i * down + j * along];
}
