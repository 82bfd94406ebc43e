/* tall.cl - factors a panel that is too high for a work-group's registers, by
 * work-groups of any device: a launch a column.
 *
 *     lu_tall_load     copies the panel's rows, NB elements each
 *     lu_tall_column   column k: its pivot, both rows interchanged, the columns
 *                      right of it updated
 *     lu_tall_store    back to the matrix; which rows have moved (lu.cl)
 *
 * A work-group has HEIGHT rows. No launch writes what its other work-groups
 * read: rows go from one of two copies of the panel to the other. Each launch
 * leaves every work-group's candidate for the next column's pivot, and the next
 * launch first chooses the best of these.
 */
#include "lu/pivot.h"
#include "shared/lu_tile.h"

#define NB LU_NB
#define ITEMS LU_TALL_ITEMS
#define HEIGHT LU_TALL_ROWS
#define SPAN 16			/* items along a row, */
#define BESIDE (ITEMS / SPAN)	/* and rows at a time */
#define EACH (NB / SPAN)	/* elements of an item in a row, SPAN apart */

/* The first row of the largest modulus. */
struct best {
	real modulus;
	int row;
};

static struct best better(struct best a, struct best b)
{
	return b.modulus > a.modulus ||
	       (b.modulus == a.modulus && b.row < a.row) ? b : a;
}

/* The best of all items: a butterfly, in which every item reads, waits and
 * writes. */
static struct best group_best(struct best own, local struct best *all)
{
	const int id = get_local_id(0);

	all[id] = own;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int bit = ITEMS / 2; bit > 0; bit /= 2) {
		const struct best x = better(all[id], all[id ^ bit]);

		barrier(CLK_LOCAL_MEM_FENCE);
		all[id] = x;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	own = all[0];
	barrier(CLK_LOCAL_MEM_FENCE);
	return own;
}

#define NO_BEST { -1, INT_MAX }

/* A NaN is never the best. */
static struct best best_with(struct best own, real x, int i)
{
	return fabs(x) >= 0 ? better(own, (struct best){ fabs(x), i }) : own;
}

/* Stores the work-group's pivot candidate. */
static void candidate_store(struct best own, local struct best *all,
                      global struct best *to)
{
	own = group_best(own, all);
	if (get_local_id(0) == 0)
		*to = own;
}

/* The best candidate of all work-groups; k itself if there is none, or if rows
 * are not interchanged. */
static int pivot_of(global const struct best *candidates, int groups, int k,
                    int pivoting, local struct best *all)
{
	struct best own = NO_BEST;

	for (int g = get_local_id(0); g < groups; g += ITEMS)
		own = better(own, candidates[g]);
	own = group_best(own, all);
	return pivoting && own.modulus >= 0 ? own.row : k;
}

/* Copies rows j to m of the panel at column j; work-group (HEIGHT rows,
 * matrix). Columns beyond the matrix are zeros. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void lu_tall_load(global const real *restrict lu, int m, int n, int j,
                         global real *restrict panel,
                         global struct best *restrict candidates)
{
	local struct best all[ITEMS];
	const int rows = m - j, id = get_local_id(0), first = id % SPAN;
	const int top = get_group_id(0) * HEIGHT + id / SPAN;
	const size_t matrix = get_group_id(1);
	struct best own = NO_BEST;

	lu += (matrix * m + j) * n + j;
	panel += matrix * rows * NB;
	for (int i = top; i < min(top + HEIGHT, rows); i += BESIDE)
		for (int c = first; c < NB; c += SPAN) {
			const real x = j + c < n ? lu[(size_t)i * n + c] : 0;

			panel[(size_t)i * NB + c] = x;
			own = c == 0 ? best_with(own, x, i) : own;
		}
	candidate_store(own, all, candidates + matrix * get_num_groups(0) +
	                    get_group_id(0));
}

/* A step: the pivot's row was at p and comes to k. */
struct step {
	int k, p;
	struct scale scale;
	local const real *pivot, *displaced;	/* what was at p and k */
};

/* Computes row i after the step; returns the item's candidate for the next
 * one. */
static struct best row_step(const struct step *s, int i,
                            global const real *from, global real *to,
                            struct best own)
{
	const int first = get_local_id(0) % SPAN, k = s->k;
	real x[EACH], l;

	_Pragma("unroll")
	for (int e = 0; e < EACH; e++) {
		const int c = first + e * SPAN;

		x[e] = i == k ? s->pivot[c] :
		       i == s->p ? s->displaced[c] : from[c];
	}
	l = (i == s->p ? s->displaced[k] : from[k]) * s->scale.up *
	    s->scale.inverse;
	_Pragma("unroll")
	for (int e = 0; e < EACH; e++) {
		const int c = first + e * SPAN;

		if (i > k)
			x[e] = c > k ? x[e] - l * s->pivot[c] :
			       c == k ? l : x[e];
		to[c] = x[e];
		if (i > k && c == k + 1)
			own = best_with(own, x[e], i);
	}
	return own;
}

/* Column k of the panel: from one copy to the other. swaps: of the panel's
 * first column on, `pivots` a matrix. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void lu_tall_column(global const real *restrict from,
                           global real *restrict to, int rows, int j, int k,
                           int pivoting, int pivots,
                           global const struct best *restrict candidates,
                           global struct best *restrict next,
                           global int *restrict swaps)
{
	local struct best all[ITEMS];
	local real pivot[NB], displaced[NB];
	const int id = get_local_id(0), groups = get_num_groups(0);
	const int top = get_group_id(0) * HEIGHT + id / SPAN;
	const size_t matrix = get_group_id(1);
	const int p = pivot_of(candidates + matrix * groups, groups, k,
	                       pivoting, all);
	struct step s = { k, p, { 1, 1 }, pivot, displaced };
	struct best own = NO_BEST;

	from += matrix * rows * NB;
	to += matrix * rows * NB;
	for (int c = id; c < NB; c += ITEMS) {
		pivot[c] = from[(size_t)p * NB + c];
		displaced[c] = from[(size_t)k * NB + c];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	s.scale = pivot_scale(pivot[k]);
	for (int i = top; i < min(top + HEIGHT, rows); i += BESIDE)
		own = row_step(&s, i, from + (size_t)i * NB,
		               to + (size_t)i * NB, own);
	if (id == 0 && get_group_id(0) == 0)
		swaps[matrix * pivots + j + k] = j + p;
	candidate_store(own, all, next + matrix * groups + get_group_id(0));
}

/* Where row r of the panel is after its first `count` swaps; or, backwards,
 * which row came to r. */
static int row_moved(int r, global const int *swaps, int j, int count,
                     bool backwards)
{
	for (int t = 0; t < count; t++) {
		const int k = backwards ? count - 1 - t : t;
		const int p = swaps[k] - j;

		r = r == k ? p : r == p ? k : r;
	}
	return r;
}

/* Stores the panel's rows, and by the first work-group its moves. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void lu_tall_store(global const real *restrict panel, int m, int n,
                          int j, int pivots, global const int *restrict swaps,
                          global real *restrict lu,
                          global int *restrict moves)
{
	const int rows = m - j, id = get_local_id(0);
	const int top = get_group_id(0) * HEIGHT + id / SPAN;
	const size_t matrix = get_group_id(1);
	const int r = id % NB, count = min(NB, pivots - j);

	lu += (matrix * m + j) * n + j;
	panel += matrix * rows * NB;
	for (int i = top; i < min(top + HEIGHT, rows); i += BESIDE)
		for (int c = id % SPAN; c < min(NB, n - j); c += SPAN)
			lu[(size_t)i * n + c] = panel[(size_t)i * NB + c];
	if (get_group_id(0) == 0 && id < 2 * NB)
		moves[matrix * 2 * NB + id] =
			row_moved(r, swaps + matrix * pivots + j, j, count,
			          id < NB);
}
