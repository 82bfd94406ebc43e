/* tf32.h - float32 products on tensor cores that take packed operands:
 * C = A B or C -= A B, of matrices or of parts of them. */
#ifndef OPS_MATMUL_TF32_H
#define OPS_MATMUL_TF32_H

#include "device/seq.h"
#include "ops/matmul/product.h"
#include "ops/need.h"

struct tf32_way {
	const char *kernel, *pack;
	size_t cols;			/* of a tile */
	size_t parts;			/* TF32 numbers for an element of B */
};

extern const struct tf32_way tf32_ways[MATMUL_TF32 + 1];

/* Element (0, 0) of A, B and C lies at a_at, b_at and c_at of the buffers (of
 * the first product's matrices, if there are several). */
struct tf32_product {
	struct product p;
	struct buf a, b, c, places;
	size_t a_at, b_at, c_at;
	size_t c_row;			/* elements from row to row of C */
	size_t depth;			/* k of a part: c has as many products
					   for each part of k */
	bool minus;			/* C -= A B; with one part only */
	size_t groups;			/* work-groups at most; 0: as many as
					 * run at once */
};

/* Where operands are packed; of use to products that are no larger. */
struct tf32_room {
	struct buf a, b;
};

/* Not so deep that a tile's operands had no room. */
bool tf32_suits(const struct sheet *d, const struct tf32_way *w,
                const struct product *p);

/* What tf32_room_of makes. */
void tf32_need(struct need *n, const struct sheet *d, const struct tf32_way *w,
               const struct product *p);
struct tf32_room tf32_room_of(struct seq *s, const struct tf32_way *w,
                              const struct product *p);

void tf32_multiply(struct seq *s, const struct tf32_way *w,
                   const struct tf32_product *x, struct tf32_room room);

#endif
