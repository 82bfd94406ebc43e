/* reduce.cl - reductions on CPUs of contiguous elements: of all of them, or
 * along the last axis. The 32 lanes of the order are two vectors.
 *
 *     part = tree over lanes l of merge(x[l], x[l + 32], x[l + 64], ...)
 *
 * x is outer x n and n is cut into blocks; see reduce/item.h. */
#include "reduce/item.h"

/* x one + y equals x + y with the same rounding, but uses the units that
 * multiply: with both kinds of units equally loaded a TwoSum takes half the
 * time. */
#define PLUS(x, y) fma(x, one, y)

/* a.s + x, and its error in two parts. */
#define TWO_SUM(a, x)                                                         \
	const double16 s = a.s + x, d = s - a.s;                              \
	const double16 t = PLUS(a.s, -(s - d)), u = PLUS(x, -d)

static struct dd16 take_real(struct dd16 a, double16 x, double one)
{
	TWO_SUM(a, x);
	struct dd16 r = { s, a.e };

	r.e.lo = PLUS(t.lo + u.lo, r.e.lo);
	r.e.hi = PLUS(PLUS(t.hi, u.hi), r.e.hi);
	return r;
}

static struct dd16 take_square(struct dd16 a, double16 y, double one)
{
#if defined(DTYPE_float32)
	struct dd16 r = { fma(y, y, a.s), 0 };	/* the square is exact */
#else
	const double16 x = y * y;
	TWO_SUM(a, x);
	const double16 error = t + u;
	struct dd16 r = { s, a.e };

	r.e.lo = PLUS(error.lo, r.e.lo);
	r.e.hi += error.hi;
#endif
	return r;
}

static long16 indices_from(long i)
{
	return i + (long16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
	                    15);
}

/* Merges the lanes' next elements x, of which the first is element i of the
 * line. */
#if defined(DTYPE_float64)
#define TAKE_SUM(a, x, i) take_real((a), (x), one)
#define TAKE_NORM1(a, x, i) take_real((a), fabs(x), one)
#else
#define TAKE_SUM(a, x, i) ww_add16((a), of_sum16((x), 0, how))
#define TAKE_NORM1(a, x, i) ww_add16((a), of_norm116((x), 0, how))
#endif
#define TAKE_NORM2(a, x, i)                                                   \
	take_square((a), convert_double16(x) * how.scale, one)
#define TAKE_PROD(a, x, i) ww_mul16((a), of_sum16((x), 0, how))
#define TAKE_MAX(a, x, i) ll_max16((a), of_max16((x), 0, how))
#define TAKE_NORMINF(a, x, i) ll_max16((a), of_norminf16((x), 0, how))
#define TAKE_ARG(a, x, i) ll_arg16((a), of_arg16((x), indices_from(i), how))

/* Merges the upper half of the lanes into the lower half. */
#define HALVE(P, MERGE, N, from, to)                                          \
	struct P##N to##_low = { from.s.lo, from.e.lo };                      \
	struct P##N to##_high = { from.s.hi, from.e.hi };                     \
	struct P##N to = MERGE##N(to##_low, to##_high)

/* Stores the part of task t; an item counts its parts of a line together. */
#define TAKE_PART(P, MERGE, S, E, all)                                        \
	STORE(P, t, all, how);                                                \
	made++;                                                               \
	if (blocks == 1) {                                                    \
		made = 0;                                                     \
	} else if (t + 1 == last || (t + 1) % blocks == 0) {                  \
		const long line = t / blocks;                                 \
                                                                              \
		if (is_last(done + line, made, blocks))                        \
			FINISH(P, MERGE, S, E, part + line * blocks, 1, line); \
		made = 0;                                                     \
	}

/* For inner = 1: lanes 0 to 15 are in a, 16 to 31 in b. */
#define CONTIGUOUS(P, STEP, ELEMENT, MERGE, S, E)                             \
{                                                                             \
	const long blocks = blocks_of(n);                                     \
	struct how how = how_of(op, count, peak);                             \
	int made = 0;                                                         \
                                                                              \
	FOR_MY (t, outer * blocks) {                                          \
		const long start = t % blocks * REDUCE_BLOCK;                 \
		const int len = (int)min((long)REDUCE_BLOCK, n - start);      \
		global const real *p = x + t / blocks * n + start;            \
		struct P##16 a = { S, E }, b = { S, E };                      \
		int j = 0;                                                    \
                                                                              \
		how.scale = SCALE(t / blocks);                                \
		for (; j + REDUCE_LANES <= len; j += REDUCE_LANES) {          \
			a = STEP(a, WIDE16(vload16(0, p + j)), start + j);    \
			b = STEP(b, WIDE16(vload16(1, p + j)),                \
			         start + j + 16);                             \
		}                                                             \
		if (j < len) {                                                \
			P##_word s[REDUCE_LANES], e[REDUCE_LANES];            \
                                                                              \
			vstore16(a.s, 0, s);                                  \
			vstore16(b.s, 1, s);                                  \
			vstore16(a.e, 0, e);                                  \
			vstore16(b.e, 1, e);                                  \
			for (int l = 0; j + l < len; l++) {                   \
				struct P x1 = ELEMENT(WIDE(p[j + l]),         \
				                      start + j + l, how);    \
				MERGE_AT(P, MERGE, l, x1.s, x1.e);            \
			}                                                     \
			a.s = vload16(0, s);                                  \
			b.s = vload16(1, s);                                  \
			a.e = vload16(0, e);                                  \
			b.e = vload16(1, e);                                  \
		}                                                             \
		a = MERGE##16(a, b);                                          \
		HALVE(P, MERGE, 8, a, a8);                                    \
		HALVE(P, MERGE, 4, a8, a4);                                   \
		HALVE(P, MERGE, 2, a4, a2);                                   \
		HALVE(P, MERGE, , a2, all);                                   \
		TAKE_PART(P, MERGE, S, E, all);                               \
	}                                                                     \
}

#define ROW(name, P, STEP, ELEMENT, MERGE, S, E)                              \
	REDUCTION(name, P)                                                    \
	CONTIGUOUS(P, STEP, ELEMENT, MERGE, S, E)

ROW(reduce_sum, ww, TAKE_SUM, of_sum, ww_add, 0, 0)
ROW(reduce_norm1, ww, TAKE_NORM1, of_norm1, ww_add, 0, 0)
ROW(reduce_norm2, dd, TAKE_NORM2, of_norm2, dd_add, 0, 0)
ROW(reduce_prod, ww, TAKE_PROD, of_sum, ww_mul, 1, 0)
ROW(reduce_arg, ll, TAKE_ARG, of_arg, ll_arg, LONG_MIN, LONG_MAX)

#if defined(INTEGERS)
ROW(reduce_max, ll, TAKE_MAX, of_max, ll_max, LONG_MIN, 0)
ROW(reduce_norminf, ll, TAKE_NORMINF, of_norminf, ll_max, 0, 0)
#else
/* The element that decides an extreme has the greatest or the least bits: as
 * integers, bits are ordered as the elements are where the sign is +, and in
 * reverse where it is -. */
#if defined(DTYPE_float64)
typedef long word;
typedef ulong uword;
typedef ulong8 uintv;
#define AS_UINTV(v) as_ulong8(v)
#define AS_REAL(w) as_double(w)
#define WORD_MAX LONG_MAX
#define WORD_INFINITY 0x7ff0000000000000L
#else
typedef int word;
typedef uint uword;
typedef uint16 uintv;
#define AS_UINTV(v) as_uint16(v)
#define AS_REAL(w) as_float(w)
#define WORD_MAX INT_MAX
#define WORD_INFINITY 0x7f800000
#endif
#define WORD_MIN (-WORD_MAX - 1)

/* Of the bits of n elements: the greatest and the least with the sign, and the
 * greatest without it. */
struct bits {
	word high, low;
	uword top;
};

static struct bits bits_of(global const word *p, long n)
{
	struct bits g = { WORD_MIN, WORD_MAX, 0 };
	intv h0 = WORD_MIN, h1 = WORD_MIN, l0 = WORD_MAX, l1 = WORD_MAX;
	uintv t0 = 0, t1 = 0;
	word high[VW], low[VW];
	uword top[VW];
	long j = 0;

	for (; j + 2 * VW <= n; j += 2 * VW) {
		intv u = VLOAD(p + j), v = VLOAD(p + j + VW);

		h0 = max(h0, u);
		h1 = max(h1, v);
		l0 = min(l0, u);
		l1 = min(l1, v);
		t0 = max(t0, AS_UINTV(u));
		t1 = max(t1, AS_UINTV(v));
	}
	VSTORE(max(h0, h1), high);
	VSTORE(min(l0, l1), low);
	VSTORE(max(t0, t1), top);
	for (int i = 0; i < VW; i++) {
		g.high = max(g.high, high[i]);
		g.low = min(g.low, low[i]);
		g.top = max(g.top, top[i]);
	}
	for (; j < n; j++) {
		g.high = max(g.high, p[j]);
		g.low = min(g.low, p[j]);
		g.top = max(g.top, (uword)p[j]);
	}
	return g;
}

/* A NaN, if there is one; else the greatest or the least of n elements, or the
 * one farthest from 0. */
static real extreme_of(global const real *x, long n, int op)
{
	const struct bits g = bits_of((global const word *)x, n);

	if (g.high > WORD_INFINITY ||
	    g.top > (uword)WORD_MIN + WORD_INFINITY)
		return NAN;
	if (op == REDUCE_NORMINF)
		return AS_REAL(max(g.high, (word)(g.top & WORD_MAX)));
	if (op == REDUCE_MAX)
		return AS_REAL(g.high >= 0 ? g.high : g.low);
	return AS_REAL(g.low < 0 ? (word)g.top : g.low);
}

/* The order does not change an extreme, so an item reads all its blocks of a
 * line as one, and stores the result as the part of each. */
#define EXTREME(ELEMENT)                                                      \
{                                                                             \
	const long blocks = blocks_of(n);                                     \
	const struct how how = how_of(op, count, peak);                       \
	struct ll all = { LONG_MIN, 0 };                                      \
	int made = 0;                                                         \
                                                                              \
	FOR_MY (t, outer * blocks) {                                          \
		if (made == 0) {                                              \
			const long line = t / blocks, block = t % blocks;     \
			const long start = block * REDUCE_BLOCK;              \
			const long run = min(last - t, blocks - block);       \
			const long len = min(run * REDUCE_BLOCK, n - start);  \
			const real r = extreme_of(x + line * n + start, len,  \
			                          op);                        \
                                                                              \
			all = ELEMENT(WIDE(r), 0, how);                       \
		}                                                             \
		TAKE_PART(ll, ll_max, LONG_MIN, 0, all);                      \
	}                                                                     \
}

REDUCTION(reduce_max, ll)
EXTREME(of_max)
REDUCTION(reduce_norminf, ll)
EXTREME(of_norminf)
#endif
