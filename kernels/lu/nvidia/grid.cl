/* grid.cl - the kernel that factors a high panel in the registers of a grid of
 * co-resident work-groups: each keeps WIDE columns of some rows
 * (columns_rows.h); those in a column of the grid keep all rows.
 *
 * Work-groups of the same columns agree on each pivot (grid_candidates.h) and
 * post the multipliers of their rows. Those right of them apply each step: they
 * receive the multipliers of their rows, and whichever keeps the pivot's row
 * posts it to the others of its columns. All messages are lines (messages.h):
 * a step's multipliers and its pivot's row have a place of their own, with the
 * panel's tag. A work-group waits in a step only for messages of that step, and
 * for multipliers before a pivot's row; so the first message that is missing
 * never depends on one that waits for it.
 *
 * Macros: KERNEL, its name, which says how many rows a panel may have; ROWS,
 * the rows of an item; HEIGHT, the largest number of work-groups in a column of
 * the grid.
 */
/* program KERNEL=lu_grid_4096 ROWS=4 HEIGHT=4 */
/* program KERNEL=lu_grid_8192 ROWS=4 HEIGHT=LU_GRID_HEIGHT */
#include "lu/nvidia/grid_candidates.h"

#define LINES (ROWS / PER_LINE)	/* of an item's multipliers, in a step */

/* Returns an item's first line of a step's multipliers; the next one is
 * g->height further on. An item receives what the item with the same rows
 * posted, and the pivot's place. */
INLINE global ulong2 *lines_of(struct item me, const struct grid *g, int now)
{
	return g->multipliers + opaque((long)now * LINES * g->height + me.id);
}

INLINE void multipliers_post(struct item me, const struct grid *g, int now,
                             uint pivot, const real *l)
{
	global ulong2 *to = lines_of(me, g, now);

	UNROLL
	for (int i = 0; i < LINES; i++)
		line_write(to + i * g->height,
		           line_made(g->tag | pivot, l + i * PER_LINE));
}

/* Reads a step's multipliers of the item's rows, posted or not. */
INLINE void multipliers_peek(ulong2 *line, struct item me,
                             const struct grid *g, int now)
{
	UNROLL
	for (int i = 0; i < LINES; i++)
		line[i] = line_read(lines_of(me, g, now) + i * g->height);
}

/* Polls until a step's multipliers of the item's rows are posted, puts them in
 * l, and returns the pivot's place. */
INLINE uint multipliers_receive(real *l, ulong2 *line, struct item me,
                                const struct grid *g, int now)
{
	UNROLL
	for (int i = 0; i < LINES; i++) {
		line[i] = line_wait(line[i], lines_of(me, g, now) +
		                    i * g->height, g->tag);
		line_elements(line[i], l + i * PER_LINE);
	}
	return line_place(line[0]);
}

/* Factors column now, one of this work-group's, for which all candidates have
 * been received, with `live` elements in columns not yet factored. While the
 * next step's candidates are on their way, the rows are updated and multipliers
 * posted. */
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
	if (RARE(!is_easy))
		inverse = rows_scale(rows, own[0]);
	UNROLL
	for (int r = 0; r < ROWS; r++) {
		l[r] = rows->place[r] == pivot ? NOT_A_NUMBER :
		       rows->x[r][0] * inverse;
		rows->x[r][0] = fma(-l[r], own[1], rows->x[r][1]);
	}
	places_swap(rows, now, pivot);
	if (!is_last) {
		f = rows_search(rows, p);
		candidate_post(&f, rows, me, g, now + 1, live, l, own);
	}
	columns_update(rows, l, own, live);
	if (!is_last)
		candidates_peek(line[0], me, g, now + 1);
	multipliers_post(me, g, now, pivot, l);
	if (PEEKS > 1 && !is_last)
		candidates_peek(line[PEEKS - 1], me, g, now + 1);
	multipliers_keep(me, p, now, l, s->l);
	if (g->group == 0)
		u_store(me, p, now, now, u);
	if (g->group == 0 && me.id == 0)
		p->swaps[p->j + now] = p->j + pivot;
	if (!is_last)
		candidates_receive(line, me, g, now + 1, live, s);
}

/* Applies step now, whose column is left of this work-group's. `line` has what
 * was read of its multipliers before, and on return what was read of the next
 * step's. */
INLINE void step_apply(struct rows *rows, struct item me,
                       const struct grid *g, int now, ulong2 *line,
                       local struct shared *s)
{
	const struct panel *p = &g->p;
	const bool is_last = now + 1 == p->first;
	global ulong2 *row = g->rows + opaque(now * ROW_LINES);
	local real *u = s->u[now & 1][me.warp];
	real l[ROWS], own[WIDE];
	const uint pivot = multipliers_receive(l, line, me, g, now);
	struct found f;

	UNROLL
	for (int r = 0; r < ROWS; r++)
		if (rows->place[r] == pivot)
			row_post(rows->x[r], WIDE, g->tag, row);
	if (!is_last)
		multipliers_peek(line, me, g, now + 1);
	places_swap(rows, now, pivot);
	if (me.lane < ROW_LINES) {
		const ulong2 v = line_wait(line_read(row + me.lane),
		                           row + me.lane, g->tag);

		((local uint2 *)u)[me.lane] = (uint2)((uint)v.x, (uint)v.y);
	}
	warp_sync();
	row_read(own, u, WIDE);
	first_apply(rows, l, own);
	if (is_last)
		f = rows_search(rows, p);
	others_apply(rows, l, own);
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
		struct found f = rows_search(rows, p);

		candidate_post(&f, rows, me, g, 0, WIDE, 0, 0);
	} else
		multipliers_peek(line, me, g, 0);
	_Pragma("unroll 1")
	for (int now = 0; now < p->first; now++)
		step_apply(rows, me, g, now, line, s);
	group_sync();
	UNROLL
	for (int peek = 0; peek < PEEKS; peek++)
		candidates_peek(candidates[peek], me, g, p->first);
	candidates_receive(candidates, me, g, p->first, WIDE, s);
}

/* Receives the pivots' places of the columns right of this work-group's, and
 * applies these interchanges to its places. */
INLINE void places_receive(struct rows *rows, struct item me,
                           const struct grid *g)
{
	const struct panel *p = &g->p;

	for (int from = p->end; from < p->width; from += 32) {
		const int now = from + me.lane;
		uint pivot = 0;

		if (now < p->width) {
			global const ulong2 *at = lines_of((struct item){ 0 },
			                                   g, now);

			pivot = line_place(line_wait(line_read(at), at,
			                             g->tag));
		}
		places_swap_all(rows, p, from, pivot);
	}
}

INLINE void panel_factor(const struct grid *g, local struct shared *s)
{
	const struct item me = item_of(get_local_id(0));
	const struct panel *p = &g->p;
	const int middle = min(p->first + WIDE / 2, p->end);
	struct rows rows;
	int now = p->first;

	rows_load(&rows, me, p, s->l);
	steps_apply(&rows, me, g, s);
	_Pragma("unroll 1")
	for (; now < middle; now++)
		step_factor(&rows, me, g, now, WIDE, s);
	_Pragma("unroll 1")
	for (; now < p->end; now++)
		step_factor(&rows, me, g, now, HALF, s);
	places_receive(&rows, me, g);
	rows_store(&rows, me, p, s->l);
}

/* messages has, for each column of the grid, the pivots' rows; then, likewise,
 * the candidates; and then the multipliers of all rows. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void KERNEL(global real *restrict lu, int m, int n, int j, int pivoting,
                   global int *restrict swaps, global int *restrict moves,
                   global real *restrict stash, int groups,
                   global ulong2 *restrict messages)
{
	local struct shared s __attribute__((aligned(128)));
	const int grid_height = groups / GROUPS_ACROSS;
	const int height = grid_height * ITEMS;
	const int own = get_group_id(0) % groups;
	const int group = own % grid_height, column = own / grid_height;
	const size_t matrix = get_group_id(0) / groups;
	const int rows = NB * ROW_LINES;
	const int candidates = 2 * CANDIDATES * ROW_LINES;
	const int heads = GROUPS_ACROSS * (rows + candidates);
	global ulong2 *own_matrix = messages + matrix * (heads +
	                                (size_t)NB * LINES * height);
	struct grid g = {
		panel_of(lu, m, n, j, pivoting, swaps, moves, matrix),
		tag_of(j / NB), height, group, grid_height * WARPS,
		own_matrix + heads + group * ITEMS, own_matrix + column * rows,
		own_matrix + GROUPS_ACROSS * rows + column * candidates
	};

	g.p.top = group * ROWS * ITEMS;
	g.p.first = column * WIDE;
	g.p.end = min(g.p.first + WIDE, g.p.width);
	if (g.p.first < g.p.width)
		panel_factor(&g, &s);
}
