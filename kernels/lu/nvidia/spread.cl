/* spread.cl - the kernel that factors a panel in the registers of several
 * co-resident work-groups, each of which keeps all columns of some rows
 * (spread_rows.h, spread_candidates.h).
 *
 * As soon as a pivot is known, the next column is updated and searched for the
 * next one; the update of all others follows.
 *
 * Macros: KERNEL, its name; SHARE: a work-group keeps 1 / SHARE of the rows
 * that registers hold.
 */
/* program KERNEL=lu_spread_panel SHARE=1 */
/* program KERNEL=lu_spread_quarter SHARE=4 */
#define ROWS ((int)(32 / SHARE / sizeof(real)))

#include "lu/nvidia/spread_candidates.h"

/* Stores row now of U from its diagonal on; item b of each team has column now.
 * The first `live` of an item's elements are in columns not yet factored. */
INLINE void u_store(struct item me, const struct panel *p, int now, int b,
                    int live, local const struct row *u)
{
	const int c = now - b + me.id;

	if (me.id >= b && me.id / SPAN < live && me.id < NB && c < p->width)
		p->a[(size_t)now * p->n + c] = u->u[me.id % SPAN][me.id / SPAN];
}

/* Computes rows -= l u, except in their first elements, and moves the result to
 * the left by one if `shift`. The first `live` elements are in columns not yet
 * factored. */
INLINE void columns_update(struct rows *rows, const real *l,
                         const real *u, int shift, int live)
{
	UNROLL
	for (int c = 1; c < WIDE; c++)
		UNROLL
		for (int r = 0; r < ROWS; r++)
			if (c + shift < live)
				rows->x[r][c] = fma(-l[r], u[c + shift],
				                    rows->x[r][c + shift]);
			else if (c < live)
				rows->x[r][c] = 0;
}

/* Stores the multipliers of column now, of the item's rows, the first of which
 * is `row`. */
INLINE void stash(const struct groups *g, int now, int row, const real *l)
{
	global real *to = g->stash + opaque(now * g->step + row);

	UNROLL
	for (int r = 0; r < ROWS; r++)
		to[r * TEAMS] = l[r];
}

/* Does step now, whose column is item b's first. `place` is the place of the
 * warp's candidate; returns that of its candidate for the next step. */
INLINE uint eliminate(struct rows *rows, struct item me,
                      const struct groups *g, int now, int b, int live,
                      uint place, local struct shared *s)
{
	const struct panel *p = &g->p;
	const int shift = b == SPAN - 1;
	uint pivot;
	local const struct row *u = agree(rows, me, g, now, b, place, &pivot,
	                                  s);
	const struct scale scale = pivot_scale(u->u[b][0]);
	real l[ROWS], own[WIDE];

	row_read(own, u->u[me.s], WIDE);
	UNROLL
	for (int r = 0; r < ROWS; r++) {
		l[r] = warp_real(rows->x[r][0], me.lane - me.s + b) *
		       scale.up * scale.inverse;
		rows->place[r] = place_after(rows->place[r], now, pivot);
		rows->x[r][0] = fma(-l[r], own[shift], rows->x[r][shift]);
	}
	place = search(rows, me, p, now + 1, (b + 1) % SPAN, s);
	columns_update(rows, l, own, shift, live);
	if (me.s == b)
		stash(g, now, row_first(me, p, 0), l);
	if (now % g->count == g->group)
		u_store(me, p, now, b, live, u);
	if (g->group == 0 && me.id == 0)
		p->swaps[p->j + now] = p->j + pivot;
	return place;
}

INLINE void panel_factor(const struct groups *g, local struct shared *s)
{
	const struct panel *p = &g->p;
	const struct item me = item_of(get_local_id(0));
	const int middle = min(NB / 2, p->width);
	struct rows rows;
	uint place;
	int k = 0;

	rows_load(&rows, me, p, s);
	place = search(&rows, me, p, 0, 0, s);
	for (; k < middle; k += SPAN)
		UNROLL
		for (int b = 0; b < SPAN; b++)
			if (k + b < p->width)
				place = eliminate(&rows, me, g, k + b, b,
				                  WIDE, place, s);
	for (; k < p->width; k += SPAN)
		UNROLL
		for (int b = 0; b < SPAN; b++)
			if (k + b < p->width)
				place = eliminate(&rows, me, g, k + b, b,
				                  WIDE / 2, place, s);
	rows_store(&rows, me, g, s);
}

/* Launch: work-group (part of the panel, matrix of the stack). */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void KERNEL(global real *restrict lu, int m, int n, int j, int pivoting,
                   global int *restrict swaps, global int *restrict moves,
                   global real *restrict stash, int groups,
                   global ulong2 *restrict messages)
{
	local struct shared s __attribute__((aligned(128)));
	const size_t matrix = get_group_id(0) / groups;
	const size_t step = (size_t)groups * GROUP_ROWS;
	struct groups g = {
		panel_of(lu, m, n, j, pivoting, swaps, moves, matrix),
		stash + matrix * step * NB,
		messages + matrix * 2 * groups * LINES, step,
		get_group_id(0) % groups, groups
	};

	g.p.top = g.group * GROUP_ROWS;
	g.p.end = g.p.width;
	panel_factor(&g, &s);
}
