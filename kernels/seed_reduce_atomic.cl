/* seed_reduce_atomic.cl - the chapter's first reduction: a work-item an
 * element, all merging into one word a line.
 *
 *     part[l] = merge(part[l], x[j]), atomically, in any order
 *
 * An argument takes two launches: the greatest key, then the least index that
 * has it. Sums of integers are the device's own atomic; the rest compares and
 * swaps the word's bits. Launch: any number of items; part[] begins neutral
 * (a chunk of nothing). */
#include "seed_reduce.h"

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

typedef volatile global ulong *word;

#define dd_of_bits(b) dd_of_word(as_double(b))
#define ll_of_bits(b) ll_of_word(as_long(b))

static inline ulong read_bits(word w)
{
	return atom_cmpxchg(w, 0UL, 0UL);
}

/* Done when the word would stay as it is, which keys mostly do. */
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
SWAP(ll, ll_mul)
SWAP(ll, ll_max)

static inline void ll_add_into(word w, struct ll more)
{
	atom_add((volatile global long *)w, more.s);
}

/* key = the line's: its index becomes the line's, if lesser. */
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
	struct how how = how_of(op, count);                                   \
                                                                              \
	FOR_ITEMS (i, lines * n) {                                            \
		const long l = i / (n * inner) * inner + i % inner;           \
                                                                              \
		how.scale = SCALE(l);                                         \
		INTO(line + l * WORDS_##KIND,                                 \
		     ELEMENT(WIDE(x[i]), i / inner % n, how));                \
	}                                                                     \
}

#if defined(DTYPE_int32)
#define ww_add_into ll_add_into
#define ww_mul_into ll_mul_into
#else
#define ww_add_into dd_add_into
#define ww_mul_into dd_mul_into
#endif
/* The keys; ties are the second launch's. */
#define ll_arg_into ll_max_into

#define MERGED(name, P, KIND, ELEMENT, MERGE, S, E)                           \
	REDUCTION(name##_atomic, SEED_ARGS(real, CELL_##KIND(P)))           \
	ATOMIC(P, KIND, ELEMENT, MERGE##_into)
SEED_ROWS(MERGED)

REDUCTION(seed_reduce_arg_atomic_index, SEED_ARGS(real, struct ll))
ATOMIC(ll, PAIR, of_arg, least_into)
