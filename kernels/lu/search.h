/* search.h - a panel's rows in registers, as resident.cl describes them, and
 * the search for a column's pivot among them. */
#ifndef KERNELS_LU_SEARCH_H
#define KERNELS_LU_SEARCH_H

#include "lu/pivot.h"
#include "lib/subgroup.h"

#define NO_PLACE 0xffffffu	/* more than any place in a panel */
#define MEMBERS 32		/* sub-groups of a work-group, at most */
#define HALF (NB / 2)
#ifndef ROWS
#define ROWS ((int)(16 / sizeof(real)))
#endif
#define PAIRS (ITEMS / 2)
#define GROUP_ROWS (PAIRS * ROWS)
#define QUAD 4

/* For loops that exchange data between items, where indices must be constants
 * to keep elements in registers. Barriers in unrolled loops compile slowly. */
#ifdef SUBGROUP_PTX
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
#endif
#define PIECE ((int)(32 / sizeof(real)))	/* columns loaded at a time */

/* What the items of a work-group share. */
struct shared {
	real u[NB] __attribute__((aligned(32)));	/* the pivot's row */
	real tile[GROUP_ROWS][2 * PIECE + 1];
	uint place[GROUP_ROWS];
	order orders[MEMBERS];
	uint places[MEMBERS];
	uint lanes[ITEMS];	/* of subgroup.h */
	order order_lanes[ITEMS];
	real real_lanes[ITEMS];
};

/* What an item keeps: halves of rows, their multipliers in the quad's columns,
 * and their places. */
struct rows {
	real x[ROWS][HALF];
	real l[ROWS][QUAD];
	uint place[ROWS];
};

/* An element's order in its column and the place of its row. */
struct candidate {
	order order;
	uint place;
};

SG_NUMBER(uint)
SG_NUMBER(order)
SG_TYPE(real)

/* These return the least place and the largest order of a sub-group. */
#ifdef SUBGROUP_PTX
INLINE uint warp_max(uint x)
{
	uint y;

	__asm__ volatile("redux.sync.max.u32 %0, %1, 0xffffffff;"
	                 : "=r"(y) : "r"(x));
	return y;
}

INLINE uint place_min(uint x, local struct shared *s)
{
	(void)s;
	return ~warp_max(~x);
}

INLINE order order_max(order x, local struct shared *s)
{
	(void)s;
#ifdef DTYPE_float64
	const uint high = warp_max(x >> 32);

	return (ulong)high << 32 | warp_max(x >> 32 == high ? (uint)x : 0);
#else
	return warp_max(x);
#endif
}
#else
INLINE uint place_min(uint x, local struct shared *s)
{
	return sg_min_uint(x, s->lanes);
}

INLINE order order_max(order x, local struct shared *s)
{
	return sg_max_order(x, s->order_lanes);
}
#endif

INLINE bool is_before(struct candidate a, struct candidate b)
{
	return a.order > b.order || (a.order == b.order && a.place < b.place);
}

/* The best of a sub-group's candidates: the largest order, and of equal ones
 * the first place. */
INLINE struct candidate sg_best(struct candidate c, local struct shared *s)
{
	const order first = order_max(c.order, s);

	return (struct candidate){
		first, place_min(c.order == first ? c.place : NO_PLACE, s)
	};
}

/* Stores a sub-group's candidate; after a barrier, lane i of each sub-group
 * loads that of sub-group i. */
INLINE void candidate_store(struct candidate c, local struct shared *s)
{
	const uint member = sg_item() / sg_size();

	if (sg_lane() == 0) {
		s->orders[member] = c.order;
		s->places[member] = c.place;
	}
}

INLINE struct candidate candidate_load(local struct shared *s)
{
	const uint lane = sg_lane(), members = (ITEMS - 1) / sg_size() + 1;
	struct candidate c = { 0, NO_PLACE };

	if (lane < members)
		c = (struct candidate){ s->orders[lane], s->places[lane] };
	return c;
}

/* Step first + b, whose column is the left half's x[b]. */
struct step {
	int first, b;
};

/* The item's candidate; only the left half has one. It has no branches, since
 * half of the lanes would wait for each. */
INLINE struct candidate own_best(const struct rows *rows, struct step k,
                                 int pivoting)
{
	const uint now = k.first + k.b;
	const uint end = get_local_id(0) % 2 ? 0 : NO_PLACE;
	struct candidate best = { 0, NO_PLACE };

	_Pragma("unroll")
	for (int r = 0; r < ROWS; r++) {
		const uint at = rows->place[r];
		const order o = pivoting ? order_of(rows->x[r][k.b]) : 0;
		const bool better = (at >= now) & (at < end) &
		                    ((o > best.order) | ((o == best.order) &
		                    (at < best.place)));

		best.order = better ? o : best.order;
		best.place = better ? at : best.place;
	}
	return best;
}

/* Stores the row of that place in u, by the two items that keep it. */
INLINE void row_write(const struct rows *rows, uint place, local real *u)
{
	u += get_local_id(0) % 2 * HALF;
	_Pragma("unroll")
	for (int r = 0; r < ROWS; r++) {
		if (rows->place[r] != place)
			continue;
		_Pragma("unroll")
		for (int c = 0; c < HALF; c++)
			u[c] = rows->x[r][c];
	}
}

/* The place of step k's pivot, whose row is left in u. Every item waits at two
 * barriers: u is written between them, and read until the next call. */
INLINE uint pivot_find(const struct rows *rows, struct step k, int pivoting,
                       local struct shared *s)
{
	struct candidate best = sg_best(own_best(rows, k, pivoting), s);

	if (ITEMS > sg_size()) {
		candidate_store(best, s);
		barrier(CLK_LOCAL_MEM_FENCE);
		best = sg_best(candidate_load(s), s);
	} else {
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	row_write(rows, best.place, s->u);
	barrier(CLK_LOCAL_MEM_FENCE);
	return best.place;
}

#endif
