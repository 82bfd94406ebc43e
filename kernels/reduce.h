/* reduce.h - the arithmetic of reductions, the same for every kernel.
 *
 * An element x becomes a part (s, e); parts are merged two by two in the
 * canonical order; the last one is stored as the answer.
 *
 *     row      part                      merge
 *     sum      (x, 0)                    s + e carries the rounding errors
 *     norm1    (|x|, 0)                  (Knuth's TwoSum; Ogita, Rump and
 *     norm2    (x x, 0)                  Oishi 2005)
 *     prod     (x, 0)                    the same for products (Ogita, Rump
 *                                        and Oishi 2005; Graillat 2009)
 *     max      (key, 0)                  the greater key
 *     norminf  (key of |x|, 0)
 *     arg      (key, index)              the greater key, then the lesser
 *                                        index
 *
 * A key is an integer that is ordered as the elements are, -0 below +0, NaN
 * above all; flip = -1 turns the order round, for minima. Elements are
 * widened first: float32 to double, where e is not needed (its sums of
 * 2^32 elements lose less than float32 can show), int32 to long, exact.
 * ARITHMETIC(n) makes the same for vectors of n, with suffix n. Included by
 * kernels only. */
#ifndef KERNELS_REDUCE_H
#define KERNELS_REDUCE_H

#include "real.h"
#include "reduce_order.h"

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

/* dd: a part of doubles, ll: of longs, ww: of the widened element. */
#if defined(DTYPE_int32)
#define ww ll
#define ww_word long
#define ww_add ll_add
#define ww_mul ll_mul
#define ww_store ll_store
#define wide long
#define MAGNITUDE(x, N) as_long##N(abs(x))
#define BITS(x, N) (x)
#define IS_NAN(x) ((x) != (x))
#else
#define ww dd
#define ww_word double
#define ww_add dd_add
#define ww_mul dd_mul
#define ww_store dd_store
#define wide double
#define MAGNITUDE(x, N) fabs(x)
/* Two's complement from sign and magnitude. */
#define BITS(x, N) (as_long##N(x) ^ ((as_long##N(x) >> 63) & LONG_MAX))
#define IS_NAN(x) ((x) != (x))
#endif
#define WIDE(x) ((wide)(x))
#define dd_word double
#define ll_word long

/* What a call asks for, beside the row. */
struct how {
	int op;			/* enum reduce_op */
	long count;		/* elements reduced */
	long flip;		/* -1: the least is wanted */
	double scale;		/* a power of two; norm2 of float64 */
};

static inline struct how how_of(int op, long count)
{
	struct how h;

	h.op = op;
	h.count = count;
	h.flip = -(long)(op == REDUCE_MIN || op == REDUCE_ARGMIN);
	h.scale = 1;
	return h;
}

/* float32's doubles have bits to spare; all others keep the errors. */
#if defined(DTYPE_float32)
#define KEEP(e) ((void)(e), 0)
#else
#define KEEP(e) (e)
#endif

#define ARITHMETIC(N)                                                         \
struct dd##N { double##N s, e; };                                             \
struct ll##N { long##N s, e; };                                               \
                                                                              \
static inline struct dd##N dd_add##N(struct dd##N a, struct dd##N b)          \
{                                                                             \
	double##N s = a.s + b.s, d = s - a.s;                                 \
	double##N t = (a.s - (s - d)) + (b.s - d);                            \
	struct dd##N r = { s, KEEP((a.e + b.e) + t) };                        \
	return r;                                                             \
}                                                                             \
                                                                              \
static inline struct dd##N dd_mul##N(struct dd##N a, struct dd##N b)          \
{                                                                             \
	double##N s = a.s * b.s, t = fma(a.s, b.s, -s);                       \
	struct dd##N r = { s, KEEP(fma(a.s, b.e, fma(a.e, b.s, t))) };        \
	return r;                                                             \
}                                                                             \
                                                                              \
/* Wraps at 2^64, as NumPy's. */                                              \
static inline struct ll##N ll_add##N(struct ll##N a, struct ll##N b)          \
{                                                                             \
	struct ll##N r = { a.s + b.s, 0 };                                    \
	return r;                                                             \
}                                                                             \
                                                                              \
static inline struct ll##N ll_mul##N(struct ll##N a, struct ll##N b)          \
{                                                                             \
	struct ll##N r = { as_long##N(as_ulong##N(a.s) * as_ulong##N(b.s)),   \
	                   0 };                                               \
	return r;                                                             \
}                                                                             \
                                                                              \
static inline struct ll##N ll_max##N(struct ll##N a, struct ll##N b)          \
{                                                                             \
	struct ll##N r = { max(a.s, b.s), 0 };                                \
	return r;                                                             \
}                                                                             \
                                                                              \
static inline struct ll##N ll_arg##N(struct ll##N a, struct ll##N b)          \
{                                                                             \
	struct ll##N r = a;                                                   \
	r.s = (b.s > a.s) | ((b.s == a.s) & (b.e < a.e)) ? b.s : a.s;         \
	r.e = (b.s > a.s) | ((b.s == a.s) & (b.e < a.e)) ? b.e : a.e;         \
	return r;                                                             \
}                                                                             \
                                                                              \
static inline long##N key##N(wide##N x, long flip)                            \
{                                                                             \
	return IS_NAN(x) ? (long##N)(LONG_MAX) : BITS(x, N) ^ (long##N)(flip); \
}                                                                             \
                                                                              \
static inline struct ww##N of_sum##N(wide##N x, long##N i, struct how h)      \
{                                                                             \
	struct ww##N r = { x, 0 };                                            \
	return r;                                                             \
}                                                                             \
                                                                              \
static inline struct ww##N of_norm1##N(wide##N x, long##N i, struct how h)    \
{                                                                             \
	struct ww##N r = { MAGNITUDE(x, N), 0 };                              \
	return r;                                                             \
}                                                                             \
                                                                              \
static inline struct dd##N of_norm2##N(wide##N x, long##N i, struct how h)    \
{                                                                             \
	double##N y = convert_double##N(x) * h.scale;                         \
	struct dd##N r = { y * y, 0 };                                        \
	return r;                                                             \
}                                                                             \
                                                                              \
static inline struct ll##N of_max##N(wide##N x, long##N i, struct how h)      \
{                                                                             \
	struct ll##N r = { key##N(x, h.flip), 0 };                            \
	return r;                                                             \
}                                                                             \
                                                                              \
static inline struct ll##N of_norminf##N(wide##N x, long##N i, struct how h)  \
{                                                                             \
	struct ll##N r = { key##N(MAGNITUDE(x, N), 0), 0 };                   \
	return r;                                                             \
}                                                                             \
                                                                              \
/* x + 0 makes one zero of two, so that they tie. */                          \
static inline struct ll##N of_arg##N(wide##N x, long##N i, struct how h)      \
{                                                                             \
	struct ll##N r = { key##N(x + 0, h.flip), i };                        \
	return r;                                                             \
}

ARITHMETIC()

/* A part is an element of the next level. */
#define AS_IS(x) (x)
#define OF_PART(x, i, h) (x)

/* The power of two that brings a column with that largest element near 1;
 * 1 where the first, unscaled norm was right already. */
static inline double scale_of(global const double *norm,
                              global const double *peak, long i)
{
	double m = peak[i];
	long exponent = clamp((as_long(m) >> 52) - 1023, -1000L, 1000L);

	if ((norm[i] >= REDUCE_SAFE && norm[i] < INFINITY) ||
	    m == 0 || !isfinite(m))
		return 1;
	return as_double((1023 - exponent) << 52);
}

#if defined(DTYPE_float64)
#define SCALE(i) (scaled ? scale_of(out, peak, (i)) : 1)
#else
#define SCALE(i) 1
#endif

static inline void store_real(global void *out, long i, double r)
{
	r = r != r ? as_double(0x7ff8000000000000L) : r;
#if defined(DTYPE_float32)
	((global float *)out)[i] = (float)r;
#else
	((global double *)out)[i] = r;
#endif
}

static inline void dd_store(global void *out, long i, struct dd p,
                            struct how h)
{
	double r = isfinite(p.s) ? p.s + p.e : p.s;

	if (h.op == REDUCE_MEAN)
		r /= (double)h.count;
	if (h.op == REDUCE_NORM2)
		r = sqrt(r) / h.scale;
	store_real(out, i, r);
}

static inline void ll_store(global void *out, long i, struct ll p,
                            struct how h)
{
	long s = p.s ^ h.flip;

	if (h.op == REDUCE_ARGMIN || h.op == REDUCE_ARGMAX) {
		((global long *)out)[i] = p.e;
		return;
	}
#if defined(DTYPE_int32)
	if (h.op == REDUCE_MEAN)
		store_real(out, i, (double)s / (double)h.count);
	else if (h.op == REDUCE_NORM1 || h.op == REDUCE_NORMINF)
		store_real(out, i, (double)s);
	else
		((global long *)out)[i] = s;
#else
	store_real(out, i, as_double(s ^ ((s >> 63) & LONG_MAX)));
#endif
}

/* x is outer x n x inner and its middle axis is reduced, by blocks; parts
 * and answers are outer x blocks x inner. A single block's parts are the
 * answers and go to out. one is 1, but the compiler does not know. */
#define REDUCE_ARGS(IN, P)                                                    \
	global const IN *restrict x, global struct P *part,                   \
	global void *restrict out, global const double *restrict peak,        \
	const long outer, const long n, const long inner, const long count,   \
	const int op, const int scaled, const double one

/* At least one, so that nothing has its parts too. */
static inline long blocks_of(long n)
{
	return max(1L, (n + REDUCE_BLOCK - 1) / REDUCE_BLOCK);
}

#define STORE(P, i, p, how)                                                   \
	if (blocks == 1)                                                      \
		P##_store(out, (i), (p), (how));                              \
	else                                                                  \
		part[i] = (p)

#endif
