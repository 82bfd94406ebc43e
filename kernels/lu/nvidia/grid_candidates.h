/* grid_candidates.h - how work-groups in a column of the grid (grid.cl) agree
 * on a pivot: each warp posts its best row as a candidate, and all receive all
 * candidates.
 *
 * Candidates are lines (messages.h) whose tags count steps. Even and odd steps
 * have a half of the buffer each. No candidate is overwritten before all have
 * received it: a work-group that posts for step k + 2 has received all
 * candidates for k + 1, and each of these was posted by one that had received
 * all for k.
 *
 * The file that includes this one defines ROWS, the rows of an item, and
 * HEIGHT, the largest number of work-groups in a column.
 */
#ifndef KERNELS_LU_NVIDIA_GRID_CANDIDATES_H
#define KERNELS_LU_NVIDIA_GRID_CANDIDATES_H

#include "lu/nvidia/columns_find.h"

#define CANDIDATES (HEIGHT * WARPS)	/* posted in a step */
#define ROW_LINES (WIDE / PER_LINE)
#define LANE_CANDIDATES (CANDIDATES / 32)	/* that a lane compares */
#define READS ((CANDIDATES * ROW_LINES + ITEMS - 1) / ITEMS)	/* of an item */
#define PEEKS 2				/* at candidates, before polling */
#define RARE(x) __builtin_expect(!!(x), 0)

/* What the items of a work-group share. */
struct shared {
	real u[2][CANDIDATES][WIDE] __attribute__((aligned(16)));
	uint place[2][CANDIDATES];
	real l[WIDE][TALL];		/* first what is loaded */
};

/* The work-groups of a panel, and which this is. */
struct grid {
	struct panel p;			/* what this one factors */
	uint tag;			/* of the panel's messages */
	int height;			/* items of a column of the grid */
	int group;			/* in its column of the grid */
	int candidates;			/* of all warps of that column */
	global ulong2 *multipliers;	/* NB x LINES x height */
	global ulong2 *rows;		/* pivots' rows: NB x ROW_LINES */
	global ulong2 *lines;		/* candidates: 2 x CANDIDATES x
					 * ROW_LINES */
};

/* Returns the lines of all candidates for step now. */
INLINE global ulong2 *candidates_of(const struct grid *g, int now)
{
	return g->lines + opaque((now & 1) * CANDIDATES * ROW_LINES);
}

/* Posts a row as it is. */
INLINE void row_post(const real *row, int live, uint tag, global ulong2 *to)
{
	UNROLL
	for (int i = 0; i < ROW_LINES; i++)
		if (i * PER_LINE < live)
			line_write(to + i, line_made(tag, row + i * PER_LINE));
}

/* Posts a row as it will be after this step's update, moved to the left by one.
 * Its first element has been updated and moved already. The last of its `live`
 * elements, which the move leaves free, becomes the inverse of the first
 * one. */
INLINE void row_post_updated(const real *row, real l, const real *u,
                             real inverse, int live, uint tag,
                             global ulong2 *to)
{
	real x[WIDE];

	UNROLL
	for (int c = 0; c < WIDE; c++)
		x[c] = c == 0 ? row[c] : c + 1 < live ?
		       fma(-l, u[c + 1], row[c + 1]) : inverse;
	row_post(x, live, tag, to);
}

/* Returns the lane that has the warp's candidate, whose place and inverse are
 * then in that lane's f. */
INLINE uint warp_search(struct found *f, const struct rows *rows,
                        const struct panel *p, int now)
{
	struct candidate c;

	if (f->is_alone)
		return 31 - clz(f->who);
	c = own_best(rows, p, now, true);
	UNROLL
	for (int r = 0; r < ROWS; r++)
		if (rows->place[r] == c.place)
			f->inverse = easy_inverse(rows->x[r][0]);
	f->place = c.place;
	return best_lane(c);
}

/* Posts the warp's candidate for step now. Unless u is NULL, l times u has
 * still to be subtracted from its row (see row_post_updated). A warp without a
 * candidate posts NO_PLACE. */
INLINE void candidate_post(struct found *f, const struct rows *rows,
                           struct item me, const struct grid *g, int now,
                           int live, const real *l, const real *u)
{
	const uint lane = warp_search(f, rows, &g->p, now);
	const uint tag = tag_of(g->p.j + now) | f->place;
	global ulong2 *to = candidates_of(g, now) +
	                    (g->group * WARPS + me.warp) * ROW_LINES;

	if (me.lane != (int)lane)
		return;
	UNROLL
	for (int r = 0; r < ROWS; r++) {
		if (rows->place[r] != f->place &&
		    (r > 0 || f->place != NO_PLACE))
			continue;
		if (u)
			row_post_updated(rows->x[r], l[r], u, f->inverse,
			                 live, tag, to);
		else
			row_post(rows->x[r], WIDE, tag, to);
	}
}

/* Reads this item's share of the candidates for step now, posted or not. */
INLINE void candidates_peek(ulong2 *line, struct item me,
                            const struct grid *g, int now)
{
	UNROLL
	for (int i = 0; i < READS; i++) {
		const int e = me.id + i * ITEMS;

		line[i] = 0;
		if (e < g->candidates * ROW_LINES)
			line[i] = line_read(candidates_of(g, now) + e);
	}
}

/* Receives the candidates for step now into local memory, the first `live`
 * elements of each. */
INLINE void candidates_receive(ulong2 line[PEEKS][READS], struct item me,
                               const struct grid *g, int now, int live,
                               local struct shared *s)
{
	const uint tag = tag_of(g->p.j + now);

	UNROLL
	for (int i = 0; i < READS; i++) {
		const int e = me.id + i * ITEMS;
		const int b = e / ROW_LINES, k = e % ROW_LINES;
		ulong2 v = line[0][i];

		if (e >= g->candidates * ROW_LINES || k * PER_LINE >= live)
			continue;
		UNROLL
		for (int peek = 1; peek < PEEKS; peek++)
			if (!line_is_of(v, tag))
				v = line[peek][i];
		v = line_wait(v, candidates_of(g, now) + e, tag);
		((local uint2 *)s->u[now & 1][b])[k] =
		    (uint2)((uint)v.x, (uint)v.y);
		if (k == 0)
			s->place[now & 1][b] = line_place(v);
	}
}

/* The candidates that a lane compares. */
struct lane_candidates {
	uint word[LANE_CANDIDATES], place[LANE_CANDIDATES];
	real x[LANE_CANDIDATES];
};

INLINE struct lane_candidates lane_candidates_of(struct item me,
                                                 const struct grid *g, int now,
                                                 local const struct shared *s)
{
	struct lane_candidates c;

	UNROLL
	for (int k = 0; k < LANE_CANDIDATES; k++) {
		const int b = k * 32 + me.lane;
		const bool is_candidate = b < g->candidates;

		c.place[k] = is_candidate ? s->place[now & 1][b] : NO_PLACE;
		c.x[k] = is_candidate ? s->u[now & 1][b][0] : 0;
		c.word[k] = modulus_word(c.x[k]);
		if (c.word[k] > INFINITE || c.place[k] == NO_PLACE)
			c.word[k] = 0;
	}
	return c;
}

/* Returns the best of all candidates, whatever their elements are. */
INLINE int best_of_all(const struct lane_candidates *c, bool pivoting)
{
	struct candidate best = { 0, 0, NO_PLACE };
	uint first = 0, lane;

	UNROLL
	for (int k = 0; k < LANE_CANDIDATES; k++) {
		const struct candidate x = candidate_of(
		    pivoting && c->place[k] != NO_PLACE ? order_of(c->x[k]) : 0,
		    c->place[k]);

		if (is_before(x, best))
			best = x, first = k * 32;
	}
	lane = best_lane(best);
	return warp_word(first, lane) + lane;
}

/* Returns the best candidate for step now; *is_easy: does the inverse of its
 * pivot neither overflow nor underflow? Mostly one candidate alone has the
 * largest of the words with the exponents. */
INLINE int best_candidate(struct item me, const struct grid *g, int now,
                          bool *is_easy, local const struct shared *s)
{
	const struct lane_candidates c = lane_candidates_of(me, g, now, s);
	uint word = 0, most, all = 0;
	int first = 0, several = 0;

	UNROLL
	for (int k = 0; k < LANE_CANDIDATES; k++)
		word = max(word, c.word[k]);
	most = warp_max(word);
	UNROLL
	for (int k = 0; k < LANE_CANDIDATES; k++) {
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
