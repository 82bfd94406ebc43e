/* grid_find.h - the pivot search among a work-group's rows, of which every item
 * keeps ROWS.
 *
 * Usually one element alone has the largest word, of which the exponent is a
 * part; a fast path serves that case, a slow one all others. Rows that were a
 * pivot's are NaN, and rows beyond the panel's last are zero. */
#ifndef KERNELS_LU_NVIDIA_GRID_FIND_H
#define KERNELS_LU_NVIDIA_GRID_FIND_H

#include "lu/nvidia/grid_rows.h"

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

/* The word of x that has the exponent, without its sign. */
INLINE uint exponent_word(real x)
{
#ifdef DTYPE_float64
	return as_uint2(x).y & 0x7fffffff;
#else
	return as_uint(x) & 0x7fffffff;
#endif
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

/* What an item finds in its rows, and the warp's largest word. */
struct found {
	uint word, most, place;
	int equal;			/* rows with this word */
	real x, inverse;
};

INLINE struct found rows_search(const struct rows *rows)
{
	struct found f = { .place = NO_PLACE };
	uint word[ROWS];

	UNROLL
	for (int r = 0; r < ROWS; r++) {
		const uint w = exponent_word(rows->x[r][0]);

		word[r] = w > INFINITE ? 0 : w;
		f.word = max(f.word, word[r]);
	}
	f.most = warp_max(f.word);
	UNROLL
	for (int r = 0; r < ROWS; r++)
		if (word[r] == f.word) {
			f.place = rows->place[r];
			f.x = rows->x[r][0];
			f.equal++;
		}
	f.inverse = opaque_real(easy_inverse(f.x));
	return f;
}

/* The lane that has the warp's candidate, which only that lane knows in
 * full. */
INLINE uint warp_search(struct found *f, const struct rows *rows,
                        const struct panel *p, int now, struct candidate *c)
{
	const uint several = ROWS > 1 ? warp_vote(f->equal > 1) : 0;
	const uint who = warp_vote(f->word == f->most);

	if (p->pivoting && !(who & (who - 1 | several)) && f->most > 0 &&
	    f->most < INFINITE) {
		*c = candidate_of(AS_ORDER(fabs(f->x)) + 1, f->place);
		return 31 - clz(who);
	}
	*c = own_best(rows, p, now);
	UNROLL
	for (int r = 0; r < ROWS; r++)
		if (rows->place[r] == c->place)
			f->inverse = easy_inverse(rows->x[r][0]);
	return best_lane(*c);
}

#endif
