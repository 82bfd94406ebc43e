/* columns.h - LU_COLUMNS_PANEL: the kernel of a panel of P A = L U in
 * registers, spread over multiprocessors by columns: work-group g of the panel
 * keeps WIDE of them, all their rows (columns_rows.h), and needs nobody
 * while it factors them.
 *
 * The groups before it have told their multipliers, column by column, in words
 * that had all bits set: whoever waits for a word sees when it has come,
 * without a fence or a flag. An item reads what the item of the same rows has
 * written. Panels use two posts by turns: while one is used, the other is set
 * again. A step's pivot's place comes in a word with the panel's tag.
 *
 * A panel has more rows than NB. In the end moves tells what the other
 * columns' rows shall do: row k < NB comes from row moves[k], and what it held
 * goes to row moves[NB + k].
 */
#ifndef KERNELS_LU_NVIDIA_COLUMNS_H
#define KERNELS_LU_NVIDIA_COLUMNS_H

#include "lu/nvidia/columns_find.h"

#define PATIENCE (1 << 24)	/* looks at one word: seconds */

/* An item's first multiplier of a step. */
INLINE global bits *words_of(struct item me, const struct panel *p, int now)
{
	return p->post + opaque((long)now * p->most + me.id);
}

INLINE void tell(struct item me, const struct panel *p, int now, uint pivot,
                 const real *l)
{
	global bits *to = words_of(me, p, now);

	UNROLL
	for (int r = 0; r < ROWS; r++)
		bits_write(to + r * ITEMS, AS_ORDER(l[r]));
	if (me.id == 0)
		word_write(p->pivots + now, p->tag | pivot);
}

/* Who waits for seconds waits in vain: the kernel ends in a fault. */
INLINE void patience(int looks)
{
	if (looks == PATIENCE)
		__asm__ volatile("trap;");
}

/* The place of a step's pivot, of which v is the word when it was looked. */
INLINE uint pivot_wait(const struct panel *p, int now, uint v)
{
	for (int i = 0; (v & ~NOBODY) != p->tag; i++) {
		patience(i);
		v = word_read(p->pivots + now);
	}
	return v & NOBODY;
}

/* What is known of a step. */
struct news {
	bits l[ROWS];
	uint pivot;
};

INLINE void news_read(struct news *w, struct item me, const struct panel *p,
                      int now)
{
	global const bits *from = words_of(me, p, now);

	UNROLL
	for (int r = 0; r < ROWS; r++)
		w->l[r] = bits_read(from + r * ITEMS);
	w->pivot = word_read(p->pivots + now);
}

/* A step's pivot's place, and multipliers of an item's rows. */
INLINE uint news_wait(real *l, struct news *w, struct item me,
                      const struct panel *p, int now)
{
	global const bits *from = words_of(me, p, now);

	UNROLL
	for (int r = 0; r < ROWS; r++) {
		for (int i = 0; w->l[r] == NOTHING; i++) {
			patience(i);
			w->l[r] = bits_read(from + r * ITEMS);
		}
		l[r] = AS_REAL(w->l[r]);
	}
	return pivot_wait(p, now, w->pivot);
}

/* This group's columns of the last panel's post, which had at most twice as
 * many rows. */
INLINE void last_clear(struct item me, const struct panel *p)
{
	const int rows = min(p->most, 2 * ROWS * ITEMS);

	for (int c = p->first; c < p->first + WIDE; c++)
		for (int r = me.id; r < rows; r += ITEMS)
			p->last[(size_t)c * p->most + r] = NOTHING;
}

/* Step now, before this group's own; of the next one what is known. */
INLINE void follow(struct rows *rows, struct item me, const struct panel *p,
                   int now, struct news *w, local struct shared *s)
{
	const bool is_last = now + 1 == p->first;
	local real *row = s->u[now & 1][0];
	real l[ROWS], u[WIDE];
	const uint pivot = news_wait(l, w, me, p, now);
	struct found f;

	if (!is_last)
		news_read(w, me, p, now + 1);
	UNROLL
	for (int r = 0; r < ROWS; r++)
		if (rows->place[r] == pivot)
			row_write(rows->x[r], WIDE, row);
	group_sync();
	row_read(u, row, WIDE);
	UNROLL
	for (int r = 0; r < ROWS; r++)
		rows->x[r][0] = fma(-l[r], u[0], rows->x[r][0]);
	if (is_last)
		f = words_search(rows);
	places_swap(rows, now, pivot);
	UNROLL
	for (int c = 1; c < WIDE; c++)
		UNROLL
		for (int r = 0; r < ROWS; r++)
			rows->x[r][c] = fma(-l[r], u[c], rows->x[r][c]);
	if (is_last) {
		row_search(&f, rows, p);
		propose(&f, rows, me, p, p->first, WIDE, s);
	}
	u_store(me, p, now, p->first, row);
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

/* The pivot's row is NaN from now on. */
INLINE bool is_lost(const struct rows *rows, int r, uint pivot, real l)
{
	return (rows->place[r] == pivot) | (upper_word(l) == ~0u);
}

/* Step now of this group's own, for which warps have proposed rows with `live`
 * elements left: the next column is updated first and searched; all others
 * follow. */
INLINE void lead(struct rows *rows, struct item me, const struct panel *p,
                 int now, int live, local struct shared *s)
{
	struct pivot v;
	struct found f;
	real l[ROWS];
	uint high;

	group_sync();
	high = pivot_of(&v, me, s, now, live);
	if (high < EASY_LEAST || high > EASY_MOST) {
		const struct scale scale = pivot_scale(v.u[0]);

		v.inverse = scale.inverse;
		UNROLL
		for (int r = 0; r < ROWS; r++)
			rows->x[r][0] *= scale.up;
	}
	UNROLL
	for (int r = 0; r < ROWS; r++) {
		l[r] = rows->x[r][0] * v.inverse;
		if (is_lost(rows, r, v.place, l[r]))
			l[r] = NOT_A_NUMBER;
		rows->x[r][0] = fma(-l[r], v.u[1], rows->x[r][1]);
	}
	f = words_search(rows);
	places_swap(rows, now, v.place);
	tell(me, p, now, v.place, l);
	multipliers_keep(me, p, now, l, s);
	u_store(me, p, now, now, s->u[now & 1][v.warp]);
	if (now + 1 == p->end)
		return;
	row_search(&f, rows, p);
	columns_lose(rows, l, v.u, live);
	propose(&f, rows, me, p, now + 1, live, s);
}

/* What the steps after this group's own do to the places. Group 0 says what
 * LAPACK does. */
INLINE void hear(struct rows *rows, struct item me, const struct panel *p)
{
	for (int from = p->end; from < p->width; from += 32) {
		const int now = from + me.lane;
		uint pivot = 0;

		if (now < p->width)
			pivot = pivot_wait(p, now, 0);
		warp_sync();
		for (int i = 0; i < min(32, p->width - from); i++)
			places_swap(rows, from + i, warp_word(pivot, i));
	}
	if (p->first == 0 && me.id < p->width)
		p->swaps[p->j + me.id] = p->j + pivot_wait(p, me.id, 0);
}

INLINE void panel_factor(const struct panel *p, local struct shared *s)
{
	const int id = get_local_id(0);
	const struct item me = { id, id % 32, id / 32 };
	const int middle = min(p->first + WIDE / 2, p->end);
	struct news w;
	struct rows rows;
	int now = 0;

	rows_load(&rows, me, p, s);
	if (p->first == 0) {
		struct found f = words_search(&rows);

		row_search(&f, &rows, p);
		propose(&f, &rows, me, p, 0, WIDE, s);
	} else {
		news_read(&w, me, p, 0);
		last_clear(me, p);
	}
	_Pragma("unroll 1")
	for (; now < p->first; now++)
		follow(&rows, me, p, now, &w, s);
	_Pragma("unroll 1")
	for (; now < middle; now++)
		lead(&rows, me, p, now, WIDE, s);
	_Pragma("unroll 1")
	for (; now < p->end; now++)
		lead(&rows, me, p, now, HALF, s);
	if (p->first == 0)
		last_clear(me, p);
	hear(&rows, me, p);
	rows_store(&rows, me, p, s);
}

/* Post: NB words for pivots, in LU_PIVOTS bytes, and two of NB x most. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void LU_COLUMNS_PANEL(global real *restrict lu, int m, int n, int j,
                       int pivoting, global int *restrict swaps,
                       global int *restrict moves,
                       global real *restrict stash, int most,
                       global uchar *restrict post)
{
	local struct shared s __attribute__((aligned(128)));
	const int group = get_group_id(0) % (NB / WIDE), first = group * WIDE;
	const size_t matrix = get_group_id(0) / (NB / WIDE);
	const size_t size = (size_t)NB * most;
	const int width = min(NB, n - j), turn = j / NB & 1;
	global uchar *own = post + matrix * (LU_PIVOTS +
	                                     2 * size * sizeof(real));
	global bits *posts = (global bits *)(own + LU_PIVOTS);
	const struct panel p = {
		lu + matrix * m * n + (size_t)j * n + j, n, m - j, width, j,
		pivoting, swaps + matrix * min(m, n), moves + matrix * 2 * NB,
		(global uint *)own, posts + turn * size,
		posts + (1 - turn) * size, most, (uint)(j / NB % 254 + 1) << 24,
		first, min(first + WIDE, width)
	};

	if (first < width)
		panel_factor(&p, &s);
}

#endif
