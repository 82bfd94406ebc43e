/* grid_find.h - the pivot search among a work-group's rows, of which every item
 * keeps ROWS.
 *
 * Usually one element alone has the largest word, of which the exponent is a
 * part; a fast path serves that case, a slow one all others. Rows that were a
 * pivot's are NaN, and rows beyond the panel's last are zero. */
#ifndef KERNELS_LU_NVIDIA_GRID_FIND_H
#define KERNELS_LU_NVIDIA_GRID_FIND_H

#include "lu/nvidia/grid_rows.h"
#include "lu/nvidia/find.h"

/* The word of x that has the exponent, without its sign. */
INLINE uint exponent_word(real x)
{
#ifdef DTYPE_float64
	return as_uint2(x).y & 0x7fffffff;
#else
	return as_uint(x) & 0x7fffffff;
#endif
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
