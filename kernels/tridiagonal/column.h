/* column.h - the computations for one column of the tridiagonal reduction, for
 * which sytrd.cl needs two launches, and panel.cl a share of one. The head of
 * sytrd.cl describes the mathematics and the layout of the arrays.
 *
 * A team is SYTRD_TEAM neighbouring work-items that multiply one row of A or of
 * Q by a vector. A bundle is a vector of 16 bytes (lib/real.h). A block is the
 * rows that a work-group takes at once: TEAMS rows of A and Q in
 * column_times(), and ROWS rows of w in column_near() and column_next().
 *
 * All work-items of a work-group must call these functions, because some have
 * barriers. Included by kernels only. */
#ifndef KERNELS_TRIDIAGONAL_COLUMN_H
#define KERNELS_TRIDIAGONAL_COLUMN_H

#include "lib/across.h"
#include "lib/real.h"
#include "lib/wide.h"
#include "shared/tridiagonal_tile.h"

/* LLVM 15 crashes when it chooses by itself what to inline in panel.cl. */
#define INLINE static inline __attribute__((always_inline))

#define ITEMS SYTRD_ITEMS
#define ROWS SYTRD_ROWS
#define TEAMS (ITEMS / SYTRD_TEAM)
#define SLICES (ITEMS / ROWS)		/* items that share a row of w */
#define OWN (2 * SYTRD_MOST / SLICES)	/* elements of P for each item */
#define HEAD 8				/* bundles of a row read at once */
#define STEP (SYTRD_TEAM * BUNDLE)	/* elements between an item's bundles */

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

/* Sets l->teams[i] and l->more_teams[i] to the sums of x and of y over the
 * work-items of team i. sum_of_teams() then gives the sums over the
 * work-group. */
#ifdef cl_nv_pragma_unroll
/* A team is a warp. */
INLINE void team_sums(wide x, wide y, local struct sums *l)
{
	const int id = get_local_id(0);

#pragma unroll
	for (int mask = SYTRD_TEAM / 2; mask > 0; mask /= 2) {
		const wide u = as_double(ptx_across(as_ulong(x), mask));
		const wide v = as_double(ptx_across(as_ulong(y), mask));

		x += u;
		y += v;
	}
	if (id % SYTRD_TEAM == 0) {
		l->teams[id / SYTRD_TEAM] = x;
		l->more_teams[id / SYTRD_TEAM] = y;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
}
#else
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
#endif

INLINE wide sum_of_teams(const local wide *teams)
{
	wide sum[2] = { 0, 0 };

#pragma unroll
	for (int i = 0; i < TEAMS; i++)
		sum[i % 2] += teams[i];
	return sum[0] + sum[1];
}

/* Returns this work-item's share of the sum of squares of the elements of x
 * after x[first], n in all with those before. */
INLINE wide norm_share(const global real *x, int first, int n)
{
	wide norm = 0;

	for (int i = first + 1 + get_local_id(0); i < n; i += ITEMS)
		norm += (wide)x[i] * x[i];
	return norm;
}

/* Returns the number of blocks with rows of A below the diagonal of column
 * p. */
INLINE int row_blocks(const struct column *c)
{
	return (c->n - c->p - 1 + TEAMS - 1) / TEAMS;
}

/* Returns the number of blocks with these rows or, after them, rows of Q. */
INLINE int all_blocks(const struct column *c)
{
	return (c->n - c->p - 1 + c->count + TEAMS - 1) / TEAMS;
}

/* Returns the number of the row that this work-item helps to multiply: of A
 * below n, of Q from n on. */
INLINE int row_number(const struct column *c, int block)
{
	return c->p + 1 + block * TEAMS + get_local_id(0) / SYTRD_TEAM;
}

/* Returns that row. Beyond the rows of Q, it is the first one, and its product
 * is not used. */
INLINE const global real *row_of(const struct column *c, int block)
{
	const int r = row_number(c, block);

	return r < c->n ? c->a + (size_t)r * c->ld :
	    c->w + (size_t)(r - c->n < c->count ? r - c->n : 0) * c->ld;
}

/* Returns the number of elements to read of that row: 0 beyond the rows of Q,
 * because many teams that read the same row wait for each other. */
INLINE int row_end(const struct column *c, int block)
{
	return row_number(c, block) < c->n + c->count ? c->n : 0;
}

/* Returns the first element that this work-item reads in that row. */
INLINE int begin_of(const struct column *c)
{
	return (c->p + 1) / BUNDLE * BUNDLE +
	       get_local_id(0) % SYTRD_TEAM * BUNDLE;
}

/* HEAD bundles of a row, in private memory. */
struct head { bundle x[HEAD]; };

/* Reads HEAD bundles of a row of n elements, from element k on, which lie STEP
 * elements apart. Bundles beyond the row are 0. */
INLINE void head_read(struct head *h, const global real *row, int n, int k)
{
#pragma unroll
	for (int i = 0; i < HEAD; i++)
		h->x[i] = k + i * STEP < n ?
		    *(const global bundle *)(row + k + i * STEP) : (bundle)0;
}

/* Reads the first bundles of this work-item in row_of() the block. Calling this
 * function before x is known hides the latency of the read. */
INLINE void column_head(struct head *h, const struct column *c, int block)
{
	head_read(h, row_of(c, block), row_end(c, block), begin_of(c));
}

/* Computes y_i = A_i v for the rows of A in a block, s_i = Q_i v for its rows
 * of Q, and a partial sum of v^T y. *a is the result of column_head() for the
 * block, and is overwritten. If `fresh`, computes the reflection *h of column p
 * first; otherwise *h is an input. */
INLINE void column_times(const struct column *c, struct head *a, int block,
                         int fresh, struct reflection *h,
                         local struct sums *l)
{
	const int id = get_local_id(0), team = id / SYTRD_TEAM;
	const int first = c->p + 1, r = row_number(c, block);
	const int end = row_end(c, block);
	const global real *row = row_of(c, block);
	const real corner = row[first], alpha = c->x[first];
	const real x = c->x[min(r, c->n - 1)];
	const wide norm = fresh ? norm_share(c->x, first, c->n) : 0;
	bundle own = 0;

	for (int k = begin_of(c); k < end; ) {
		struct head b;

		head_read(&b, c->x, c->n, k);
#pragma unroll
		for (int i = 0; i < HEAD; i++)
			own += a->x[i] * b.x[i];
		k += HEAD * STEP;
		head_read(a, row, end, k);
	}
	team_sums(BUNDLE_SUM(own), norm, l);
	if (fresh)
		*h = reflection_of(alpha, sum_of_teams(l->more_teams));
	if (id % SYTRD_TEAM == 0) {
		const wide v = r == first ? h->scale != 0 :
		    r < c->n ? h->scale * x : 0;
		const wide y = h->scale * (l->teams[team] - h->beta * corner);

		if (r < c->n)
			c->y[r] = y;
		else if (r - c->n < c->count)
			c->s[r - c->n] = y;
		l->dots[team] = v * y;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (id == 0 && block < row_blocks(c))
		c->products[block] = sum_of_teams(l->dots);
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

/* Returns this work-item's element of y for column_next(). */
INLINE real column_y(const struct column *c, int block)
{
	const int id = get_local_id(0), r = c->p + 1 + block * ROWS + id % ROWS;

	return id < ROWS && r < c->n ? c->y[r] : 0;
}

/* Computes w, and column p + 1 of the updated matrix, which it stores in x, for
 * a block of ROWS rows. Work-item (row, slice) sums over every SLICES-th row of
 * P. There must be a barrier before the next call. */
INLINE void column_next(const struct column *c, const struct common *u,
                        const struct near *o, real y, int block,
                        local struct sums *l)
{
	const int id = get_local_id(0), first = c->p + 1, slice = id / ROWS;
	const int r = first + block * ROWS + id % ROWS, here = u->tau != 0;
	const real v = r == first ? here : u->scale * o->x;
	const size_t at = (size_t)c->count * c->ld + r;
	real to_w = 0, to_x = 0, w, next;

#pragma unroll
	for (int i = 0; i < OWN; i++) {
		to_w += o->p[i] * l->by_s[slice + i * SLICES];
		to_x += o->p[i] * l->by_q[slice + i * SLICES];
	}
	l->to_w[id] = to_w;
	l->to_x[id] = to_x;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (slice || r >= c->n)
		return;

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

#endif
