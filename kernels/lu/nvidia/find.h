/* find.h - what the pivot searches by columns (columns_find.h) and in a grid
 * (grid_find.h) share. Included behind the header that defines their struct
 * rows and struct panel. */
#ifndef KERNELS_LU_NVIDIA_FIND_H
#define KERNELS_LU_NVIDIA_FIND_H

#include "lu/nvidia/candidate.h"

/* Words of infinity, of the smallest and largest elements whose inverse neither
 * overflows nor underflows; a NaN. */
#ifdef DTYPE_float64
#define INFINITE 0x7ff00000u
#define EASY_LEAST 0x00200000u
#define NOT_A_NUMBER as_double((ulong)0x7ff8 << 48)
#else
#define INFINITE 0x7f800000u
#define EASY_LEAST 0x01000000u
#define NOT_A_NUMBER as_float(0x7fc00000u)
#endif
#define EASY_MOST 0x7e000000u

/* An item's best row in the first column not yet factored, for step now. */
INLINE struct candidate own_best(const struct rows *rows,
                                 const struct panel *p, int now)
{
	order o[ROWS], best = 0;
	uint place = NO_PLACE;

	UNROLL
	for (int r = 0; r < ROWS; r++) {
		const uint at = rows->place[r];
		const bool live = (at >= (uint)now) & (at < NO_PLACE) &
		                  p->pivoting;

		o[r] = live ? order_of(rows->x[r][0]) : 0;
		best = max(best, o[r]);
	}
	UNROLL
	for (int r = 0; r < ROWS; r++) {
		const uint at = rows->place[r];

		if ((at >= (uint)now) & (o[r] == best))
			place = min(place, at);
	}
	return candidate_of(best, place);
}

/* 1 / x between EASY_LEAST and EASY_MOST, without a branch: Newton's iteration
 * from the multiprocessor's approximation. */
INLINE real easy_inverse(real x)
{
	real y = inverse_guess(x);

#ifdef DTYPE_float64
	const real error = fma(-x, y, (real)1);

	y = fma(y, fma(error, error, error), y);
#endif
	return fma(y, fma(-x, y, (real)1), y);
}

#endif
