/* columns.h - LU_COLUMNS_PANEL: the kernel that factors a panel in the
 * registers of co-resident work-groups, spread by columns: work-group g of the
 * panel keeps WIDE of them, all their rows (columns_rows.h), and factors them
 * without waiting for another one.
 *
 * Before that it applies the columns of the work-groups left of it, as these
 * post their multipliers, column by column. A word that has not been posted has
 * all bits set, which no multiplier has: so a receiver needs neither a fence
 * nor a flag. An item receives what the item with the same rows posted. Panels
 * take turns with two buffers of messages: while one is used, the other one,
 * which the previous panel used, is cleared. The place of a step's pivot is
 * posted in a word with the panel's tag. After its own columns a work-group
 * receives the places of the pivots right of it. So it waits for work-groups on
 * both sides, but never for a message that depends on one it has still to post.
 *
 * A panel has at least as many rows as columns. At the end `moves` has its
 * interchanges for the other columns: row k < NB comes from row moves[k], and
 * what it held goes to row moves[NB + k].
 */
#ifndef KERNELS_LU_NVIDIA_COLUMNS_H
#define KERNELS_LU_NVIDIA_COLUMNS_H

#include "lu/nvidia/columns_find.h"

#define MAX_POLLS (1 << 24)	/* of one word: takes seconds */

/* Where an item's first multiplier of a step is posted; the next one is ITEMS
 * further. */
INLINE global bits *message_at(struct item me, const struct panel *p, int now)
{
	return p->messages + opaque((long)now * p->ld + me.id);
}

/* Posts the multipliers of column now, and by the first item its pivot's
 * place. */
INLINE void message_post(struct item me, const struct panel *p, int now,
                         uint pivot, const real *l)
{
	global bits *to = message_at(me, p, now);

	UNROLL
	for (int r = 0; r < ROWS; r++)
		bits_write(to + r * ITEMS, AS_ORDER(l[r]));
	if (me.id == 0)
		word_write(p->pivots + now, p->tag | pivot);
}

/* After so many polls the sender will never post the word: the kernel ends with
 * a fault instead of hanging. */
INLINE void check_polls(int polls)
{
	if (polls == MAX_POLLS)
		__asm__ volatile("trap;");
}

/* Polls until the place of a step's pivot is posted. v is the word as it was
 * read before. */
INLINE uint pivot_wait(const struct panel *p, int now, uint v)
{
	for (int i = 0; (v & ~NO_PLACE) != p->tag; i++) {
		check_polls(i);
		v = word_read(p->pivots + now);
	}
	return v & NO_PLACE;
}

/* What was read of a step's message. */
struct message {
	bits l[ROWS];
	uint pivot;
};

/* Reads a step's message as far as it has been posted. */
INLINE void message_peek(struct message *w, struct item me,
                         const struct panel *p, int now)
{
	global const bits *from = message_at(me, p, now);

	UNROLL
	for (int r = 0; r < ROWS; r++)
		w->l[r] = bits_read(from + r * ITEMS);
	w->pivot = word_read(p->pivots + now);
}

/* Polls until a step's message is posted: the pivot's place, and in l the
 * multipliers of the item's rows. */
INLINE uint message_receive(real *l, struct message *w, struct item me,
                            const struct panel *p, int now)
{
	global const bits *from = message_at(me, p, now);

	UNROLL
	for (int r = 0; r < ROWS; r++) {
		for (int i = 0; w->l[r] == NOT_POSTED; i++) {
			check_polls(i);
			w->l[r] = bits_read(from + r * ITEMS);
		}
		l[r] = AS_REAL(w->l[r]);
	}
	return pivot_wait(p, now, w->pivot);
}

/* Clears this work-group's columns of the previous panel's messages, which had
 * at most twice as many rows. */
INLINE void previous_clear(struct item me, const struct panel *p)
{
	const int rows = min(p->ld, 2 * ROWS * ITEMS);

	for (int c = p->first; c < p->first + WIDE; c++)
		for (int r = me.id; r < rows; r += ITEMS)
			p->previous[(size_t)c * p->ld + r] = NOT_POSTED;
}

/* Applies step now, of a column left of this work-group's; reads the next
 * step's message as far as it is there. */
INLINE void step_apply(struct rows *rows, struct item me,
                       const struct panel *p, int now, struct message *w,
                       local struct shared *s)
{
	const bool is_last = now + 1 == p->first;
	local real *row = s->u[now & 1][0];
	real l[ROWS], u[WIDE];
	const uint pivot = message_receive(l, w, me, p, now);
	struct found f;

	if (!is_last)
		message_peek(w, me, p, now + 1);
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

/* Rows that were a pivot's have NaN for multiplier from now on. */
INLINE bool is_pivot_row(const struct rows *rows, int r, uint pivot, real l)
{
	return (rows->place[r] == pivot) | (upper_word(l) == ~0u);
}

/* Factors column now, one of this work-group's, for which the warps have
 * proposed candidates with `live` elements not yet factored: the next column is
 * updated and searched first; the update of all others follows. */
INLINE void step_factor(struct rows *rows, struct item me,
                        const struct panel *p, int now, int live,
                        local struct shared *s)
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
		if (is_pivot_row(rows, r, v.place, l[r]))
			l[r] = NOT_A_NUMBER;
		rows->x[r][0] = fma(-l[r], v.u[1], rows->x[r][1]);
	}
	f = words_search(rows);
	places_swap(rows, now, v.place);
	message_post(me, p, now, v.place, l);
	multipliers_keep(me, p, now, l, s);
	u_store(me, p, now, now, s->u[now & 1][v.warp]);
	if (now + 1 == p->end)
		return;
	row_search(&f, rows, p);
	columns_update(rows, l, v.u, live);
	propose(&f, rows, me, p, now + 1, live, s);
}

/* Receives the pivots' places of the columns right of this work-group's, and
 * applies these interchanges to its places. Work-group 0 stores LAPACK's
 * pivots. */
INLINE void places_receive(struct rows *rows, struct item me,
                           const struct panel *p)
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
	struct message w;
	struct rows rows;
	int now = 0;

	rows_load(&rows, me, p, s);
	if (p->first == 0) {
		struct found f = words_search(&rows);

		row_search(&f, &rows, p);
		propose(&f, &rows, me, p, 0, WIDE, s);
	} else {
		message_peek(&w, me, p, 0);
		previous_clear(me, p);
	}
	_Pragma("unroll 1")
	for (; now < p->first; now++)
		step_apply(&rows, me, p, now, &w, s);
	_Pragma("unroll 1")
	for (; now < middle; now++)
		step_factor(&rows, me, p, now, WIDE, s);
	_Pragma("unroll 1")
	for (; now < p->end; now++)
		step_factor(&rows, me, p, now, HALF, s);
	if (p->first == 0)
		previous_clear(me, p);
	places_receive(&rows, me, p);
	rows_store(&rows, me, p, s);
}

/* messages: NB words for pivots, in LU_PIVOTS bytes, and two buffers of NB x ld
 * multipliers, by panels in turns. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void LU_COLUMNS_PANEL(global real *restrict lu, int m, int n, int j,
                       int pivoting, global int *restrict swaps,
                       global int *restrict moves,
                       global real *restrict stash, int ld,
                       global uchar *restrict messages)
{
	local struct shared s __attribute__((aligned(128)));
	const int group = get_group_id(0) % (NB / WIDE), first = group * WIDE;
	const size_t matrix = get_group_id(0) / (NB / WIDE);
	const size_t size = (size_t)NB * ld;
	const int width = min(NB, n - j), turn = j / NB & 1;
	global uchar *own = messages + matrix * (LU_PIVOTS +
	                                     2 * size * sizeof(real));
	global bits *buffers = (global bits *)(own + LU_PIVOTS);
	const struct panel p = {
		lu + matrix * m * n + (size_t)j * n + j, n, m - j, width, j,
		pivoting, swaps + matrix * min(m, n), moves + matrix * 2 * NB,
		(global uint *)own, buffers + turn * size,
		buffers + (1 - turn) * size, ld, (uint)(j / NB % 254 + 1) << 24,
		first, min(first + WIDE, width)
	};

	if (first < width)
		panel_factor(&p, &s);
}

#endif
