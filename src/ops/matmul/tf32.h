/* tf32.h - float32 products on tensor cores, of operands that another launch
 * has packed: C = A B or C -= A B, of matrices or of submatrices. */
#ifndef OPS_MATMUL_TF32_H
#define OPS_MATMUL_TF32_H

#include "device/seq.h"
#include "ops/matmul/product.h"
#include "ops/need.h"

/* How an element becomes TF32 numbers: one, or the sum of two (hi and lo), of
 * which three products are made (Ootomo and Yokota, 2022). */
struct tf32_scheme {
	const char *kernel, *pack;
	size_t cols;			/* of a tile */
	size_t terms;			/* TF32 numbers for an element of B */
};

extern const struct tf32_scheme tf32_schemes[MATMUL_TF32 + 1];

/* Element (0, 0) of A, B and C lies at a_at, b_at and c_at of the buffers (of
 * the first product's matrices, if there are several). */
struct tf32_product {
	struct product p;
	struct buf a, b, c, places;
	size_t a_at, b_at, c_at;
	size_t c_row;			/* elements from row to row of C */
	size_t depth;			/* k of a split: c holds all products of
					   the first, then of the next one */
	bool minus;			/* C -= A B; only if k is not split */
	size_t groups;			/* work-groups at most; 0: as many as
					 * run at once */
};

/* Buffers for packed operands; any product that is no larger may reuse them. */
struct tf32_room {
	struct buf a, b;
};

/* Is k so small that one tile's packed operands fit a buffer? */
bool tf32_suits(const struct sheet *d, const struct tf32_scheme *w,
                const struct product *p);

/* What tf32_room_of makes. */
void tf32_need(struct need *n, const struct sheet *d,
               const struct tf32_scheme *w, const struct product *p);
struct tf32_room tf32_room_of(struct seq *s, const struct tf32_scheme *w,
                              const struct product *p);

void tf32_multiply(struct seq *s, const struct tf32_scheme *w,
                   const struct tf32_product *x, struct tf32_room room);

#endif
