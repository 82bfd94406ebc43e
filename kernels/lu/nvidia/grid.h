/* grid.h - LU_GRID: the kernel that factors a high panel in the registers of a
 * grid of co-resident work-groups: each keeps LU_GRID_COLUMNS columns of some
 * rows (grid_rows.h); those in a column of the grid keep all rows.
 *
 * Work-groups of the same columns agree on each pivot (grid_candidates.h) and
 * post the multipliers of their rows. Those right of them apply each step: they
 * receive the multipliers of their rows, and whichever keeps the pivot's row
 * posts it to the others of its columns (grid_lines.h). A work-group waits in a
 * step only for messages of that step, and for multipliers before a pivot's
 * row; so the first message that is missing never depends on one that waits for
 * it.
 *
 * A panel has more rows than NB. At the end `moves` has its interchanges for
 * the other columns: row k < NB comes from row moves[k], and what it held goes
 * to row moves[NB + k].
 *
 * Defined before: ROWS of an item, HEIGHT: work-groups in a column of the grid,
 * at most.
 */
#ifndef KERNELS_LU_NVIDIA_GRID_H
#define KERNELS_LU_NVIDIA_GRID_H

#include "lu/nvidia/grid_candidates.h"

#define GRID_WIDTH (NB / WIDE)

/* rows -= l u, except in their first elements, and moved to the left by one. */
INLINE void columns_update(struct rows *rows, const real *l, const real *u,
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

/* Factors column now, one of this work-group's, for which all candidates have
 * been received, with `live` elements not yet factored. While the next step's
 * candidates are on their way, the rows are updated and multipliers posted. */
INLINE void step_factor(struct rows *rows, struct item me,
                        const struct grid *g, int now, int live,
                        local struct shared *s)
{
	const struct panel *p = &g->p;
	const bool is_last = now + 1 == p->end;
	real l[ROWS], own[WIDE], inverse;
	ulong2 line[PEEKS][READS];
	local const real *u;
	struct found f;
	bool is_easy;
	uint pivot;
	int best;

	group_sync();
	best = best_candidate(me, g, now, &is_easy, s);
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
		candidate_post(&f, rows, me, g, now + 1, live, l, own);
	}
	columns_update(rows, l, own, live);
	if (!is_last)
		candidates_peek(line[0], me, g, now + 1);
	multipliers_post(me, p, now, pivot, l);
	if (PEEKS > 1 && !is_last)
		candidates_peek(line[PEEKS - 1], me, g, now + 1);
	multipliers_keep(me, p, now, l, s);
	if (g->group == 0)
		u_store(me, p, now, now, u);
	if (g->group == 0 && me.id == 0)
		p->swaps[p->j + now] = p->j + pivot;
	if (!is_last)
		candidates_receive(line, me, g, now + 1, live, s);
}

/* Applies step now, of a column left of this work-group's. `line` has what was
 * read of its multipliers before, and then of the next step's. */
INLINE void step_apply(struct rows *rows, struct item me,
                       const struct grid *g, int now, ulong2 *line,
                       local struct shared *s)
{
	const struct panel *p = &g->p;
	const bool is_last = now + 1 == p->first;
	global ulong2 *row = g->rows + opaque(now * ROW_LINES);
	local real *u = s->u[now & 1][me.warp];
	real l[ROWS], own[WIDE];
	const uint pivot = multipliers_receive(l, line, me, p, now);
	struct found f;

	UNROLL
	for (int r = 0; r < ROWS; r++)
		if (rows->place[r] == pivot)
			row_post(rows->x[r], WIDE, (ulong)p->tag << 32, row);
	if (!is_last)
		multipliers_peek(line, me, p, now + 1);
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
		candidate_post(&f, rows, me, g, p->first, WIDE, 0, 0);
	if (g->group == 0)
		u_store(me, p, now, p->first, u);
}

/* Applies all steps of columns left of this work-group's; then receives the
 * candidates for its first one. */
INLINE void steps_apply(struct rows *rows, struct item me,
                        const struct grid *g, local struct shared *s)
{
	const struct panel *p = &g->p;
	ulong2 line[LINES], candidates[PEEKS][READS];

	if (p->first == 0) {
		struct found f = rows_search(rows);

		candidate_post(&f, rows, me, g, 0, WIDE, 0, 0);
	} else
		multipliers_peek(line, me, p, 0);
	_Pragma("unroll 1")
	for (int now = 0; now < p->first; now++)
		step_apply(rows, me, g, now, line, s);
	group_sync();
	UNROLL
	for (int peek = 0; peek < PEEKS; peek++)
		candidates_peek(candidates[peek], me, g, p->first);
	candidates_receive(candidates, me, g, p->first, WIDE, s);
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
	steps_apply(&rows, me, g, s);
	_Pragma("unroll 1")
	for (; now < middle; now++)
		step_factor(&rows, me, g, now, WIDE, s);
	_Pragma("unroll 1")
	for (; now < p->end; now++)
		step_factor(&rows, me, g, now, WIDE / 2, s);
	places_receive(&rows, me, p);
	rows_store(&rows, me, p, s);
}

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void LU_GRID(global real *restrict lu, int m, int n, int j,
                    int pivoting, global int *restrict swaps,
                    global int *restrict moves, global real *restrict stash,
                    int groups, global ulong2 *restrict messages)
{
	local struct shared s __attribute__((aligned(128)));
	const int grid_height = groups / GRID_WIDTH;
	const int height = grid_height * ITEMS;
	const int own = get_group_id(0) % groups;
	const int group = own % grid_height, column = own / grid_height;
	const size_t matrix = get_group_id(0) / groups;
	const int rows = NB * ROW_LINES;
	const int candidates = 2 * CANDIDATES * ROW_LINES;
	const int first = column * WIDE, width = min(NB, n - j);
	const int heads = GRID_WIDTH * (rows + candidates);
	global ulong2 *own_matrix = messages + matrix * (heads +
	                                (size_t)NB * LINES * height);
	global ulong2 *lines = own_matrix + heads + group * ITEMS;
	const struct grid g = {
		{ lu + matrix * m * n + (size_t)j * n + j, n, m - j, width, j,
		  pivoting, swaps + matrix * min(m, n),
		  moves + matrix * 2 * NB, lines,
		  (uint)(j / NB % 255 + 1) << 24, first,
		  min(first + WIDE, width), group * ROWS * ITEMS, height },
		group, grid_height * WARPS, own_matrix + column * rows,
		own_matrix + GRID_WIDTH * rows + column * candidates
	};

	if (first < width)
		panel_factor(&g, &s);
}

#endif
