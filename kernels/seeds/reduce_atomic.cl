/* reduce_atomic.cl - the chapter's first reduction: a work-item per element,
 * all merging into one word per line.
 *
 *     part[l] = merge(part[l], x[j]), atomically, in any order
 *
 * argmin and argmax take two launches: the first finds the greatest key, the
 * second the least index that has it. Sums of integers use the device's own
 * atomics, for int64 one per word. Products of integers are kept as a
 * magnitude, limited to MOST, and the number of negative factors, which a
 * second launch joins. Everything else compares and swaps the word's bits.
 * Launch: any number of items; part[] must be neutral at first (the kernel
 * `chunk` of no elements). */
#include "seeds/reduce.h"

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

typedef volatile global ulong *word;

#define dd_of_bits(b) dd_of_word(as_double(b))
#define ll_of_bits(b) ll_of_word(as_long(b))

static inline ulong read_bits(word w)
{
	return atom_cmpxchg(w, 0UL, 0UL);
}

/* Ends as soon as the word would not change, which keys mostly would not. */
#define SWAP(P, MERGE)                                                        \
static inline void MERGE##_into(word w, struct P more)                        \
{                                                                             \
	ulong seen, now = read_bits(w);                                       \
	do {                                                                  \
		const ulong next = as_ulong(MERGE(P##_of_bits(now),           \
		                                  more).s);                   \
		seen = now;                                                   \
		if (next == seen)                                             \
			return;                                               \
		now = atom_cmpxchg(w, seen, next);                            \
	} while (now != seen);                                                \
}

SWAP(dd, dd_add)
SWAP(dd, dd_mul)
SWAP(ll, ll_max)

#if defined(DTYPE_int64)
static inline void ll_add_into(word w, struct ll more)
{
	const ulong low = as_ulong(more.s), before = atom_add(w, low);

	atom_add(w + 1, as_ulong(more.e) + (before + low < before));
}
#else
static inline void ll_add_into(word w, struct ll more)
{
	atom_add((volatile global long *)w, more.s);
}
#endif

/* A magnitude beyond 2^63; further products keep it, except with zero. */
#define MOST ULONG_MAX

static inline ulong product_to_most(ulong x, ulong y)
{
	if (x == 0 || y == 0)
		return 0;
	if (x == MOST || y == MOST || mul_hi(x, y) != 0 || x * y > 1UL << 63)
		return MOST;
	return x * y;
}

static inline void ll_mul_into(word w, struct ll more)
{
	const ulong x = more.e < 0 ? 0 - as_ulong(more.s) : as_ulong(more.s);
	ulong seen, now = read_bits(w);

	if (more.e < 0)
		atom_inc(w + 1);
	do {
		seen = now;
		now = atom_cmpxchg(w, seen, product_to_most(seen, x));
	} while (now != seen);
}

/* If the key equals the line's, the line's index becomes the lesser of both. */
static inline void least_into(word line, struct ll more)
{
	word w = line + 1;
	ulong seen, now;

	if (as_long(*line) != more.s)
		return;
	now = read_bits(w);
	do {
		seen = now;
		if (as_long(seen) <= more.e)
			return;
		now = atom_cmpxchg(w, seen, as_ulong(more.e));
	} while (now != seen);
}

#define WORDS_WORD 1
#define WORDS_PAIR 2

#define ATOMIC(P, KIND, ELEMENT, INTO)                                        \
{                                                                             \
	word line = (word)part;                                               \
	struct how how = how_of(op, count, peak);                             \
                                                                              \
	FOR_ITEMS (i, lines * n) {                                            \
		const long l = i / (n * inner) * inner + i % inner;           \
                                                                              \
		how.scale = SCALE(l);                                         \
		INTO(line + l * WORDS_##KIND,                                 \
		     ELEMENT(WIDE(x[i]), i / inner % n, how));                \
	}                                                                     \
}

#if defined(INTEGERS)
#define ww_add_into ll_add_into
#define ww_mul_into ll_mul_into
#else
#define ww_add_into dd_add_into
#define ww_mul_into dd_mul_into
#endif
/* The first launch finds the keys; the second settles ties. */
#define ll_arg_into ll_max_into

#define MERGED(name, P, KIND, ELEMENT, MERGE, S, E)                           \
	REDUCTION(name##_atomic, SEED_ARGS(real, CELL_##KIND(P)))           \
	ATOMIC(P, KIND, ELEMENT, MERGE##_into)
SEED_ROWS(MERGED)

REDUCTION(seed_reduce_arg_atomic_index, SEED_ARGS(real, struct ll))
ATOMIC(ll, PAIR, of_arg, least_into)

#if defined(INTEGERS)
/* Joins magnitudes and numbers of negative factors to the parts of products. */
REDUCTION(seed_reduce_prod_atomic_sign, SEED_ARGS(real, struct ll))
{
	word line = (word)part;

	FOR_ITEMS (l, lines) {
		const ulong most = line[2 * l];
		const long negative = most != 0 && (line[2 * l + 1] & 1);

		part[l].s = as_long(most == MOST ? 0 :
		                    negative ? 0 - most : most);
		part[l].e = most == MOST ? FAR : -negative;
	}
}
#endif
