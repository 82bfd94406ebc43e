/* column.h - the computations for one column of the tridiagonal reduction, for
 * which sytrd.cl needs two launches, and panel.cl a share of one. The head of
 * sytrd.cl describes the mathematics and the layout of the arrays.
 *
 * A team is SYTRD_TEAM neighbouring work-items that multiply one row of A by a
 * vector. A bundle is a vector of 16 bytes (lib/real.h). A block is the rows
 * that a work-group takes at once: TEAMS rows of A, or one row of Q, in
 * column_times(), and ROWS rows of w in column_near() and column_next().
 *
 * The file that includes this one defines ITEMS, the work-items of a
 * work-group, and ROWS. All work-items of a work-group must call these
 * functions, because some have barriers. Included by kernels only. */
#ifndef KERNELS_TRIDIAGONAL_COLUMN_H
#define KERNELS_TRIDIAGONAL_COLUMN_H

#include "lib/real.h"
#include "lib/wide.h"
#include "shared/tridiagonal_tile.h"

/* LLVM 15 crashes when it chooses by itself what to inline in panel.cl. */
#define INLINE static inline __attribute__((always_inline))

#define TEAMS (ITEMS / SYTRD_TEAM)
#define SLICES (ITEMS / ROWS)		/* items that share a row of w */
#define OWN (2 * SYTRD_MOST / SLICES)	/* elements of P for each item */
#define HEAD 8				/* bundles of a row read at once */

/* A sum of squares up to this number may have lost digits to underflow, and
 * counts as 0. The elements of A are at most about 1. */
#define SMALLEST (sizeof(real) == 8 ? (wide)1e-280 :                         \
                  sizeof(wide) == 8 ? (wide)1e-60 : (wide)1e-30)

/* The matrix, the panel and the scratch memory; p is the current column. */
struct column {
	global real *a;
	int n, ld, p;
	global real *x, *v, *w;		/* x, P and Q of sytrd.cl */
	int count;			/* rows of P and Q that are known */
	global real *y, *s;
	global wide *norms;		/* partial sums of squares of x */
	int norm_parts;
	global wide *products;		/* partial sums of v^T y */
	global wide *t;			/* d, e, tau */
};

/* A column's reflection: v = scale (x - beta e_1), where e_1 is the unit vector
 * of the subdiagonal element. */
struct reflection { wide beta, tau, scale; };

/* A work-group's local memory: for the sums of team_sums() and of v^T y, and
 * for the arrays of column_common() and column_next(). */
struct sums {
	wide part[ITEMS], more[ITEMS], teams[TEAMS], more_teams[TEAMS];
	wide dots[TEAMS];
	real by_s[2 * SYTRD_MOST], by_q[2 * SYTRD_MOST];
	real to_w[ITEMS], to_x[ITEMS];
};

/* Returns the reflection for a column with the subdiagonal element alpha, below
 * which the squares of the elements sum to `sum`. */
INLINE struct reflection reflection_of(wide alpha, wide sum)
{
	const int none = !(sum > SMALLEST);
	const wide beta = -copysign(sqrt(alpha * alpha + sum), alpha);

	return (struct reflection){
		none ? alpha : beta, none ? 0 : (beta - alpha) / beta,
		none ? 0 : 1 / (alpha - beta)
	};
}

/* Returns the sum of the SYTRD_TEAM numbers of a team, by four independent
 * chains of additions. */
INLINE wide team_sum(const local wide *part)
{
	wide sum[4] = { 0, 0, 0, 0 };

#pragma unroll
	for (int i = 0; i < SYTRD_TEAM; i++)
		sum[i % 4] += part[i];
	return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Sets l->teams[i] and l->more_teams[i] to the sums of x and of y over the
 * work-items of team i. sum_of_teams() then gives the sums over the
 * work-group. */
INLINE void team_sums(wide x, wide y, local struct sums *l)
{
	const int id = get_local_id(0), lane = id % SYTRD_TEAM;

	l->part[id] = x;
	l->more[id] = y;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lane == 0)
		l->teams[id / SYTRD_TEAM] = team_sum(l->part + id);
	if (lane == 1)
		l->more_teams[id / SYTRD_TEAM] = team_sum(l->more + id - 1);
	barrier(CLK_LOCAL_MEM_FENCE);
}

INLINE wide sum_of_teams(const local wide *teams)
{
	wide sum[2] = { 0, 0 };

#pragma unroll
	for (int i = 0; i < TEAMS; i++)
		sum[i % 2] += teams[i];
	return sum[0] + sum[1];
}

/* Returns this work-item's share of the sum of squares of x. */
INLINE wide norm_share(const struct column *c)
{
	wide norm = 0;

	for (int i = get_local_id(0); i < c->norm_parts; i += ITEMS)
		norm += c->norms[i];
	return norm;
}

/* Returns the number of blocks of TEAMS rows below the diagonal of column p. */
INLINE int row_blocks(const struct column *c)
{
	return (c->n - c->p - 1 + TEAMS - 1) / TEAMS;
}

/* Returns the row that this work-item helps to multiply by x. Each of the first
 * row_blocks() blocks has TEAMS rows of A, one for each team. Each of the next
 * `count` blocks has one row of Q for the whole work-group. For a block beyond
 * these the row is arbitrary but readable, and its product is not used. */
INLINE const global real *row_of(const struct column *c, int block)
{
	const int blocks = row_blocks(c), team = get_local_id(0) / SYTRD_TEAM;
	const int r = c->p + 1 + block * TEAMS + team;

	return block < blocks ? c->a + (size_t)min(r, c->n - 1) * c->ld :
	    c->w + (size_t)min(block - blocks, 2 * SYTRD_MOST - 1) * c->ld;
}

/* Returns the column of the first element that this work-item reads in
 * row_of(). */
INLINE int begin_of(const struct column *c, int block)
{
	const int id = get_local_id(0);

	return (c->p + 1) / BUNDLE * BUNDLE + BUNDLE *
	       (block < row_blocks(c) ? id % SYTRD_TEAM : id);
}

/* Returns the distance, in elements, of the bundles that it reads there. */
INLINE int step_of(const struct column *c, int block)
{
	return (block < row_blocks(c) ? SYTRD_TEAM : ITEMS) * BUNDLE;
}

/* HEAD bundles of a row, in private memory. */
struct head { bundle x[HEAD]; };

/* Reads HEAD bundles of a row of n elements, from element k on, which lie
 * `step` elements apart. Bundles beyond the row are 0. */
INLINE void head_read(struct head *h, const global real *row, int n, int k,
                      int step)
{
#pragma unroll
	for (int i = 0; i < HEAD; i++)
		h->x[i] = k + i * step < n ?
		    *(const global bundle *)(row + k + i * step) : (bundle)0;
}

/* Reads the first bundles of this work-item in row_of() the block. Calling this
 * function before x is known hides the latency of the read. */
INLINE void column_head(struct head *h, const struct column *c, int block)
{
	head_read(h, row_of(c, block), c->n, begin_of(c, block),
	          step_of(c, block));
}

/* Computes y = A v and a partial sum of v^T y for a block of rows of A, or
 * s_i = Q_i v for a block that is a row of Q. *a is the result of column_head()
 * for the block, and is overwritten. If `fresh`, computes the reflection *h of
 * column p first; otherwise *h is an input. */
INLINE void column_times(const struct column *c, struct head *a, int block,
                         int fresh, struct reflection *h,
                         local struct sums *l)
{
	const int id = get_local_id(0), team = id / SYTRD_TEAM;
	const int first = c->p + 1, blocks = row_blocks(c);
	const int in_y = block < blocks, step = step_of(c, block);
	const int r = first + block * TEAMS + team;
	const global real *row = row_of(c, block);
	const real corner = row[first], alpha = c->x[first];
	const real x = c->x[min(r, c->n - 1)];
	const wide norm = fresh ? norm_share(c) : 0;
	bundle own = 0;

	for (int k = begin_of(c, block); k < c->n; ) {
		struct head b;

		head_read(&b, c->x, c->n, k, step);
#pragma unroll
		for (int i = 0; i < HEAD; i++)
			own += a->x[i] * b.x[i];
		k += HEAD * step;
		head_read(a, row, c->n, k, step);
	}
	team_sums(BUNDLE_SUM(own), norm, l);
	if (fresh)
		*h = reflection_of(alpha, sum_of_teams(l->more_teams));
	if (in_y && id % SYTRD_TEAM == 0) {
		const wide v = r == first ? h->scale != 0 :
		    r < c->n ? h->scale * x : 0;
		const wide y = h->scale * (l->teams[team] - h->beta * corner);

		if (r < c->n)
			c->y[r] = y;
		l->dots[team] = v * y;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (id == 0 && in_y)
		c->products[block] = sum_of_teams(l->dots);
	if (id == 0 && !in_y && block - blocks < c->count)
		c->s[block - blocks] = h->scale * (sum_of_teams(l->teams) -
		                                   h->beta * corner);
}

/* The elements that a work-item can read before y and s are known, to hide the
 * latency. In the item's row of w: its elements of P, the element of column
 * p + 1 of A, and that of x. In column p + 1 of Q and of P: element `id`. */
struct near {
	real p[OWN], a, x, q_first, p_first;
};

/* Reads *o for a block of ROWS rows of w. */
INLINE void column_near(struct near *o, const struct column *c, int block)
{
	const int id = get_local_id(0), first = c->p + 1, slice = id / ROWS;
	const int r = first + block * ROWS + id % ROWS;
	const int known = id < c->count;

#pragma unroll
	for (int i = 0; i < OWN; i++) {
		const int k = slice + i * SLICES;

		o->p[i] = r < c->n && k < c->count ?
		         c->v[(size_t)k * c->ld + r] : 0;
	}
	o->a = r < c->n && slice == 0 ? c->a[(size_t)first * c->ld + r] : 0;
	o->x = r < c->n && slice == 0 ? c->x[r] : 0;
	o->q_first = known ? c->w[(size_t)id * c->ld + first] : 0;
	o->p_first = known ? c->v[(size_t)id * c->ld + first] : 0;
}

/* The numbers that all rows of w and of the next column need. */
struct common {
	real scale, tau;
	real share;			/* w = tau (y - P^T s) - share v */
	real w_first;			/* w in row p + 1 */
};

/* Computes struct common from y, s and the partial sums of v^T y, and copies s
 * and column p + 1 of Q to l->by_s and l->by_q. */
INLINE struct common column_common(const struct column *c,
                                   const struct near *o, struct reflection h,
                                   local struct sums *l)
{
	const int id = get_local_id(0), parts = row_blocks(c);
	const int known = id < c->count;
	const real s = known ? c->s[id] : 0, other = known ? c->s[id ^ 1] : 0;
	const real y = c->y[c->p + 1];
	struct common u = { h.scale, h.tau, 0, 0 };
	wide vy = -(wide)s * other;

	for (int i = id; i < parts; i += ITEMS)
		vy += c->products[i];
	if (id < 2 * SYTRD_MOST) {
		l->by_s[id] = s;
		l->by_q[id] = o->q_first;
	}
	team_sums(vy, (wide)s * o->p_first, l);
	/* w^T v = tau (v^T y - 2 (V^T v).(W^T v)) */
	u.share = u.tau * u.tau * sum_of_teams(l->teams) / 2;
	u.w_first = u.tau * (y - sum_of_teams(l->more_teams)) - u.share;
	return u;
}

/* Computes w, and column p + 1 of the updated matrix, which it stores in x, for
 * block `block` of ROWS rows; a block from number `blocks` on stores nothing.
 * Work-item (row, slice) sums over every SLICES-th row of P. */
INLINE void column_next(const struct column *c, const struct common *u,
                        const struct near *o, int block, int blocks,
                        local struct sums *l)
{
	const int id = get_local_id(0), first = c->p + 1, slice = id / ROWS;
	const int r = first + block * ROWS + id % ROWS;
	const int is_mine = slice == 0 && r < c->n;
	const real y = is_mine ? c->y[r] : 0;
	real to_w = 0, to_x = 0, next = 0;

#pragma unroll
	for (int i = 0; i < OWN; i++) {
		to_w += o->p[i] * l->by_s[slice + i * SLICES];
		to_x += o->p[i] * l->by_q[slice + i * SLICES];
	}
	l->to_w[id] = to_w;
	l->to_x[id] = to_x;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (is_mine) {
		const int here = u->tau != 0;
		const real v = r == first ? here : u->scale * o->x;
		const size_t at = (size_t)c->count * c->ld + r;
		real w;

#pragma unroll
		for (int i = 1; i < SLICES; i++) {
			to_w += l->to_w[i * ROWS + id];
			to_x += l->to_x[i * ROWS + id];
		}
		w = u->tau * (y - to_w) - u->share * v;
		next = o->a - to_x - v * u->w_first - here * w;
		c->v[at] = v;
		c->v[at + c->ld] = w;
		c->w[at] = w;
		c->w[at + c->ld] = v;
		c->a[(size_t)c->p * c->ld + r] = v;
		c->x[r] = r == first ? 0 : next;
		if (r == first)
			c->t[first] = next;
	}
	team_sums(r >= first + 2 ? (wide)next * next : 0, 0, l);
	if (id == 0 && block < blocks)
		c->norms[block] = sum_of_teams(l->teams);
}

#endif
