/* grid.h - LU_GRID: the kernel of a tall panel of P A = L U in registers of
 * a grid of multiprocessors: each keeps LU_GRID_COLUMNS columns of some rows
 * (grid_rows.h), and those below each other all rows.
 *
 * Those that have the same columns agree on each pivot (grid_bids.h). Those
 * right of them follow, told the multipliers of their rows, and tell each other
 * the pivot's row (grid_lines.h).
 *
 * A panel has more rows than NB. In the end moves tells what the other
 * columns' rows shall do: row k < NB comes from row moves[k], and what it held
 * goes to row moves[NB + k].
 *
 * Defined before: ROWS of an item, DEEP: groups at most below each other.
 */
#ifndef KERNELS_LU_NVIDIA_GRID_H
#define KERNELS_LU_NVIDIA_GRID_H

#include "lu/nvidia/grid_bids.h"

#define ACROSS (NB / WIDE)

/* The rows but their first elements lose l times u, and move to the left by
 * one. */
INLINE void columns_lose(struct rows *rows, const real *l, const real *u,
                         int live)
{
	UNROLL
	for (int c = 1; c < WIDE; c++)
		UNROLL
		for (int r = 0; r < ROWS; r++)
			if (c + 1 < live)
				rows->x[r][c] = fma(-l[r], u[c + 1],
				                    rows->x[r][c + 1]);
			else if (c < live)
				rows->x[r][c] = 0;
}

/* Step now of this group's own, for which all bids have come, with `live`
 * elements left; while those for the next come, the rest is done. */
INLINE void lead(struct rows *rows, struct item me, const struct grid *g,
                 int now, int live, local struct shared *s)
{
	const struct panel *p = &g->p;
	const bool is_last = now + 1 == p->end;
	real l[ROWS], own[WIDE], inverse;
	ulong2 line[LOOKS][READS];
	local const real *u;
	struct found f;
	bool is_easy;
	uint pivot;
	int best;

	group_sync();
	best = best_bid(me, g, now, &is_easy, s);
	pivot = s->place[now & 1][best];
	u = s->u[now & 1][best];
	row_read(own, u, live);
	inverse = u[now <= p->first + WIDE / 2 ? WIDE - 1 : WIDE / 2 - 1];
	if (now == p->first)
		inverse = easy_inverse(own[0]);
	if (RARE(!is_easy)) {
		const struct scale scale = pivot_scale(own[0]);

		inverse = scale.inverse;
		UNROLL
		for (int r = 0; r < ROWS; r++)
			rows->x[r][0] *= scale.up;
	}
	UNROLL
	for (int r = 0; r < ROWS; r++) {
		l[r] = rows->place[r] == pivot ? NOT_A_NUMBER :
		       rows->x[r][0] * inverse;
		rows->x[r][0] = fma(-l[r], own[1], rows->x[r][1]);
	}
	places_swap(rows, now, pivot);
	if (!is_last) {
		f = rows_search(rows);
		bid(&f, rows, me, g, now + 1, live, l, own);
	}
	columns_lose(rows, l, own, live);
	if (!is_last)
		bids_look(line[0], me, g, now + 1);
	tell(me, p, now, pivot, l);
	if (LOOKS > 1 && !is_last)
		bids_look(line[LOOKS - 1], me, g, now + 1);
	multipliers_keep(me, p, now, l, s);
	if (g->group == 0)
		u_store(me, p, now, now, u);
	if (g->group == 0 && me.id == 0)
		p->swaps[p->j + now] = p->j + pivot;
	if (!is_last)
		bids_wait(line, me, g, now + 1, live, s);
}

/* Step now, before this group's own; what the next step's multipliers were
 * when it was looked. */
INLINE void follow(struct rows *rows, struct item me, const struct grid *g,
                   int now, ulong2 *line, local struct shared *s)
{
	const struct panel *p = &g->p;
	const bool is_last = now + 1 == p->first;
	global ulong2 *row = g->rows + opaque(now * ROW_LINES);
	local real *u = s->u[now & 1][me.warp];
	real l[ROWS], own[WIDE];
	const uint pivot = lines_wait(l, line, me, p, now);
	struct found f;

	UNROLL
	for (int r = 0; r < ROWS; r++)
		if (rows->place[r] == pivot)
			row_tell(rows->x[r], WIDE, (ulong)p->tag << 32, row);
	if (!is_last)
		lines_read(line, me, p, now + 1);
	places_swap(rows, now, pivot);
	if (me.lane < ROW_LINES) {
		const ulong2 v = line_wait(line_read(row + me.lane),
		                           row + me.lane, p->tag);

		((local uint2 *)u)[me.lane] = (uint2)((uint)v.x, (uint)v.y);
	}
	warp_sync();
	row_read(own, u, WIDE);
	UNROLL
	for (int r = 0; r < ROWS; r++)
		rows->x[r][0] = fma(-l[r], own[0], rows->x[r][0]);
	if (is_last)
		f = rows_search(rows);
	UNROLL
	for (int c = 1; c < WIDE; c++)
		UNROLL
		for (int r = 0; r < ROWS; r++)
			rows->x[r][c] = fma(-l[r], own[c], rows->x[r][c]);
	if (is_last)
		bid(&f, rows, me, g, p->first, WIDE, 0, 0);
	if (g->group == 0)
		u_store(me, p, now, p->first, u);
}

/* All steps before this group's own; then the bids for its first. */
INLINE void follow_all(struct rows *rows, struct item me, const struct grid *g,
                       local struct shared *s)
{
	const struct panel *p = &g->p;
	ulong2 line[LINES], bids[LOOKS][READS];

	if (p->first == 0) {
		struct found f = rows_search(rows);

		bid(&f, rows, me, g, 0, WIDE, 0, 0);
	} else
		lines_read(line, me, p, 0);
	_Pragma("unroll 1")
	for (int now = 0; now < p->first; now++)
		follow(rows, me, g, now, line, s);
	group_sync();
	UNROLL
	for (int look = 0; look < LOOKS; look++)
		bids_look(bids[look], me, g, p->first);
	bids_wait(bids, me, g, p->first, WIDE, s);
}

INLINE void panel_factor(const struct grid *g, local struct shared *s)
{
	const int id = get_local_id(0);
	const struct item me = { id, id % 32, id / 32 };
	const struct panel *p = &g->p;
	const int middle = min(p->first + WIDE / 2, p->end);
	struct rows rows;
	int now = p->first;

	rows_load(&rows, me, p, s);
	follow_all(&rows, me, g, s);
	_Pragma("unroll 1")
	for (; now < middle; now++)
		lead(&rows, me, g, now, WIDE, s);
	_Pragma("unroll 1")
	for (; now < p->end; now++)
		lead(&rows, me, g, now, WIDE / 2, s);
	hear(&rows, me, p);
	rows_store(&rows, me, p, s);
}

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void LU_GRID(global real *restrict lu, int m, int n, int j,
                    int pivoting, global int *restrict swaps,
                    global int *restrict moves, global real *restrict stash,
                    int groups, global ulong2 *restrict post)
{
	local struct shared s __attribute__((aligned(128)));
	const int deep = groups / ACROSS, height = deep * ITEMS;
	const int own = get_group_id(0) % groups;
	const int group = own % deep, column = own / deep;
	const size_t matrix = get_group_id(0) / groups;
	const int rows = NB * ROW_LINES, bids = 2 * BIDS * ROW_LINES;
	const int first = column * WIDE, width = min(NB, n - j);
	global ulong2 *told = post + matrix * (ACROSS * (rows + bids) +
	                                       (size_t)NB * LINES * height);
	global ulong2 *lines = told + ACROSS * (rows + bids) + group * ITEMS;
	const struct grid g = {
		{ lu + matrix * m * n + (size_t)j * n + j, n, m - j, width, j,
		  pivoting, swaps + matrix * min(m, n),
		  moves + matrix * 2 * NB, lines,
		  (uint)(j / NB % 255 + 1) << 24, first,
		  min(first + WIDE, width), group * ROWS * ITEMS, height },
		group, deep * WARPS, told + column * rows,
		told + ACROSS * rows + column * bids
	};

	if (first < width)
		panel_factor(&g, &s);
}

#endif
