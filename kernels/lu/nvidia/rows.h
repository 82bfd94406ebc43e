/* rows.h - the rows of a panel in the registers of work-groups on NVIDIA's
 * multiprocessors: load and store.
 *
 * A team of SPAN neighbouring items keeps ROWS rows. Item s of the team has
 * COLUMNS elements of each: columns s, SPAN + s, 2 SPAN + s, ... of the columns
 * not yet factored, so that all items have work until the end. After SPAN steps
 * all elements move to the left by one, so that every index is a constant.
 *
 * Rows are not interchanged: an item knows the place of each of its rows,
 * counted from the panel's top. Its elements in finished rows and columns are
 * undefined; multipliers go to a stash in global memory, a column a step.
 *
 * Defined before: ROWS.
 */
#ifndef KERNELS_LU_NVIDIA_ROWS_H
#define KERNELS_LU_NVIDIA_ROWS_H

#include "lib/warp.h"
#include "lu/nvidia/candidate.h"
#include "shared/lu_tile.h"

#define NB LU_NB
#define ITEMS LU_SPREAD_ITEMS
#define WARPS (ITEMS / 32)
#define SPAN LU_SPREAD_SPAN
#define COLUMNS (NB / SPAN)
#define TEAMS (ITEMS / SPAN)
#define WARP_TEAMS (32 / SPAN)
#define GROUP_ROWS (TEAMS * ROWS)
#define TILE_ROW (NB + SPAN)		/* no bank conflicts in a column */
#define LINE (COLUMNS + PER_CHUNK)	/* nor between items' chunks */
#define NO_PLACE 0xffffffu	/* more than any place in a panel */
#define UNROLL _Pragma("unroll")

/* 16 bytes of elements */
#ifdef DTYPE_float64
typedef double2 chunk;
#define CHUNK(x) (double2)((x)[0], (x)[1])
#else
typedef float4 chunk;
#define CHUNK(x) (float4)((x)[0], (x)[1], (x)[2], (x)[3])
#endif
#define PER_CHUNK ((int)(sizeof(chunk) / sizeof(real)))

/* A pivot's row: items' elements side by side. */
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

/* What an item keeps of its rows. */
struct rows {
	real x[ROWS][COLUMNS];
	uint place[ROWS];
};

/* A panel, and which work-group of it this is. */
struct panel {
	global real *a;			/* its first element */
	int n;				/* columns of the matrix */
	int count, width;		/* its rows and columns */
	int j;				/* its first column in the matrix */
	int pivoting;
	global int *swaps, *moves;
	global real *stash;		/* NB x step */
	global ulong2 *messages;
	size_t step;
	int group, groups;
};

struct item {
	int id, lane, warp, s, team;
};

INLINE struct item item_of(int id)
{
	return (struct item){ id, id % 32, id / 32, id % SPAN, id / SPAN };
}

/* Where row r of this item was at first. */
INLINE int row_first(struct item me, const struct panel *p, int r)
{
	return p->group * GROUP_ROWS + r * TEAMS + me.team;
}

/* The same of the first row of its warp. */
INLINE int warp_first(struct item me, const struct panel *p, int r)
{
	return p->group * GROUP_ROWS + r * TEAMS + me.warp * WARP_TEAMS;
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
		for (int i = 0; i < COLUMNS; i++) {
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
		for (int i = 0; i < COLUMNS; i++)
			tile[i * 32 / NB * TILE_ROW + i * 32 % NB + me.lane] =
			    rows->x[r][i];
		warp_sync();
		UNROLL
		for (int i = 0; i < COLUMNS; i++)
			rows->x[r][i] = tile[me.lane / SPAN * TILE_ROW +
			                     i * SPAN + me.s];
		warp_sync();
	}
}

/* Stores the multipliers of the warp's rows r at the places of these rows. */
INLINE void row_store(const struct rows *rows, struct item me,
                      const struct panel *p, int r, local real *tile)
{
	const int row = me.lane % WARP_TEAMS, c0 = me.lane / WARP_TEAMS;
	global const real *from = p->stash +
	    opaque(c0 * p->step + warp_first(me, p, r) + row);
	real l[COLUMNS];

	UNROLL
	for (int i = 0; i < COLUMNS; i++) {
		l[i] = c0 + i * SPAN < p->width ? *from : 0;
		from += SPAN * p->step;
	}
	warp_sync();
	UNROLL
	for (int i = 0; i < COLUMNS; i++)
		tile[row * TILE_ROW + c0 + i * SPAN] = l[i];
	warp_sync();
	UNROLL
	for (int i = 0; i < COLUMNS; i++) {
		const uint c = i * 32 % NB + me.lane;
		const uint at = warp_word(rows->place[r],
		                          i * 32 / NB * SPAN);

		if (at != NO_PLACE && c < min(at, (uint)p->width))
			p->a[(size_t)at * p->n + c] =
			    tile[i * 32 / NB * TILE_ROW + c];
	}
}

/* Stores the multipliers at their rows' places, and where rows have moved. */
INLINE void rows_store(const struct rows *rows, struct item me,
                       const struct panel *p, local struct shared *s)
{
	group_sync();
	UNROLL
	for (int r = 0; r < ROWS; r++) {
		const int at = row_first(me, p, r);

		row_store(rows, me, p, r, s->tile[me.warp]);
		if (me.s != 0)
			continue;
		if (rows->place[r] < NB)
			p->moves[rows->place[r]] = at;
		if (at < min(NB, p->count))
			p->moves[NB + at] = rows->place[r];
	}
}

#endif
