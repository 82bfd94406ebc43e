/* columns.cl - the kernel that factors a panel in the registers of co-resident
 * work-groups, spread by columns: work-group g of the panel keeps WIDE of them,
 * all their rows (columns_rows.h), and factors them without waiting for another
 * one.
 *
 * Before that it applies the columns of the work-groups left of it, as these
 * post their multipliers, column by column, in bare words (messages.h). An item
 * receives what the item with the same rows posted. Panels take turns with two
 * buffers of messages: while one is used, the other one, which the previous
 * panel used, is cleared. The place of a step's pivot is posted in a word with
 * the panel's tag. After its own columns a work-group receives the places of
 * the pivots right of it. So it waits for work-groups on both sides, but never
 * for a message that depends on one it has still to post.
 *
 * Macros: KERNEL, its name, which says how many rows a panel may have; ROWS,
 * the rows of an item.
 */
/* program KERNEL=lu_columns_256 ROWS=1 */
/* program KERNEL=lu_columns_512 ROWS=2 */
/* program KERNEL=lu_columns_1024 ROWS=4 */
/* program KERNEL=lu_columns_1536 ROWS=6 */
/* program KERNEL=lu_columns_2048 ROWS=8 */
#include "lu/nvidia/columns_candidates.h"

/* The work-groups of a panel, and which this is. */
struct columns {
	struct panel p;			/* what this one factors */
	global uint *pivots;		/* NB words: posted pivots' places */
	global bits *messages;		/* NB x ld multipliers: this panel's */
	global bits *previous;		/* and the previous one's */
	int ld;
	uint tag;
};

/* Returns where an item's first multiplier of a step is posted; the next one is
 * ITEMS words further on. */
INLINE global bits *message_at(struct item me, const struct columns *g,
                               int now)
{
	return g->messages + opaque((long)now * g->ld + me.id);
}

/* Posts the multipliers of column now; the first item posts the pivot's
 * place. */
INLINE void message_post(struct item me, const struct columns *g, int now,
                         uint pivot, const real *l)
{
	global bits *to = message_at(me, g, now);

	UNROLL
	for (int r = 0; r < ROWS; r++)
		bits_write(to + r * ITEMS, AS_ORDER(l[r]));
	if (me.id == 0)
		word_write(g->pivots + now, g->tag | pivot);
}

/* What was read of a step's message. */
struct message {
	bits l[ROWS];
	uint pivot;
};

/* Reads a step's message as far as it has been posted. */
INLINE void message_peek(struct message *w, struct item me,
                         const struct columns *g, int now)
{
	global const bits *from = message_at(me, g, now);

	UNROLL
	for (int r = 0; r < ROWS; r++)
		w->l[r] = bits_read(from + r * ITEMS);
	w->pivot = word_read(g->pivots + now);
}

/* Polls until a step's message is posted: the pivot's place, and in l the
 * multipliers of the item's rows. */
INLINE uint message_receive(real *l, struct message *w, struct item me,
                            const struct columns *g, int now)
{
	global const bits *from = message_at(me, g, now);

	UNROLL
	for (int r = 0; r < ROWS; r++)
		l[r] = bits_wait(w->l[r], from + r * ITEMS);
	return place_wait(w->pivot, g->pivots + now, g->tag);
}

/* Clears this work-group's columns of the previous panel's messages, which had
 * at most twice as many rows. */
INLINE void previous_clear(struct item me, const struct columns *g)
{
	const int rows = min(g->ld, 2 * ROWS * ITEMS);

	for (int c = g->p.first; c < g->p.first + WIDE; c++)
		for (int r = me.id; r < rows; r += ITEMS)
			g->previous[(size_t)c * g->ld + r] = NOT_POSTED;
}

/* Applies step now, whose column is left of this work-group's; reads the next
 * step's message as far as it has been posted. */
INLINE void step_apply(struct rows *rows, struct item me,
                       const struct columns *g, int now, struct message *w,
                       local struct shared *s)
{
	const struct panel *p = &g->p;
	const bool is_last = now + 1 == p->first;
	local real *row = s->u[now & 1][0];
	real l[ROWS], u[WIDE];
	const uint pivot = message_receive(l, w, me, g, now);
	struct found f;

	if (!is_last)
		message_peek(w, me, g, now + 1);
	UNROLL
	for (int r = 0; r < ROWS; r++)
		if (rows->place[r] == pivot)
			row_write(rows->x[r], WIDE, row);
	group_sync();
	row_read(u, row, WIDE);
	first_apply(rows, l, u);
	if (is_last)
		f = words_search(rows);
	places_swap(rows, now, pivot);
	others_apply(rows, l, u);
	if (is_last) {
		row_search(&f, rows, p);
		propose(&f, rows, me, p, p->first, WIDE, s);
	}
	u_store(me, p, now, p->first, row);
}

/* Rows that were a pivot's have NaN for multiplier from now on; so have those
 * whose multiplier would otherwise be NOT_POSTED. */
INLINE bool is_pivot_row(const struct rows *rows, int r, uint pivot, real l)
{
	return (rows->place[r] == pivot) | (upper_word(l) == ~0u);
}

/* Factors column now, one of this work-group's, for which the warps have
 * proposed candidates with `live` elements in columns not yet factored. The
 * next column is updated and searched first; the update of all others
 * follows. */
INLINE void step_factor(struct rows *rows, struct item me,
                        const struct columns *g, int now, int live,
                        local struct shared *s)
{
	const struct panel *p = &g->p;
	struct pivot v;
	struct found f;
	real l[ROWS];
	uint high;

	group_sync();
	high = pivot_of(&v, me, s, now, live);
	if (high < EASY_LEAST || high > EASY_MOST)
		v.inverse = rows_scale(rows, v.u[0]);
	UNROLL
	for (int r = 0; r < ROWS; r++) {
		l[r] = rows->x[r][0] * v.inverse;
		if (is_pivot_row(rows, r, v.place, l[r]))
			l[r] = NOT_A_NUMBER;
		rows->x[r][0] = fma(-l[r], v.u[1], rows->x[r][1]);
	}
	f = words_search(rows);
	places_swap(rows, now, v.place);
	message_post(me, g, now, v.place, l);
	multipliers_keep(me, p, now, l, s->l);
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
                           const struct columns *g)
{
	const struct panel *p = &g->p;

	for (int from = p->end; from < p->width; from += 32) {
		const int now = from + me.lane;

		places_swap_all(rows, p, from, now < p->width ?
		                place_wait(0, g->pivots + now, g->tag) : 0);
	}
	if (p->first == 0 && me.id < p->width)
		p->swaps[p->j + me.id] = p->j + place_wait(0, g->pivots + me.id,
		                                           g->tag);
}

INLINE void panel_factor(const struct columns *g, local struct shared *s)
{
	const struct item me = item_of(get_local_id(0));
	const struct panel *p = &g->p;
	const int middle = min(p->first + WIDE / 2, p->end);
	struct message w;
	struct rows rows;
	int now = 0;

	rows_load(&rows, me, p, s->l);
	if (p->first == 0) {
		const struct found f = rows_search(&rows, p);

		propose(&f, &rows, me, p, 0, WIDE, s);
	} else {
		message_peek(&w, me, g, 0);
		previous_clear(me, g);
	}
	_Pragma("unroll 1")
	for (; now < p->first; now++)
		step_apply(&rows, me, g, now, &w, s);
	_Pragma("unroll 1")
	for (; now < middle; now++)
		step_factor(&rows, me, g, now, WIDE, s);
	_Pragma("unroll 1")
	for (; now < p->end; now++)
		step_factor(&rows, me, g, now, HALF, s);
	if (p->first == 0)
		previous_clear(me, g);
	places_receive(&rows, me, g);
	rows_store(&rows, me, p, s->l);
}

/* messages has NB words for pivots, in LU_PIVOTS bytes, and two buffers of NB x
 * ld multipliers, which panels use in turns. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void KERNEL(global real *restrict lu, int m, int n, int j, int pivoting,
                   global int *restrict swaps, global int *restrict moves,
                   global real *restrict stash, int ld,
                   global uchar *restrict messages)
{
	local struct shared s __attribute__((aligned(128)));
	const int group = get_group_id(0) % GROUPS_ACROSS;
	const size_t matrix = get_group_id(0) / GROUPS_ACROSS;
	const size_t size = (size_t)NB * ld;
	const int turn = j / NB & 1;
	global uchar *own = messages + matrix * (LU_PIVOTS +
	                                     2 * size * sizeof(real));
	global bits *buffers = (global bits *)(own + LU_PIVOTS);
	struct columns g = {
		panel_of(lu, m, n, j, pivoting, swaps, moves, matrix),
		(global uint *)own, buffers + turn * size,
		buffers + (1 - turn) * size, ld, (uint)(j / NB % 254 + 1) << 24
	};

	g.p.first = group * WIDE;
	g.p.end = min(g.p.first + WIDE, g.p.width);
	if (g.p.first < g.p.width)
		panel_factor(&g, &s);
}
