/* splits.h - split-K within one launch. Each work-group of a tile stores the
 * sums of its split of k, and the last work-group to arrive adds the sums of
 * all splits in the order of the splits, so that the result does not depend on
 * which work-group arrives last.
 *
 * Included with ADDERS, the work-items of a work-group that have sums; SETS and
 * SUMS: an item has SETS sets of SUMS sums; and READ_AHEAD, the splits that are
 * read at once, for which an item needs registers. */
#include "lib/last.h"

#define SPLIT (ADDERS * SETS * SUMS)	/* words of a split's sums */
#define ADDING 3			/* the barrier of the items that add */

/* Split `index` of the n splits of a tile: where the sums of all splits are
 * stored, and the counter of the splits that have arrived, which is 0 before
 * the first and after the last. */
struct k_split {
	global float *sums;
	global int *count;
	int index, n;
	local int *last;
};

/* Returns the index in its split of element e of an item's set of sums.
 * Neighbouring items write neighbouring elements. */
INLINE int place_in_split(int set, int e)
{
	return ((set * SUMS + e) / 4 * ADDERS + (int)get_local_id(0)) * 4 +
	    e % 4;
}

INLINE void split_store(global float *sums, const float sum[SETS][SUMS])
{
	#pragma unroll
	for (int s = 0; s < SETS; s++)
		#pragma unroll
		for (int e = 0; e < SUMS; e += 4)
			*(global float4 *)(sums + place_in_split(s, e)) =
			    (float4)(sum[s][e], sum[s][e + 1], sum[s][e + 2],
			             sum[s][e + 3]);
}

/* sum = the sum of n splits. */
INLINE void splits_add(float sum[SETS][SUMS], const global float *sums, int n)
{
	#pragma unroll
	for (int s = 0; s < SETS; s++)
		#pragma unroll
		for (int e = 0; e < SUMS; e++)
			sum[s][e] = 0;
	#pragma unroll READ_AHEAD
	for (int p = 0; p < n; p++, sums += SPLIT)
		#pragma unroll
		for (int s = 0; s < SETS; s++)
			#pragma unroll
			for (int e = 0; e < SUMS; e += 4) {
				const float4 v = *(const global float4 *)
				    (sums + place_in_split(s, e));

				sum[s][e] += v.x;
				sum[s][e + 1] += v.y;
				sum[s][e + 2] += v.z;
				sum[s][e + 3] += v.w;
			}
}

/* Called by all ADDERS items after they have stored their split's sums. Returns
 * whether theirs is the last work-group of its tile, and if so sets sum to the
 * sum of all splits. */
INLINE bool reduce(float sum[SETS][SUMS], const struct k_split *x)
{
	ptx_meet(ADDING, ADDERS);
	if (get_local_id(0) == 0)
		*x->last = is_last(x->count, 1, x->n);
	ptx_meet(ADDING, ADDERS);
	if (!*x->last)
		return false;
	splits_add(sum, x->sums, x->n);
	return true;
}
