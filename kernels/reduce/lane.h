/* lane.h - merges a lane's elements of a block, a batch at a time, for the
 * kernels that reduce contiguous lines. REDUCE_SPACE: the address space of the
 * elements. Included by kernels only. */
#ifndef KERNELS_REDUCE_LANE_H
#define KERNELS_REDUCE_LANE_H

#include "reduce/reduce.h"

#if defined(DTYPE_float64) || defined(DTYPE_int64)
#define BATCH 8
#else
#define BATCH 16
#endif
/* a merged with the `count` elements of v, which are REDUCE_LANES apart from
 * index `at` on. After them v repeats its first element. */
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

/* The order does not change an extreme, and 32 bits are compared faster than
 * 64: a narrow key, as in reduce.h, and the element that has a key. */
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

/* a merged with p[lane] and every REDUCE_LANES-th element after it, of p[0] ...
 * p[len - 1]; p[0] is element `start` of its line. */
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
