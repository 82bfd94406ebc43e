/* candidate.h - a row that a warp proposes for the next pivot's: the order of
 * its element (pivot.h) in two words, of which float32 has one, and its place.
 */
#ifndef KERNELS_LU_NVIDIA_CANDIDATE_H
#define KERNELS_LU_NVIDIA_CANDIDATE_H

#include "lib/warp.h"
#include "lu/pivot.h"

struct candidate {
	uint high, low, place;
};

INLINE struct candidate candidate_of(order o, uint place)
{
#ifdef DTYPE_float64
	return (struct candidate){ o >> 32, (uint)o, place };
#else
	return (struct candidate){ o, 0, place };
#endif
}

/* The lane that has the best candidate: the largest order, and of equal ones
 * the first place. */
INLINE uint best_lane(struct candidate c)
{
	uint who = warp_vote(c.high == warp_max(c.high));

	if (who & (who - 1)) {
		bool in = who >> get_local_id(0) % 32 & 1;
		uint at;

#ifdef DTYPE_float64
		const uint low = in ? c.low : 0;

		in &= low == warp_max(low);
#endif
		at = in ? c.place : ~0u;
		who = warp_vote(in & (at == warp_min(at)));
	}
	return 31 - clz(who & -who);
}

#endif
