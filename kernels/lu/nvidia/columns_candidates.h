/* columns_candidates.h - how the warps of a work-group that keeps all rows of
 * its columns (columns.cl) agree on a pivot: through local memory, a candidate
 * from each warp. */
#ifndef KERNELS_LU_NVIDIA_COLUMNS_CANDIDATES_H
#define KERNELS_LU_NVIDIA_COLUMNS_CANDIDATES_H

#include "lu/nvidia/columns_find.h"

/* The warps' candidates: the halves of an order, of which float32 has one, the
 * row's place, and the inverse of its element. */
struct candidates {
	uint high[WARPS] __attribute__((aligned(16)));
	uint low[WARPS], place[WARPS];
	real inverse[WARPS];
};

/* What the items of a work-group share. */
struct shared {
	real u[2][WARPS][WIDE] __attribute__((aligned(16)));
	struct candidates candidates[2];
	real l[WIDE][TALL];		/* first what is loaded */
};

INLINE void candidate_write(local struct candidates *to, struct item me,
                            struct candidate c, real inverse)
{
	to->high[me.warp] = c.high;
	to->low[me.warp] = c.low;
	to->place[me.warp] = c.place;
	to->inverse[me.warp] = inverse;
}

/* Stores the warp's candidate for step now, at first as if no other word were
 * as large as its own, and once more if another is. */
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
	c = own_best(rows, p, now, true);
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

/* Returns the warp whose candidate has the largest upper half of an order,
 * which becomes *high. */
INLINE uint best_warp(local const struct candidates *candidates, uint *high)
{
	uint h[2 * WARPS], w[2 * WARPS];	/* a tree; its warps */

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

/* Sets v to the pivot of step now; returns the upper half of its order. */
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
