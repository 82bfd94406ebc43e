/* seed.h - the kernels of "Optimizing Parallel Similarity Transformation"
 * (2021), each by itself. Operation eigen's variants seed-v0, seed-v1 and
 * seed-v2 are made of them, and the benchmark measures them.
 *
 * Each function enqueues one kernel of the sequence's element type, with its
 * start values where it has some, for any n > 0. `version` is the article's; a
 * number beyond a kernel's last version means the last. Buffers are the
 * caller's: a is n x n row-major; sums, v and x have n elements, max one; stop
 * is an int32_t. */
#ifndef OPS_EIGEN_SEED_H
#define OPS_EIGEN_SEED_H

#include "device/seq.h"

/* The number of versions of each kernel in the article. */
enum {
	SEED_ROW_SUMS = 3,	/* an atomic per item, sub-group, work-group */
	SEED_MAX = 3,		/* likewise */
	SEED_UPDATE = 2,	/* all items read the maximum; one does */
	SEED_NEXT = 1,
	SEED_STOP = 2		/* an item reads two sums; one, by a shuffle */
};

/* sums_i = sum of a_ij over j */
void seed_row_sums(struct seq *s, int version, struct buf a, struct buf sums,
                   size_t n);

/* max = the largest of x; a NaN may be ignored */
void seed_max(struct seq *s, int version, struct buf x, struct buf max,
              size_t n);

/* v_i *= sums_i / max */
void seed_update(struct seq *s, int version, struct buf v, struct buf sums,
                 struct buf max, size_t n);

/* a_ij *= sums_j / sums_i: D^-1 A D with D = diag(sums) */
void seed_next(struct seq *s, struct buf a, struct buf sums, size_t n);

/* stop = 1 if |sums_i - sums_(i+1 mod n)| <= tol max for all i, else 0. This
 * compares neighbours alone: far-apart elements may still differ by n / 2 times
 * as much, so the caller needs a second test. */
void seed_stop(struct seq *s, int version, struct buf sums, struct buf max,
               double tol, struct buf stop, size_t n);

/* Sets `to` to 2^exponent times the n elements of `from` from index `at` on. */
void seed_scale(struct seq *s, struct buf from, size_t at, struct buf to,
                int exponent, size_t n);

#endif
