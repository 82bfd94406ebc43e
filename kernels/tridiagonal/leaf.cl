/* leaf.cl - the eigenpairs of the leaves of divide and conquer by Jacobi's
 * method, computed in `wide` and not sorted. kernels/eigen/jacobi.cl describes
 * the method: a sweep consists of rounds, each of which rotates disjoint pairs
 * of rows. A work-group takes one leaf of at most DIVIDE_LEAF rows and holds A
 * and V in local memory. They get one more row and column if the number of rows
 * is odd; those of A are zero. */
#include "tridiagonal/divide.h"

#ifdef cl_khr_fp64
#define WIDE_EPSILON DBL_EPSILON
#else
#define WIDE_EPSILON FLT_EPSILON
#endif

#define SWEEPS 30
#define PAIRS (DIVIDE_LEAF / 2)
#define LD (DIVIDE_LEAF + 1)

GROUP_FOLD(group_sum, wide, PLUS)

/* Returns the two rows of pair k in a round, where m rows are paired like the
 * players of a round-robin tournament. */
static int2 pair_of(int round, int k, int m)
{
	const int turn = m - 1, up = round + k, down = round - k;

	return k == 0 ? (int2)(round, turn) :
	       (int2)(up < turn ? up : up - turn,
	              down < 0 ? down + turn : down);
}

/* Returns the cosine and the sine of the rotation of rows p.x and p.y that
 * makes the element of A in this row and column zero. */
static wide2 rotation(local const wide *a, int2 p)
{
	const wide x = a[p.x * LD + p.y];
	wide t = 0, c;

	if (x != 0) {
		const wide theta = (a[p.y * LD + p.y] - a[p.x * LD + p.x]) /
		                   (2 * x);

		t = copysign((wide)1, theta) /
		    (fabs(theta) + sqrt(theta * theta + 1));
	}
	c = 1 / sqrt(t * t + 1);
	return (wide2)(c, t * c);
}

/* Updates the 2 x 2 elements of A in the rows p and the columns q by the
 * rotations f of the rows and g of the columns. If `same`, p is q, and the two
 * off-diagonal elements become exactly zero. */
static void turn_block(local wide *a, int2 p, int2 q, wide2 f, wide2 g,
                       int same)
{
	local wide *const x = a + p.x * LD, *const y = a + p.y * LD;
	const wide xx = f.x * x[q.x] - f.y * y[q.x];
	const wide xy = f.x * x[q.y] - f.y * y[q.y];
	const wide yx = f.y * x[q.x] + f.x * y[q.x];
	const wide yy = f.y * x[q.y] + f.x * y[q.y];

	x[q.x] = g.x * xx - g.y * xy;
	y[q.y] = g.y * yx + g.x * yy;
	x[q.y] = same ? 0 : g.y * xx + g.x * xy;
	y[q.x] = same ? 0 : g.x * yx - g.y * yy;
}

/* Rotates the elements in columns q of a row of V. */
static void turn_row(local wide *v, int2 q, wide2 g)
{
	const wide x = v[q.x], y = v[q.y];

	v[q.x] = g.x * x - g.y * y;
	v[q.y] = g.y * x + g.x * y;
}

static void sweep(local wide *a, local wide *v, local wide2 *turns, int m)
{
	const int id = get_local_id(0), items = get_local_size(0);

	for (int round = 0; round < m - 1; round++) {
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = id; k < m / 2; k += items)
			turns[k] = rotation(a, pair_of(round, k, m));
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int x = id; x < m / 2 * PAIRS; x += items) {
			const int k = x / PAIRS, l = x % PAIRS;

			if (l < m / 2)
				turn_block(a, pair_of(round, k, m),
				           pair_of(round, l, m), turns[k],
				           turns[l], k == l);
		}
		for (int x = id; x < m * PAIRS; x += items) {
			const int l = x % PAIRS;

			if (l < m / 2)
				turn_row(v + x / PAIRS * LD,
				         pair_of(round, l, m), turns[l]);
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
}

/* Returns the sum of the squares of all elements of A, or, if `beside`, of its
 * off-diagonal elements. */
static wide squares(local const wide *a, int m, int beside, local wide *part)
{
	const int items = get_local_size(0);
	wide sum = 0;

	for (int x = get_local_id(0); x < m * DIVIDE_LEAF; x += items) {
		const int i = x / DIVIDE_LEAF, j = x % DIVIDE_LEAF;

		if (j < m && !(beside && i == j))
			sum += a[i * LD + j] * a[i * LD + j];
	}
	return group_sum(sum, part);
}

/* Sets A to the leaf, with diagonal d and off-diagonal e, and V to I. */
static void load(local wide *a, local wide *v, global const wide *d,
                 global const wide *e, int leaf)
{
	for (int x = get_local_id(0); x < DIVIDE_LEAF * LD;
	     x += get_local_size(0)) {
		const int i = x / LD, j = x % LD, low = min(i, j);

		a[x] = max(i, j) >= leaf ? 0 : i == j ? d[i] :
		       max(i, j) == low + 1 ? e[low] : 0;
		v[x] = i == j;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
}

/* Scales the columns of V to length 1. */
static void normalize(local wide *v, int m)
{
	for (int j = get_local_id(0); j < m; j += get_local_size(0)) {
		wide sum = 0;

		for (int i = 0; i < m; i++)
			sum += v[i * LD + j] * v[i * LD + j];
		sum = 1 / sqrt(sum);
		for (int i = 0; i < m; i++)
			v[i * LD + j] *= sum;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
}

/* Launched with a work-group for each leaf. d and e are the diagonal and the
 * off-diagonal of T after the rank-one terms of all levels were subtracted. Q
 * is written only if `wanted`. */
kernel void divide_leaves(global const wide *restrict d,
                          global const wide *restrict e, int leaf, int n,
                          global wide *restrict room, global real *restrict q,
                          int wanted, local wide *a, local wide *v,
                          local wide2 *turns, local wide *part)
{
	const int base = get_group_id(0) * leaf, m = leaf + (leaf & 1);
	const int items = get_local_size(0);
	wide limit;

	load(a, v, d + base, e + base, leaf);
	limit = WIDE_EPSILON * WIDE_EPSILON * squares(a, m, 0, part);
	for (int i = 0; i < SWEEPS && squares(a, m, 1, part) > limit; i++)
		sweep(a, v, turns, m);
	normalize(v, m);
	for (int j = get_local_id(0); j < leaf; j += items) {
		ARRAY(VALUES)[j] = a[j * LD + j];
		ARRAY(FIRST)[j] = v[j];
		ARRAY(LAST)[j] = v[(leaf - 1) * LD + j];
	}
	for (int x = get_local_id(0); wanted && x < leaf * leaf; x += items)
		q[(size_t)(base + x / leaf) * n + base + x % leaf] =
		    v[x / leaf * LD + x % leaf];
}
