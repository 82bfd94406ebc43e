/* direct_parts.h - how work-groups of direct.cl that have a part
 * of k each of the same tile add their sums: in the parts' order, whoever
 * comes last. */
#include "lib/last.h"

#define PART (ROWS * COLS)		/* words */
#define AHEAD 4				/* parts that are read at once */

/* One of n parts of a tile; where all are kept, and counted: from 0, and 0
 * again when all have come. */
struct meeting {
	global float *part;
	global int *count;
	int index, n;
	local int *last;
};

/* Of element e of an item's set of sums in a part: items lie side by side. */
INLINE int place_in_part(int set, int e)
{
	return ((set * SUMS + e) / 4 * ITEMS + (int)get_local_id(0)) * 4 +
	    e % 4;
}

INLINE void keep(global float *part, const float sum[SETS][SUMS])
{
	#pragma unroll
	for (int s = 0; s < SETS; s++)
		#pragma unroll
		for (int e = 0; e < SUMS; e += 4)
			*(global float4 *)(part + place_in_part(s, e)) =
			    (float4)(sum[s][e], sum[s][e + 1], sum[s][e + 2],
			             sum[s][e + 3]);
}

/* sum = that of n parts. */
INLINE void add(float sum[SETS][SUMS], const global float *part, int n)
{
	#pragma unroll
	for (int s = 0; s < SETS; s++)
		#pragma unroll
		for (int e = 0; e < SUMS; e++)
			sum[s][e] = 0;
	#pragma unroll AHEAD
	for (int p = 0; p < n; p++, part += PART)
		#pragma unroll
		for (int s = 0; s < SETS; s++)
			#pragma unroll
			for (int e = 0; e < SUMS; e += 4) {
				const float4 v = *(const global float4 *)
				    (part + place_in_part(s, e));

				sum[s][e] += v.x;
				sum[s][e + 1] += v.y;
				sum[s][e + 2] += v.z;
				sum[s][e + 3] += v.w;
			}
}

/* Where this work-group has kept its part, is it the last of the tile's? Then
 * sum = that of all. */
INLINE bool gather(float sum[SETS][SUMS], const struct meeting *x)
{
	ptx_barrier();
	if (get_local_id(0) == 0) {
		*x->last = is_last(x->count, 1, x->n);
		if (*x->last)
			*x->count = 0;
	}
	ptx_barrier();
	if (!*x->last)
		return false;
	add(sum, x->part, x->n);
	return true;
}
