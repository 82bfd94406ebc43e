/* columns_rows.h - WIDE columns of some rows of a panel in the registers of a
 * work-group on an NVIDIA multiprocessor: how they are loaded, updated and
 * stored. columns.cl, where a work-group has all rows, and grid.cl include it.
 *
 * An item keeps ROWS rows of WIDE columns; after each of its work-group's own
 * steps all elements move to the left by one, so that every index is a
 * constant. Multipliers stay in local memory.
 *
 * The file that includes this one defines ROWS.
 */
#ifndef KERNELS_LU_NVIDIA_COLUMNS_ROWS_H
#define KERNELS_LU_NVIDIA_COLUMNS_ROWS_H

#define WIDE LU_COLUMNS

#include "lu/nvidia/group.h"

#define BESIDE (32 / WIDE)	/* rows that a warp loads at once */
#define HALF (WIDE / 2 < PER_CHUNK ? WIDE : WIDE / 2)
#define TALL (ROWS * ITEMS + BESIDE)	/* no bank conflicts in BESIDE rows */
#define GROUPS_ACROSS (NB / WIDE)	/* work-groups side by side */

struct item {
	int id, lane, warp;
};

INLINE struct item item_of(int id)
{
	return (struct item){ id, id % 32, id / 32 };
}

/* Returns where row r of this item was at first, counted from the group's
 * top. */
INLINE int row_first(struct item me, int r)
{
	return r * ITEMS + me.id;
}

/* A warp's lanes load neighbouring elements, and exchange them through local
 * memory. */
INLINE void rows_load(struct rows *rows, struct item me,
                      const struct panel *p, local real l[WIDE][TALL])
{
	const int c = me.lane % WIDE;
	const bool is_column = p->first + c < p->end;
	int row = me.warp * 32 * ROWS + me.lane / WIDE;
	long at = opaque((long)(p->top + row) * p->n + p->first + c);

	UNROLL
	for (int i = 0; i < ROWS; i++) {
		real x[WIDE];

		UNROLL
		for (int k = 0; k < WIDE; k++) {
			x[k] = is_column &&
			       p->top + row + k * BESIDE < p->count ?
			       p->a[at] : 0;
			at += (long)BESIDE * p->n;
		}
		UNROLL
		for (int k = 0; k < WIDE; k++)
			l[c][row + k * BESIDE] = x[k];
		row += 32;
	}
	group_sync();
	UNROLL
	for (int r = 0; r < ROWS; r++) {
		const int own = row_first(me, r);

		rows->place[r] = p->top + own < p->count ? p->top + own :
		                                           NO_PLACE;
		UNROLL
		for (int c = 0; c < WIDE; c++)
			rows->x[r][c] = l[c][own];
	}
}

INLINE void multipliers_keep(struct item me, const struct panel *p, int now,
                             const real *l, local real to[WIDE][TALL])
{
	UNROLL
	for (int r = 0; r < ROWS; r++)
		to[now - p->first][row_first(me, r)] = l[r];
}

/* Stores the work-group's multipliers at their rows' places, and, in the first
 * columns, where rows have moved. */
INLINE void rows_store(const struct rows *rows, struct item me,
                       const struct panel *p, local const real l[WIDE][TALL])
{
	const int c = me.lane % WIDE, column = p->first + c;

	group_sync();
	UNROLL
	for (int r = 0; r < ROWS; r++) {
		const int own = row_first(me, r), top = own - me.lane;

		UNROLL
		for (int i = 0; i < WIDE; i++) {
			const int row = i * BESIDE + me.lane / WIDE;
			const uint at = warp_word(rows->place[r], row);

			if (at != NO_PLACE && column < min((int)at, p->end))
				p->a[(size_t)at * p->n + column] =
				    l[c][top + row];
		}
		if (p->first == 0)
			moves_store(p, p->top + own, rows->place[r]);
	}
}

/* Applies step now, which interchanges rows now and `pivot`, to the places. */
INLINE void places_swap(struct rows *rows, uint now, uint pivot)
{
	UNROLL
	for (int r = 0; r < ROWS; r++)
		rows->place[r] = place_after(rows->place[r], now, pivot);
}

/* Applies up to 32 steps, from step `from` on, to the places; lane i has the
 * pivot's place of the i-th step. */
INLINE void places_swap_all(struct rows *rows, const struct panel *p, int from,
                            uint pivot)
{
	warp_sync();
	for (int i = 0; i < min(32, p->width - from); i++)
		places_swap(rows, from + i, warp_word(pivot, i));
}

/* Stores row now of U, in columns from `column` to the work-group's last. */
INLINE void u_store(struct item me, const struct panel *p, int now, int column,
                    local const real *u)
{
	if (me.warp == now % WARPS && me.lane < p->end - column)
		p->a[(size_t)now * p->n + column + me.lane] = u[me.lane];
}

/* Returns the inverse of a scaled pivot, for one whose own inverse would
 * overflow or underflow, and scales the first elements likewise. */
INLINE real rows_scale(struct rows *rows, real pivot)
{
	const struct scale scale = pivot_scale(pivot);

	UNROLL
	for (int r = 0; r < ROWS; r++)
		rows->x[r][0] *= scale.up;
	return scale.inverse;
}

/* These compute rows -= l u: the first in the first column, the second in all
 * others. */
INLINE void first_apply(struct rows *rows, const real *l, const real *u)
{
	UNROLL
	for (int r = 0; r < ROWS; r++)
		rows->x[r][0] = fma(-l[r], u[0], rows->x[r][0]);
}

INLINE void others_apply(struct rows *rows, const real *l, const real *u)
{
	UNROLL
	for (int c = 1; c < WIDE; c++)
		UNROLL
		for (int r = 0; r < ROWS; r++)
			rows->x[r][c] = fma(-l[r], u[c], rows->x[r][c]);
}

/* Computes rows -= l u, except in their first elements, and moves the result to
 * the left by one. The first `live` elements are in columns not yet
 * factored. */
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

#endif
