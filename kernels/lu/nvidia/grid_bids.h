/* grid_bids.h - how work-groups of a grid that have the same columns agree
 * on a pivot: their warps bid, each its best row, and all read all bids.
 *
 * Bids are lines (grid_lines.h) whose tags count steps. They lie in the
 * half for even or odd steps: who bids for step k + 2 has read all bids for
 * k + 1, hence all have read those for k.
 *
 * Defined before: ROWS of an item, DEEP: groups at most below each other.
 */
#ifndef KERNELS_LU_NVIDIA_GRID_BIDS_H
#define KERNELS_LU_NVIDIA_GRID_BIDS_H

#include "lu/nvidia/grid_find.h"
#include "lu/nvidia/grid_lines.h"

#define ROW_LINES (WIDE / PER_LINE)
#define CALLS (BIDS / 32)		/* bids that a lane compares */
#define READS ((BIDS * ROW_LINES + ITEMS - 1) / ITEMS)	/* of an item */
#ifndef LOOKS
#define LOOKS 2				/* at them, before it waits */
#endif
#define RARE(x) __builtin_expect(!!(x), 0)

struct grid {
	struct panel p;
	int group;			/* of those below each other */
	int bids;			/* all their warps' */
	global ulong2 *rows;		/* NB x ROW_LINES: pivots' rows */
	global ulong2 *bid;		/* 2 x BIDS x ROW_LINES */
};

INLINE uint step_tag(const struct grid *g, int now)
{
	return (uint)((g->p.j + now) % 255 + 1) << 24;
}

/* The lines of all bids for step now. */
INLINE global ulong2 *bids_of(const struct grid *g, int now)
{
	return g->bid + opaque((now & 1) * BIDS * ROW_LINES);
}

/* A row as it is. */
INLINE void row_tell(const real *row, int live, ulong tag, global ulong2 *to)
{
	UNROLL
	for (int i = 0; i < ROW_LINES; i++)
		if (i * PER_LINE < live)
			line_write(to + i, line_made(tag, row + i * PER_LINE));
}

/* A row as it will be once it has lost l times u but in its first element, and
 * moved to the left by one: the last of its `live` elements, then free, is the
 * first one's inverse. */
INLINE void next_tell(const real *row, real l, const real *u, real inverse,
                      int live, ulong tag, global ulong2 *to)
{
	real x[WIDE];

	UNROLL
	for (int c = 0; c < WIDE; c++)
		x[c] = c == 0 ? row[c] : c + 1 < live ?
		       fma(-l, u[c + 1], row[c + 1]) : inverse;
	row_tell(x, live, tag, to);
}

/* The warp bids its best row, for step now: rows that have still to lose l
 * times u, as next_tell() wants it, unless that is NULL. A warp that has none
 * says so. */
INLINE void bid(struct found *f, const struct rows *rows, struct item me,
                const struct grid *g, int now, int live, const real *l,
                const real *u)
{
	struct candidate c;
	const uint lane = warp_search(f, rows, &g->p, now, &c);
	const ulong tag = (ulong)(step_tag(g, now) | c.place) << 32;
	global ulong2 *to = bids_of(g, now) + (g->group * WARPS + me.warp) *
	                    ROW_LINES;

	if (me.lane != (int)lane)
		return;
	UNROLL
	for (int r = 0; r < ROWS; r++) {
		if (rows->place[r] != c.place && (r > 0 || c.place != NOBODY))
			continue;
		if (u)
			next_tell(rows->x[r], l[r], u, f->inverse, live, tag,
			          to);
		else
			row_tell(rows->x[r], WIDE, tag, to);
	}
}

/* What this item reads of the bids for step now, at a first look. */
INLINE void bids_look(ulong2 *line, struct item me, const struct grid *g,
                      int now)
{
	UNROLL
	for (int i = 0; i < READS; i++) {
		const int e = me.id + i * ITEMS;

		line[i] = 0;
		if (e < g->bids * ROW_LINES)
			line[i] = line_read(bids_of(g, now) + e);
	}
}

/* The bids for step now to local memory, of their rows the first `live`
 * elements. */
INLINE void bids_wait(ulong2 line[LOOKS][READS], struct item me,
                      const struct grid *g, int now, int live,
                      local struct shared *s)
{
	const uint tag = step_tag(g, now);

	UNROLL
	for (int i = 0; i < READS; i++) {
		const int e = me.id + i * ITEMS;
		const int b = e / ROW_LINES, k = e % ROW_LINES;
		ulong2 v = line[0][i];

		if (e >= g->bids * ROW_LINES || k * PER_LINE >= live)
			continue;
		UNROLL
		for (int look = 1; look < LOOKS; look++)
			if (!line_is_of(v, tag))
				v = line[look][i];
		v = line_wait(v, bids_of(g, now) + e, tag);
		((local uint2 *)s->u[now & 1][b])[k] =
		    (uint2)((uint)v.x, (uint)v.y);
		if (k == 0)
			s->place[now & 1][b] = line_tag(v) & NOBODY;
	}
}

/* A lane's bids. */
struct calls {
	uint word[CALLS], place[CALLS];
	real x[CALLS];
};

INLINE struct calls calls_of(struct item me, const struct grid *g, int now,
                             local const struct shared *s)
{
	struct calls c;

	UNROLL
	for (int k = 0; k < CALLS; k++) {
		const int b = k * 32 + me.lane;
		const bool is_bid = b < g->bids;

		c.place[k] = is_bid ? s->place[now & 1][b] : NOBODY;
		c.x[k] = is_bid ? s->u[now & 1][b][0] : 0;
		c.word[k] = exponent_word(c.x[k]);
		if (c.word[k] > INFINITE || c.place[k] == NOBODY)
			c.word[k] = 0;
	}
	return c;
}

/* The best of them, whatever they are. */
INLINE int best_of_all(const struct calls *c, bool pivoting)
{
	struct candidate best = { 0, 0, NOBODY };
	uint first = 0, lane;

	UNROLL
	for (int k = 0; k < CALLS; k++) {
		const struct candidate x = candidate_of(
		    pivoting && c->place[k] != NOBODY ? order_of(c->x[k]) : 0,
		    c->place[k]);

		if (x.high > best.high || (x.high == best.high &&
		    (x.low > best.low || (x.low == best.low &&
		     x.place < best.place))))
			best = x, first = k * 32;
	}
	lane = first_lane(best);
	return warp_word(first, lane) + lane;
}

/* The best bid for step now, and whether its pivot's inverse is easy: mostly
 * one is alone with the largest word that has the exponent. */
INLINE int best_bid(struct item me, const struct grid *g, int now,
                    bool *is_easy, local const struct shared *s)
{
	const struct calls c = calls_of(me, g, now, s);
	uint word = 0, most, all = 0;
	int first = 0, several = 0;

	UNROLL
	for (int k = 0; k < CALLS; k++)
		word = max(word, c.word[k]);
	most = warp_max(word);
	UNROLL
	for (int k = 0; k < CALLS; k++) {
		const uint who = warp_vote(c.word[k] == most);

		several |= (who & (who - 1)) || (all && who);
		first = who ? k * 32 : first;
		all |= who;
	}
	*is_easy = g->p.pivoting && !several && most >= EASY_LEAST &&
	           most <= EASY_MOST;
	if (RARE(!*is_easy))
		return best_of_all(&c, g->p.pivoting);
	return first + 31 - clz(all);
}

#endif
