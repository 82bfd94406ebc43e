/* sum.h - the sum of Lik Ljk^T in the layout of tile.h, for tiles.h. Included
 * by kernels only. */
#include "cholesky/tile.h"

#define SUM_ROOM (DEPTH * SIDE)		/* real4 that sum_keep() stores */

/* Stores DEPTH rows of Lik^T or of Ljk^T. */
#define sum_keep keep

/* Adds their product. */
INLINE void sum_add(local const real4 *p, local const real4 *q,
                    real sum[EACH * EACH])
{
	multiply(p, q, DEPTH, (real (*)[EACH])sum);
}

/* Subtracts the sum from the work-item's elements of the tile. */
INLINE void sum_subtract(real a[EACH][EACH], const real sum[EACH * EACH],
                         local real4 *room)
{
	(void)room;
	UNROLL
	for (int e = 0; e < EACH * EACH; e++)
		a[e / EACH][e % EACH] -= sum[e];
}
