/* columns_find.h - the pivot search among a work-group's rows, of which every
 * item keeps ROWS.
 *
 * Usually one element alone has the largest word, of which the exponent is a
 * part; a fast path serves that case, a slow one all others. Rows that were a
 * pivot's are NaN, and rows beyond the panel's last are zero. */
#ifndef KERNELS_LU_NVIDIA_COLUMNS_FIND_H
#define KERNELS_LU_NVIDIA_COLUMNS_FIND_H

#include "lu/nvidia/columns_rows.h"
#include "lu/nvidia/find.h"

/* The word of x that has the exponent. */
INLINE uint upper_word(real x)
{
#ifdef DTYPE_float64
	return as_uint2(x).y;
#else
	return as_uint(x);
#endif
}

/* What an item finds in its rows, and its warp: the largest words, the item's
 * best row; `who` has a bit for each lane that has the warp's largest word. */
struct found {
	uint word[ROWS], own, most, place, who;
	bool is_alone;
	real x, inverse;
};

INLINE struct found words_search(const struct rows *rows)
{
	struct found f = { .place = NO_PLACE };

	UNROLL
	for (int r = 0; r < ROWS; r++) {
		const uint word = upper_word(rows->x[r][0]) & 0x7fffffff;

		f.word[r] = word > INFINITE ? 0 : word;
		f.own = max(f.own, f.word[r]);
	}
	f.most = warp_max(f.own);
	return f;
}

INLINE void row_search(struct found *f, const struct rows *rows,
                       const struct panel *p)
{
	int equal = 0;
	uint others;

	UNROLL
	for (int r = 0; r < ROWS; r++)
		if (f->word[r] == f->own) {
			f->place = rows->place[r];
			f->x = rows->x[r][0];
			equal++;
		}
	f->inverse = opaque_real(easy_inverse(f->x));
	f->who = warp_vote(f->own == f->most);
	others = (ROWS > 1 ? warp_vote(equal > 1) : 0) | (f->who - 1);
	f->is_alone = !(f->who & others) && p->pivoting && f->most > 0 &&
	              f->most < INFINITE;
}

INLINE void candidate_write(local struct candidates *to, struct item me,
                            struct candidate c, real inverse)
{
	to->high[me.warp] = c.high;
	to->low[me.warp] = c.low;
	to->place[me.warp] = c.place;
	to->inverse[me.warp] = inverse;
}

/* Stores the warp's candidate for step now: first as if its word were the only
 * one so large, and once more if it is not. */
INLINE void propose(const struct found *f, const struct rows *rows,
                    struct item me, const struct panel *p, int now, int live,
                    local struct shared *s)
{
	local struct candidates *candidates = &s->candidates[now & 1];
	local real *to = s->u[now & 1][me.warp];
	struct candidate c;
	real inverse = 0;

	if (f->own == f->most)
		candidate_write(candidates, me,
		                candidate_of(AS_ORDER(fabs(f->x)) + 1,
		                             f->place), f->inverse);
	UNROLL
	for (int r = 0; r < ROWS; r++)
		if (f->word[r] == f->most)
			row_write(rows->x[r], live, to);
	if (f->is_alone)
		return;
	c = own_best(rows, p, now);
	if (me.lane != (int)best_lane(c))
		return;
	UNROLL
	for (int r = 0; r < ROWS; r++)
		if (rows->place[r] == c.place) {
			inverse = easy_inverse(rows->x[r][0]);
			row_write(rows->x[r], live, to);
		}
	candidate_write(candidates, me, c, inverse);
}

/* The warp whose candidate has the largest upper half of an order. */
INLINE uint best_warp(local const struct candidates *candidates, uint *high)
{
	uint h[2 * WARPS], w[2 * WARPS];	/* a tree, and whose they are */

	UNROLL
	for (int i = 0; i < WARPS; i += 4) {
		const uint4 v = *(local const uint4 *)(candidates->high + i);
		const int k = WARPS + i;

		h[k] = v.x, h[k + 1] = v.y, h[k + 2] = v.z, h[k + 3] = v.w;
		w[k] = i, w[k + 1] = i + 1, w[k + 2] = i + 2, w[k + 3] = i + 3;
	}
	UNROLL
	for (int i = WARPS - 1; i > 0; i--) {
		const uint a = w[2 * i], b = w[2 * i + 1];

		w[i] = h[2 * i + 1] > h[2 * i] ? b : a;
		h[i] = max(h[2 * i], h[2 * i + 1]);
	}
	*high = h[1];
	return w[1];
}

/* A step's pivot, its place, and the warp that stored its row. */
struct pivot {
	uint warp, place;
	real inverse, u[WIDE];
};

INLINE void pivot_read(struct pivot *v, local const struct shared *s, int now,
                       int live, uint warp)
{
	v->warp = warp;
	v->place = s->candidates[now & 1].place[warp];
	v->inverse = s->candidates[now & 1].inverse[warp];
	row_read(v->u, s->u[now & 1][warp], live);
}

/* The pivot of step now; the upper half of its order. */
INLINE uint pivot_of(struct pivot *v, struct item me,
                     local const struct shared *s, int now, int live)
{
	local const struct candidates *candidates = &s->candidates[now & 1];
	const uint own = candidates->high[me.lane % WARPS];
	struct candidate c = { 0, 0, NO_PLACE };
	uint high, who;

	pivot_read(v, s, now, live, best_warp(candidates, &high));
	who = warp_vote((me.lane < WARPS) & (own == high));
	if (who & (who - 1)) {
		if (me.lane < WARPS)
			c = (struct candidate){ own, candidates->low[me.lane],
			                        candidates->place[me.lane] };
		pivot_read(v, s, now, live, best_lane(c));
	}
	return high;
}

#endif
