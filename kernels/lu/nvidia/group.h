/* group.h - what the kernels that factor a panel in the registers of several
 * co-resident work-groups (spread.cl, columns.cl, grid.cl) have in common: the
 * panel, the rows that an item keeps, and candidates for a pivot.
 *
 * Rows are not interchanged: an item knows the place of each of its rows,
 * counted from the panel's top. A panel has more rows than NB, or in columns.cl
 * at least as many as columns. At the end `moves` has the panel's interchanges
 * for the other columns: row k < NB comes from row moves[k], and what it held
 * goes to row moves[NB + k].
 *
 * The file that includes this one defines ROWS, the rows of an item, and WIDE,
 * its elements in each row.
 */
#ifndef KERNELS_LU_NVIDIA_GROUP_H
#define KERNELS_LU_NVIDIA_GROUP_H

#include "lu/nvidia/messages.h"

#define NB LU_NB
#define ITEMS LU_SPREAD_ITEMS
#define WARPS (ITEMS / 32)
#define UNROLL _Pragma("unroll")

/* A chunk is 16 bytes of elements. */
#ifdef DTYPE_float64
typedef double2 chunk;
#define CHUNK(x) (double2)((x)[0], (x)[1])
#else
typedef float4 chunk;
#define CHUNK(x) (float4)((x)[0], (x)[1], (x)[2], (x)[3])
#endif
#define PER_CHUNK ((int)(sizeof(chunk) / sizeof(real)))

/* What an item keeps of its rows. */
struct rows {
	real x[ROWS][WIDE];
	uint place[ROWS];
};

/* A panel, and what of it a work-group factors. */
struct panel {
	global real *a;			/* its first element */
	int n;				/* columns of the matrix */
	int count, width;		/* its rows and columns */
	int j;				/* its first column in the matrix */
	int pivoting;
	global int *swaps, *moves;
	int top;			/* the group's first row */
	int first, end;			/* its columns */
};

/* The panel at column j of a matrix of the stack. */
INLINE struct panel panel_of(global real *lu, int m, int n, int j, int pivoting,
                             global int *swaps, global int *moves,
                             size_t matrix)
{
	return (struct panel){
		lu + matrix * m * n + (size_t)j * n + j, n, m - j,
		min(NB, n - j), j, pivoting, swaps + matrix * min(m, n),
		moves + matrix * 2 * NB, 0, 0, 0
	};
}

/* Returns the place of a row after step now, which interchanges rows now and
 * `pivot`. */
INLINE uint place_after(uint place, uint now, uint pivot)
{
	return place == pivot ? now : place == now ? pivot : place;
}

/* Stores where row `own` of the panel has moved. */
INLINE void moves_store(const struct panel *p, int own, uint place)
{
	if (place < NB)
		p->moves[place] = own;
	if (own < min(NB, p->count))
		p->moves[NB + own] = place;
}

/* Stores the first `live` of an item's elements of a row. */
INLINE void row_write(const real *x, int live, local real *to)
{
	UNROLL
	for (int c = 0; c < WIDE; c += PER_CHUNK)
		if (c < live)
			*(local chunk *)(to + c) = CHUNK(x + c);
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

/* A row that is proposed for the next pivot's: the order of its element
 * (pivot.h) in two words, of which float32 has one, and its place. */
struct candidate {
	uint high, low, place;
};

INLINE struct candidate candidate_of(order o, uint place)
{
#ifdef DTYPE_float64
	return (struct candidate){ o >> 32, (uint)o, place };
#else
	return (struct candidate){ o, 0, place };
#endif
}

INLINE bool is_before(struct candidate a, struct candidate b)
{
	return a.high > b.high || (a.high == b.high && (a.low > b.low ||
	       (a.low == b.low && a.place < b.place)));
}

/* The lane that has the best candidate: the largest order, and of equal ones
 * the first place. */
INLINE uint best_lane(struct candidate c)
{
	uint who = warp_vote(c.high == warp_max(c.high));

	if (who & (who - 1)) {
		bool in = who >> get_local_id(0) % 32 & 1;
		uint at;

#ifdef DTYPE_float64
		const uint low = in ? c.low : 0;

		in &= low == warp_max(low);
#endif
		at = in ? c.place : ~0u;
		who = warp_vote(in & (at == warp_min(at)));
	}
	return 31 - clz(who & -who);
}

/* Returns the item's best row for step now, judged by its first element;
 * is_column: is that in the step's column? */
INLINE struct candidate own_best(const struct rows *rows,
                                 const struct panel *p, int now, bool is_column)
{
	order o[ROWS], best = 0;
	uint place = NO_PLACE;

	UNROLL
	for (int r = 0; r < ROWS; r++) {
		const uint at = rows->place[r];
		const bool live = (at >= (uint)now) & (at < NO_PLACE) &
		                  is_column & p->pivoting;

		o[r] = live ? order_of(rows->x[r][0]) : 0;
		best = max(best, o[r]);
	}
	UNROLL
	for (int r = 0; r < ROWS; r++) {
		const uint at = rows->place[r];

		if (is_column & (at >= (uint)now) & (o[r] == best))
			place = min(place, at);
	}
	return candidate_of(best, place);
}

#endif
