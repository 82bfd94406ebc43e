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
 *     of int64:
 *     sum      (low, high word of x)     128 bits, so that only the answer
 *     norm1    (low, high word of |x|)   may not fit into int64
 *     of int64 and int32:
 *     prod     (low, high word of x)     128 bits; high word FAR if too large
 *
 *     max      (key, 0)                  the greater key
 *     norminf  (key of |x|, 0)
 *     arg      (key, index)              the greater key, then the lesser
 *                                        index
 *
 * A key is an integer with the order of the elements, -0 below +0 and NaN
 * above all; flip = -1 reverses the order, for minima. Elements are widened
 * first: float32 to double, which makes e unnecessary (sums of 2^32 elements
 * lose less than float32 can show), and int32 to long, in which sums of 2^32
 * elements are exact.
 * ARITHMETIC(n) defines the same for vectors of n, with suffix n. Included by
 * kernels only. */
#ifndef KERNELS_REDUCE_REDUCE_H
#define KERNELS_REDUCE_REDUCE_H

#include "lib/real.h"
#include "shared/reduce_order.h"

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

/* Parts: dd of doubles, ll of longs, ww of the widened element. peak, an
 * argument of all kernels, is the largest modulus of each line, or for integers
 * the index of the first answer that does not fit into int64. */
#if defined(INTEGERS)
#define ww ll
#define ww_word long
#define ww_add ll_add
#define ww_mul ll_mul
#define ww_store ll_store
#define wide long
/* |x| as an unsigned word, in which |-2^63| is 2^63; abs() does not promise
 * that. Limited to a signed word it is 2^63 - 1, the same as a double. */
#define MAGNITUDE(x, N)                                                       \
	as_long##N(as_ulong##N((x) ^ ((x) >> 63)) - as_ulong##N((x) >> 63))
#define CUT_MAGNITUDE(x, N)                                                   \
	as_long##N(min(as_ulong##N(MAGNITUDE(x, N)),                          \
	               (ulong##N)((ulong)LONG_MAX)))
#define HIGH_WORD(x) ((x) >> 63)
#define BITS(x, N) (x)
#define IS_NAN(x) ((x) != (x))
typedef volatile global int *peaks;
#define PEAK_ARG volatile global int *peak
#else
#define ww dd
#define ww_word double
#define ww_add dd_add
#define ww_mul dd_mul
#define ww_store dd_store
#define wide double
#define MAGNITUDE(x, N) fabs(x)
#define CUT_MAGNITUDE(x, N) fabs(x)
#define HIGH_WORD(x) 0
typedef global const double *peaks;
#define PEAK_ARG global const double *restrict peak
/* Two's complement from sign and magnitude. */
#define BITS(x, N) (as_long##N(x) ^ ((as_long##N(x) >> 63) & LONG_MAX))
#define IS_NAN(x) ((x) != (x))
#endif
#define WIDE(x) ((wide)(x))
#define dd_word double
#define ll_word long

/* What a call computes, beside its row of the table. */
struct how {
	int op;			/* enum reduce_op */
	long count;		/* elements reduced */
	long flip;		/* -1: for the least */
	double scale;		/* a power of two; norm2 of float64 */
	peaks peak;
};

static inline struct how how_of(int op, long count, peaks peak)
{
	struct how h;

	h.op = op;
	h.count = count;
	h.flip = -(long)(op == REDUCE_MIN || op == REDUCE_ARGMIN);
	h.scale = 1;
	h.peak = peak;
	return h;
}

/* float32's doubles have bits to spare; all other types keep the errors. */
#if defined(DTYPE_float32)
#define KEEP(e) ((void)(e), 0)
#else
#define KEEP(e) (e)
#endif

#if defined(DTYPE_int64)
/* The high words, and the carry of the low ones, whose sum is s. */
#define HIGH_SUM(a, b, s)                                                     \
	((a).e + (b).e +                                                      \
	 ((((a).s & (b).s) | (((a).s | (b).s) & ~(s))) >> 63 & 1))
#else
#define HIGH_SUM(a, b, s) 0
#endif

/* The high word of a product that does not fit into int64; further products
 * keep it, except with zero. */
#define FAR 1

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
static inline struct ll##N ll_add##N(struct ll##N a, struct ll##N b)          \
{                                                                             \
	const long##N s = as_long##N(as_ulong##N(a.s) + as_ulong##N(b.s));    \
	struct ll##N r = { s, HIGH_SUM(a, b, s) };                            \
	return r;                                                             \
}                                                                             \
                                                                              \
/* Products of 64-bit magnitudes; (0, FAR) marks one that is too large. */    \
static inline struct ll##N ll_mul##N(struct ll##N a, struct ll##N b)          \
{                                                                             \
	const ulong##N none = 0, most = (ulong##N)(1UL << 63);                \
	const long##N zero = 0, far = FAR;                                    \
	const ulong##N as = as_ulong##N(a.s), bs = as_ulong##N(b.s);          \
	const ulong##N x = a.e < 0 ? none - as : as;                          \
	const ulong##N y = b.e < 0 ? none - bs : bs, p = x * y;               \
	const long##N signs = (a.e ^ b.e) >> 63;                              \
	struct ll##N r = { as_long##N(signs < 0 ? none - p : p), signs };     \
                                                                              \
	r.s = ((p > most) | (mul_hi(x, y) != 0)) ? zero : r.s;                \
	r.e = ((p > most) | (mul_hi(x, y) != 0)) ? far : r.e;                 \
	r.s = ((a.e > 0) | (b.e > 0)) ? zero : r.s;                           \
	r.e = ((a.e > 0) | (b.e > 0)) ? far : r.e;                            \
	r.s = (((a.s | a.e) == 0) | ((b.s | b.e) == 0)) ? zero : r.s;         \
	r.e = (((a.s | a.e) == 0) | ((b.s | b.e) == 0)) ? zero : r.e;         \
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
	struct ww##N r = { x, HIGH_WORD(x) };                                 \
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
	struct ll##N r = { key##N(CUT_MAGNITUDE(x, N), 0), 0 };               \
	return r;                                                             \
}                                                                             \
                                                                              \
/* x + 0 turns -0 into +0, so that the two zeros are equal. */                \
static inline struct ll##N of_arg##N(wide##N x, long##N i, struct how h)      \
{                                                                             \
	struct ll##N r = { key##N(x + 0, h.flip), i };                        \
	return r;                                                             \
}

ARITHMETIC()

/* At the levels above, a part is an element. */
#define AS_IS(x) (x)
#define OF_PART(x, i, h) (x)

/* The power of two that brings a column with that largest element near 1; 1
 * where the first, unscaled norm was accurate. */
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

#if defined(DTYPE_int64)
/* A double within two units in the last place of the sum of both words. */
static inline double words_value(struct ll p)
{
	const ulong low = p.e < 0 ? 0 - as_ulong(p.s) : as_ulong(p.s);
	const long high = p.e < 0 ? ~p.e + (low == 0) : p.e;
	const double r = (double)high * 18446744073709551616.0 + (double)low;

	return p.e == p.s >> 63 ? (double)p.s : p.e < 0 ? -r : r;
}
#define WORDS_VALUE(p) words_value(p)
#else
#define WORDS_VALUE(p) ((double)(p).s)
#endif

#if defined(INTEGERS)
/* A sum of int32 is one word, which no sum of 2^32 elements exceeds. */
static inline void store_whole(global long *out, long i, struct ll p,
                               struct how h)
{
#if defined(DTYPE_int64)
	const int words = h.op == REDUCE_SUM || h.op == REDUCE_PROD;
#else
	const int words = h.op == REDUCE_PROD;
#endif

	if (words && p.e != p.s >> 63)
		atomic_min(h.peak, (int)min(i, (long)INT_MAX - 1));
	out[i] = p.s ^ h.flip;
}
#endif

static inline void ll_store(global void *out, long i, struct ll p,
                            struct how h)
{
	long s = p.s ^ h.flip;

	if (h.op == REDUCE_ARGMIN || h.op == REDUCE_ARGMAX) {
		((global long *)out)[i] = p.e;
		return;
	}
#if defined(INTEGERS)
	if (h.op == REDUCE_MEAN)
		store_real(out, i, WORDS_VALUE(p) / (double)h.count);
	else if (h.op == REDUCE_NORM1)
		store_real(out, i, WORDS_VALUE(p));
	else if (h.op == REDUCE_NORMINF)
		store_real(out, i, (double)s);
	else
		store_whole(out, i, p, h);
#else
	store_real(out, i, as_double(s ^ ((s >> 63) & LONG_MAX)));
#endif
}

/* x is outer x n x inner and its middle axis is reduced, by blocks; parts and
 * answers are outer x blocks x inner. The parts of a single block are the
 * answers and go to out. one is 1, which the compiler must not know. */
#define REDUCE_ARGS(IN, P)                                                    \
	global const IN *restrict x, global struct P *part,                   \
	global void *restrict out, PEAK_ARG,                                  \
	const long outer, const long n, const long inner, const long count,   \
	const int op, const int scaled, const double one,                     \
	const int first_group, const int groups

/* At least one block, so that a line without elements has a part as well. */
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
