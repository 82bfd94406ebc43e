/* grid_rows.h - some columns of some rows of a panel in the registers of a
 * work-group on an NVIDIA multiprocessor: load and store.
 *
 * An item keeps ROWS rows of WIDE columns; after each of its work-group's own
 * steps all elements move to the left by one, so that every index is a
 * constant. Multipliers stay in local memory.
 *
 * Rows are not interchanged: an item knows the place of each of its rows,
 * counted from the panel's top.
 *
 * Defined before: ROWS of an item, HEIGHT: work-groups in a column of the grid,
 * at most.
 */
#ifndef KERNELS_LU_NVIDIA_GRID_ROWS_H
#define KERNELS_LU_NVIDIA_GRID_ROWS_H

#include "shared/lu_tile.h"
#include "lib/warp.h"

#define NB LU_NB
#define ITEMS LU_SPREAD_ITEMS
#define WARPS (ITEMS / 32)
#define WIDE LU_GRID_COLUMNS
#define BESIDE (32 / WIDE)	/* rows that a warp loads at once */
#define TALL (ROWS * ITEMS + BESIDE)	/* no bank conflicts in BESIDE rows */
#define CANDIDATES (HEIGHT * WARPS)	/* posted in a step */
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

/* What the items of a work-group share. */
struct shared {
	real u[2][CANDIDATES][WIDE] __attribute__((aligned(16)));
	uint place[2][CANDIDATES];
	real l[WIDE][TALL];		/* first what is loaded */
};

/* What an item keeps of its rows. */
struct rows {
	real x[ROWS][WIDE];
	uint place[ROWS];
};

/* A panel, and what of it this group factors. */
struct panel {
	global real *a;			/* its first element */
	int n;				/* columns of the matrix */
	int count, width;		/* its rows and columns */
	int j;				/* its first column in the matrix */
	int pivoting;
	global int *swaps, *moves;
	global ulong2 *messages;
	uint tag;
	int first, end;			/* columns of this group */
	int top;			/* its first row */
	int height;			/* items of a column of the grid */
};

struct item {
	int id, lane, warp;
};

/* Where row r of this item was at first, counted from the group's top. */
INLINE int row_first(struct item me, int r)
{
	return r * ITEMS + me.id;
}

/* A warp's lanes load neighbouring elements, and exchange them through local
 * memory. */
INLINE void rows_load(struct rows *rows, struct item me,
                      const struct panel *p, local struct shared *s)
{
	const int c = me.lane % WIDE;
	const bool is_column = p->first + c < p->end;
	global const real *from = p->a + min(p->first + c, p->end - 1);
	int row = me.warp * 32 * ROWS + me.lane / WIDE;

	UNROLL
	for (int i = 0; i < ROWS; i++) {
		const int at = p->top + row;
		real x[WIDE];

		UNROLL
		for (int k = 0; k < WIDE; k++)
			x[k] = from[(long)min(at + k * BESIDE, p->count - 1) *
			            p->n];
		UNROLL
		for (int k = 0; k < WIDE; k++)
			s->l[c][row + k * BESIDE] =
			    is_column && at + k * BESIDE < p->count ? x[k] : 0;
		row += 32;
	}
	group_sync();
	UNROLL
	for (int r = 0; r < ROWS; r++) {
		const int at = row_first(me, r);

		rows->place[r] = p->top + at < p->count ? p->top + at :
		                                          NO_PLACE;
		UNROLL
		for (int c = 0; c < WIDE; c++)
			rows->x[r][c] = s->l[c][at];
	}
}

INLINE void multipliers_keep(struct item me, const struct panel *p, int now,
                             const real *l, local struct shared *s)
{
	UNROLL
	for (int r = 0; r < ROWS; r++)
		s->l[now - p->first][row_first(me, r)] = l[r];
}

/* Stores the work-group's multipliers at their rows' places, and where rows
 * have moved. */
INLINE void rows_store(const struct rows *rows, struct item me,
                       const struct panel *p, local struct shared *s)
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
				    s->l[c][top + row];
		}
		if (p->first > 0)
			continue;
		if (rows->place[r] < NB)
			p->moves[rows->place[r]] = p->top + own;
		if (p->top + own < min(NB, p->count))
			p->moves[NB + p->top + own] = rows->place[r];
	}
}

/* Step now interchanges rows now and `pivot`. */
INLINE void places_swap(struct rows *rows, uint now, uint pivot)
{
	UNROLL
	for (int r = 0; r < ROWS; r++) {
		const uint at = rows->place[r];

		rows->place[r] = at == pivot ? now : at == now ? pivot : at;
	}
}

INLINE void row_read(real *u, local const real *from, int live)
{
	UNROLL
	for (int c = 0; c < WIDE; c += PER_CHUNK) {
		const chunk v = c < live ? *(local const chunk *)(from + c) : 0;

#ifdef DTYPE_float64
		u[c] = v.x, u[c + 1] = v.y;
#else
		u[c] = v.x, u[c + 1] = v.y, u[c + 2] = v.z, u[c + 3] = v.w;
#endif
	}
}

/* Stores row now of U, in columns from `column` to the work-group's last. */
INLINE void u_store(struct item me, const struct panel *p, int now, int column,
                    local const real *u)
{
	if (me.warp == now % WARPS && me.lane < p->end - column)
		p->a[(size_t)now * p->n + column + me.lane] = u[me.lane];
}

#endif
