/* lane.h - a lane's elements of a block, a batch at a time, for the
 * kernels that reduce what lies in one piece. REDUCE_SPACE: where the elements
 * are. Included by kernels only. */
#ifndef KERNELS_REDUCE_LANE_H
#define KERNELS_REDUCE_LANE_H

#include "reduce/reduce.h"

#if defined(DTYPE_float64) || defined(DTYPE_int64)
#define BATCH 8
#else
#define BATCH 16
#endif
/* a, and the `count` elements of v, REDUCE_LANES apart from `at` on. Behind
 * them v repeats the first. */
#define TAKE(name, P, MERGE, ELEMENT)                                         \
static inline struct P take_##name(struct P a, const real *v, long at,        \
                                   int count, struct how how)                 \
{                                                                             \
	for (int u = 0; u < BATCH; u++)                                       \
		if (u < count)                                                \
			a = MERGE(a, ELEMENT(WIDE(v[u]),                      \
			                     at + u * REDUCE_LANES, how));    \
	return a;                                                             \
}

TAKE(sum, ww, ww_add, of_sum)
TAKE(norm1, ww, ww_add, of_norm1)
TAKE(norm2, dd, dd_add, of_norm2)
TAKE(prod, ww, ww_mul, of_sum)

#if defined(DTYPE_float32)

/* Extremes have no order, and 32 bits are compared faster than 64: keys as in
 * reduce.h, and the element of a key. */
static inline int narrow_key(float x, int flip)
{
	const int bits = as_int(x);

	return x != x ? INT_MAX : bits ^ ((bits >> 31) & INT_MAX) ^ flip;
}

static inline float of_narrow(int key, int flip)
{
	const int bits = key ^ flip;

	return as_float(bits ^ ((bits >> 31) & INT_MAX));
}

static inline struct ll take_max(struct ll a, const real *v, long at,
                                 int count, struct how how)
{
	const int flip = (int)how.flip;
	int best = narrow_key(v[0], flip);

	for (int u = 1; u < BATCH; u++)
		best = max(best, narrow_key(v[u], flip));
	return ll_max(a, of_max(of_narrow(best, flip), at, how));
}

static inline struct ll take_norminf(struct ll a, const real *v, long at,
                                     int count, struct how how)
{
	int best = narrow_key(fabs(v[0]), 0);

	for (int u = 1; u < BATCH; u++)
		best = max(best, narrow_key(fabs(v[u]), 0));
	return ll_max(a, of_norminf(of_narrow(best, 0), at, how));
}

static inline struct ll take_arg(struct ll a, const real *v, long at,
                                 int count, struct how how)
{
	const int flip = (int)how.flip;
	int best = narrow_key(v[0] + 0, flip), where = 0;

	for (int u = 1; u < BATCH; u++) {
		const int k = narrow_key(v[u] + 0, flip);

		where = k > best ? u : where;
		best = max(best, k);
	}
	return ll_arg(a, of_arg(of_narrow(best, flip),
	                        at + where * REDUCE_LANES, how));
}

#else

TAKE(max, ll, ll_max, of_max)
TAKE(norminf, ll, ll_max, of_norminf)
TAKE(arg, ll, ll_arg, of_arg)

#endif

/* a, and every REDUCE_LANES-th of the elements p[0] ... p[len - 1] of the line
 * from p[lane] on; p[0] is its element `start`. */
#define LANE(name, P)                                                         \
static inline struct P lane_##name(struct P a,                                \
                                   REDUCE_SPACE const real *restrict p,       \
                                   int len, int lane, long start,             \
                                   struct how how)                            \
{                                                                             \
	real v[BATCH];                                                        \
	int j = lane;                                                         \
                                                                              \
	for (; j + (BATCH - 1) * REDUCE_LANES < len;                          \
	     j += BATCH * REDUCE_LANES) {                                     \
		for (int u = 0; u < BATCH; u++)                               \
			v[u] = p[j + u * REDUCE_LANES];                       \
		a = take_##name(a, v, start + j, BATCH, how);                 \
	}                                                                     \
	if (j < len) {                                                        \
		const int count = (len - j + REDUCE_LANES - 1) / REDUCE_LANES; \
                                                                              \
		for (int u = 0; u < BATCH; u++)                               \
			v[u] = p[j + (u < count ? u * REDUCE_LANES : 0)];     \
		a = take_##name(a, v, start + j, count, how);                 \
	}                                                                     \
	return a;                                                             \
}

LANE(sum, ww)
LANE(norm1, ww)
LANE(norm2, dd)
LANE(prod, ww)
LANE(max, ll)
LANE(norminf, ll)
LANE(arg, ll)

#endif
