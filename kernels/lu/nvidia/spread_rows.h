/* spread_rows.h - all columns of some rows of a panel in the registers of a
 * work-group on an NVIDIA multiprocessor, and how spread.cl loads and stores
 * them.
 *
 * A team of SPAN neighbouring items keeps ROWS rows. Item s of the team has
 * WIDE elements of each: columns s, SPAN + s, 2 SPAN + s, ... of the columns
 * not yet factored, so that all items have work until the end. After SPAN steps
 * all elements move to the left by one, so that every index is a constant. An
 * item's elements in finished rows and columns are undefined; each step stores
 * a column of multipliers in a stash in global memory.
 *
 * The file that includes this one defines ROWS.
 */
#ifndef KERNELS_LU_NVIDIA_SPREAD_ROWS_H
#define KERNELS_LU_NVIDIA_SPREAD_ROWS_H

#define SPAN LU_SPREAD_SPAN
#define WIDE (NB / SPAN)

#include "lu/nvidia/group.h"

#define TEAMS (ITEMS / SPAN)
#define WARP_TEAMS (32 / SPAN)
#define GROUP_ROWS (TEAMS * ROWS)
#define TILE_ROW (NB + SPAN)		/* no bank conflicts in a column */
#define LINE (WIDE + PER_CHUNK)		/* nor between items' chunks */

/* A pivot's row, with the elements of each item side by side. */
struct row {
	real u[SPAN][LINE];
} __attribute__((aligned(16)));

/* What the items of a work-group share. */
struct shared {
	union {				/* in turns */
		struct row in[2][WARPS];
		real tile[WARPS][WARP_TEAMS * TILE_ROW];
	} __attribute__((aligned(16)));
	real out[NB] __attribute__((aligned(16)));
	struct candidate candidates[2][2][WARPS];
};

/* The work-groups of a panel, and which this is. */
struct groups {
	struct panel p;			/* what this one factors */
	global real *stash;		/* NB x step */
	global ulong2 *messages;
	size_t step;
	int group, count;
};

struct item {
	int id, lane, warp, s, team;
};

INLINE struct item item_of(int id)
{
	return (struct item){ id, id % 32, id / 32, id % SPAN, id / SPAN };
}

/* Returns where row r of this item was at first. */
INLINE int row_first(struct item me, const struct panel *p, int r)
{
	return p->top + r * TEAMS + me.team;
}

/* Returns where the first of row r of this item's warp was at first. */
INLINE int warp_first(struct item me, const struct panel *p, int r)
{
	return p->top + r * TEAMS + me.warp * WARP_TEAMS;
}

/* A warp's lanes load neighbouring elements of a row, and exchange them through
 * local memory. */
INLINE void rows_load(struct rows *rows, struct item me,
                      const struct panel *p, local struct shared *s)
{
	local real *tile = s->tile[me.warp];

	UNROLL
	for (int r = 0; r < ROWS; r++) {
		const int top = warp_first(me, p, r);
		long at = opaque((long)top * p->n + me.lane);

		UNROLL
		for (int i = 0; i < WIDE; i++) {
			const int right = i * 32 % NB, row = i * 32 / NB;

			rows->x[r][i] = top + row < p->count &&
			                me.lane + right < p->width ?
			                p->a[at + right] : 0;
			if (right + 32 == NB)
				at += p->n;
		}
	}
	UNROLL
	for (int r = 0; r < ROWS; r++) {
		const int at = row_first(me, p, r);

		rows->place[r] = at < p->count ? at : NO_PLACE;
		UNROLL
		for (int i = 0; i < WIDE; i++)
			tile[i * 32 / NB * TILE_ROW + i * 32 % NB + me.lane] =
			    rows->x[r][i];
		warp_sync();
		UNROLL
		for (int i = 0; i < WIDE; i++)
			rows->x[r][i] = tile[me.lane / SPAN * TILE_ROW +
			                     i * SPAN + me.s];
		warp_sync();
	}
}

/* Stores the multipliers of the warp's rows r at the places of these rows. */
INLINE void row_store(const struct rows *rows, struct item me,
                      const struct groups *g, int r, local real *tile)
{
	const struct panel *p = &g->p;
	const int row = me.lane % WARP_TEAMS, c0 = me.lane / WARP_TEAMS;
	global const real *from = g->stash +
	    opaque(c0 * g->step + warp_first(me, p, r) + row);
	real l[WIDE];

	UNROLL
	for (int i = 0; i < WIDE; i++) {
		l[i] = c0 + i * SPAN < p->width ? *from : 0;
		from += SPAN * g->step;
	}
	warp_sync();
	UNROLL
	for (int i = 0; i < WIDE; i++)
		tile[row * TILE_ROW + c0 + i * SPAN] = l[i];
	warp_sync();
	UNROLL
	for (int i = 0; i < WIDE; i++) {
		const uint c = i * 32 % NB + me.lane;
		const uint at = warp_word(rows->place[r],
		                          i * 32 / NB * SPAN);

		if (at != NO_PLACE && c < min(at, (uint)p->width))
			p->a[(size_t)at * p->n + c] =
			    tile[i * 32 / NB * TILE_ROW + c];
	}
}

/* Stores the multipliers at their rows' places, and stores where rows have
 * moved. */
INLINE void rows_store(const struct rows *rows, struct item me,
                       const struct groups *g, local struct shared *s)
{
	group_sync();
	UNROLL
	for (int r = 0; r < ROWS; r++) {
		row_store(rows, me, g, r, s->tile[me.warp]);
		if (me.s == 0)
			moves_store(&g->p, row_first(me, &g->p, r),
			            rows->place[r]);
	}
}

#endif
