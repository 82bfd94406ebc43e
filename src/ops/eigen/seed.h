/* seed.h - the kernels of "Optimizing Parallel Similarity Transformation"
 * (2021), each by itself: what operation eigen's variants seed-v0, seed-v1
 * and seed-v2 are made of, and the benchmark measures.
 *
 * Each enqueues one kernel of the sequence's element type (with its start
 * values, where it has some), for any n > 0. `version` is the article's;
 * beyond the last that a kernel has, the last is meant. Buffers are the
 * caller's: a is n x n row-major; sums, v and x have n elements, max one,
 * stop is an int32_t.
 */
#ifndef OPS_EIGEN_SEED_H
#define OPS_EIGEN_SEED_H

#include "device/seq.h"

/* How many versions the article has of each. */
enum {
	SEED_ROW_SUMS = 3,	/* an atomic an item, sub-group, work-group */
	SEED_MAX = 3,		/* likewise */
	SEED_UPDATE = 2,	/* all read the maximum; it is broadcast */
	SEED_NEXT = 1,
	SEED_STOP = 2		/* two reads an item; one, and a shuffle */
};

/* sums_i = sum of a_ij over j */
void seed_row_sums(struct seq *s, int version, struct buf a, struct buf sums,
                   size_t n);

/* max = the largest of x; a NaN may be passed over */
void seed_max(struct seq *s, int version, struct buf x, struct buf max,
              size_t n);

/* v_i *= sums_i / max */
void seed_update(struct seq *s, int version, struct buf v, struct buf sums,
                 struct buf max, size_t n);

/* a_ij *= sums_j / sums_i: D^-1 A D with D = diag(sums) */
void seed_next(struct seq *s, struct buf a, struct buf sums, size_t n);

/* stop = 1 if |sums_i - sums_(i+1 mod n)| <= tol max for all i, else 0.
 * Neighbours alone: far-apart elements may still differ by n / 2 times as
 * much, so that another test must follow. */
void seed_stop(struct seq *s, int version, struct buf sums, struct buf max,
               double tol, struct buf stop, size_t n);

/* to = 2^exponent times the n elements of `from` from `at` on */
void seed_scale(struct seq *s, struct buf from, size_t at, struct buf to,
                int exponent, size_t n);

#endif
