/* lu_columns.h - LU_COLUMNS_PANEL: the kernel of a panel of P A = L U in
 * registers, spread over multiprocessors by columns: work-group g of the panel
 * keeps LU_COLUMNS of them, all their rows (lu_columns_rows.h), and needs
 * nobody while it factors them.
 *
 * The groups before it have told their multipliers, column by column: a line of
 * 16 bytes has two words, each with a tag in the same 8 bytes, which arrive
 * together (the LL protocol of NVIDIA's NCCL, 2019):
 *
 *     word 0 | tag | word 1 | tag        tag: panel mod 255 + 1, place
 *
 * An item reads what the item of the same rows has written.
 *
 * A panel has more rows than NB. In the end moves tells what the other
 * columns' rows shall do: row k < NB comes from row moves[k], and what it held
 * goes to row moves[NB + k].
 */
#ifndef KERNELS_NVIDIA_LU_COLUMNS_H
#define KERNELS_NVIDIA_LU_COLUMNS_H

#include "nvidia/lu_columns_find.h"

#define LINES (ROWS * (int)sizeof(real) / 8)	/* of an item, in a step */
#define PATIENCE (1 << 24)	/* looks at one line: seconds */

/* An item's first line of a step. */
INLINE global ulong2 *lines_of(struct item me, const struct panel *p, int now)
{
	return p->post + opaque((long)now * LINES * ITEMS + me.id);
}

INLINE void tell(struct item me, const struct panel *p, int now, uint pivot,
                 const real *l)
{
	const ulong tag = (ulong)(p->tag | pivot) << 32;
	global ulong2 *to = lines_of(me, p, now);

	UNROLL
	for (int i = 0; i < LINES; i++) {
#ifdef DTYPE_float64
		const uint2 w = as_uint2(l[i]);
#else
		const uint2 w = as_uint2((float2)(l[2 * i], l[2 * i + 1]));
#endif

		line_write(to + i * ITEMS, (ulong2)(tag | w.x, tag | w.y));
	}
}

INLINE uint line_tag(ulong2 v)
{
	return v.x >> 32;
}

INLINE bool line_is_of(ulong2 v, uint tag)
{
	return (line_tag(v) & ~NOBODY) == tag &&
	       ((uint)(v.y >> 32) & ~NOBODY) == tag;
}

/* The line once it is of this panel. Who waits for seconds waits in vain: the
 * kernel ends in a fault. */
INLINE ulong2 line_wait(ulong2 v, global const ulong2 *at, uint tag)
{
	for (int i = 0; !line_is_of(v, tag); i++) {
		if (i == PATIENCE)
			__asm__ volatile("trap;");
		v = line_read(at);
	}
	return v;
}

INLINE void lines_read(ulong2 *line, struct item me, const struct panel *p,
                       int now)
{
	UNROLL
	for (int i = 0; i < LINES; i++)
		line[i] = line_read(lines_of(me, p, now) + i * ITEMS);
}

/* A step's pivot, and multipliers of an item's rows. */
INLINE uint lines_wait(real *l, ulong2 *line, struct item me,
                       const struct panel *p, int now)
{
	UNROLL
	for (int i = 0; i < LINES; i++) {
		line[i] = line_wait(line[i], lines_of(me, p, now) + i * ITEMS,
		                    p->tag);
#ifdef DTYPE_float64
		l[i] = as_double((uint2)((uint)line[i].x, (uint)line[i].y));
#else
		l[2 * i] = as_float((uint)line[i].x);
		l[2 * i + 1] = as_float((uint)line[i].y);
#endif
	}
	return line_tag(line[0]) & NOBODY;
}

/* Step now, before this group's own; what the next step's multipliers were
 * when it was looked. */
INLINE void follow(struct rows *rows, struct item me, const struct panel *p,
                   int now, ulong2 *line, local struct shared *s)
{
	const bool is_last = now + 1 == p->first;
	local real *u = s->u[now & 1][0];
	real l[ROWS], own[WIDE];
	const uint pivot = lines_wait(l, line, me, p, now);
	struct found f;

	if (!is_last)
		lines_read(line, me, p, now + 1);
	row_write(rows, pivot, WIDE, u);
	places_swap(rows, now, pivot);
	group_sync();
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
		propose(&f, rows, me, p, p->first, WIDE, s);
	u_store(me, p, now, p->first, u);
}

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

/* Step now of this group's own, for which warps have proposed rows with `live`
 * elements left. */
INLINE void lead(struct rows *rows, struct item me, const struct panel *p,
                 int now, int live, local struct shared *s)
{
	local const struct said *said = &s->said[now & 1];
	local const real *u;
	real l[ROWS], own[WIDE], inverse;
	uint pivot, high, warp;
	struct found f;

	group_sync();
	warp = first_warp(me, said, &high);
	u = s->u[now & 1][warp];
	pivot = said->place[warp];
	inverse = said->inverse[warp];
	row_read(own, u, live);
	if (high < EASY_LEAST || high > EASY_MOST) {
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
	tell(me, p, now, pivot, l);
	f = rows_search(rows);
	columns_lose(rows, l, own, live);
	propose(&f, rows, me, p, now + 1, live, s);
	multipliers_keep(me, p, now, l, s);
	u_store(me, p, now, now, u);
	if (me.id == 0)
		p->swaps[p->j + now] = p->j + pivot;
}

/* What the steps after this group's own do to the places. */
INLINE void hear(struct rows *rows, struct item me, const struct panel *p)
{
	for (int from = p->end; from < p->width; from += 32) {
		const int now = from + me.lane;
		uint pivot = 0;

		if (now < p->width) {
			global const ulong2 *at = lines_of((struct item){ 0 },
			                                   p, now);

			pivot = line_tag(line_wait(line_read(at), at,
			                           p->tag)) & NOBODY;
		}
		warp_sync();
		for (int i = 0; i < min(32, p->width - from); i++)
			places_swap(rows, from + i, warp_word(pivot, i));
	}
}

INLINE void panel_factor(const struct panel *p, local struct shared *s)
{
	const int id = get_local_id(0);
	const struct item me = { id, id % 32, id / 32 };
	const int middle = min(p->first + WIDE / 2, p->end);
	ulong2 line[LINES];
	struct rows rows;
	int now = 0;

	rows_load(&rows, me, p, s);
	if (p->first == 0) {
		struct found f = rows_search(&rows);

		propose(&f, &rows, me, p, 0, WIDE, s);
	} else
		lines_read(line, me, p, 0);
	_Pragma("unroll 1")
	for (; now < p->first; now++)
		follow(&rows, me, p, now, line, s);
	_Pragma("unroll 1")
	for (; now < middle; now++)
		lead(&rows, me, p, now, WIDE, s);
	_Pragma("unroll 1")
	for (; now < p->end; now++)
		lead(&rows, me, p, now, WIDE / 2, s);
	hear(&rows, me, p);
	rows_store(&rows, me, p, s);
}

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void LU_COLUMNS_PANEL(global real *restrict lu, int m, int n, int j,
                             int pivoting, global int *restrict swaps,
                             global int *restrict moves,
                             global real *restrict stash, int groups,
                             global ulong2 *restrict post)
{
	local struct shared s __attribute__((aligned(128)));
	const size_t matrix = get_group_id(0) / groups;
	const int first = get_group_id(0) % groups * WIDE;
	const int width = min(NB, n - j);
	const struct panel p = {
		lu + matrix * m * n + (size_t)j * n + j, n, m - j, width, j,
		pivoting, swaps + matrix * min(m, n),
		moves + matrix * 2 * NB, post + matrix * NB * LINES * ITEMS,
		(uint)(j / NB % 255 + 1) << 24, first, min(first + WIDE, width)
	};

	if (first < width)
		panel_factor(&p, &s);
}

#endif
