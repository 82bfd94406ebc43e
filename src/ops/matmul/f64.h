/* f64.h - float64 products on tensor cores: C = A B or C -= A B, of
 * matrices or of parts of them. */
#ifndef OPS_MATMUL_F64_H
#define OPS_MATMUL_F64_H

#include "device/seq.h"
#include "ops/matmul/product.h"
#include "ops/need.h"

/* Rows and columns of a tile, k of a slab, items of a work-group, of which a
 * compute unit holds so many. On an H200 a launch takes `launch` and, for every
 * tile that falls to a unit, `tile` and `each` for each of its k; ns. */
struct f64_way {
	const char *kernel;
	size_t rows, cols, slab, items, groups;
	double launch, tile, each;
};

extern const struct f64_way f64_ways[];	/* the largest tile first; ended by 0 */

/* How a product is done. */
struct f64_plan {
	const struct f64_way *way;
	size_t depth, parts;		/* k of a part: c has as many products
					   for each of the parts */
	size_t shared;			/* tiles that work-groups share, so that
					   all have as much to do */
	size_t groups;			/* at most; 0: as many as there is room
					   for */
};

/* What is done first. */
struct f64_plan f64_plan_of(const struct sheet *d, const struct product *p);

/* Large tiles, k in one part, nothing shared. */
struct f64_plan f64_plan_large(const struct product *p);

/* Bytes of scratch memory that f64_multiply takes for what is shared. */
size_t f64_rest(const struct sheet *d, const struct f64_plan *plan);

/* Element (0, 0) of A, B and C lies at a_at, b_at and c_at of the buffers (of
 * the first product's matrices, if there are several). */
struct f64_product {
	struct product p;
	struct buf a, b, c, places;
	size_t a_at, b_at, c_at;
	size_t c_row;			/* elements from row to row of C */
	bool minus;			/* C -= A B; with one part only */
};

void f64_multiply(struct seq *s, const struct f64_plan *plan,
                  const struct f64_product *x);

/* Does a kernel compute what it should, however operands lie? */
bool f64_trusts(struct seq *s, const struct f64_way *way);

/* A whole call, by the plan that is done first: what it needs, whether its
 * kernel is trusted, the call itself. */
void f64_need(struct need *n, const struct sheet *d, const struct product *p);
bool f64_works(struct seq *s, const struct product *p);
int f64_run(struct seq *s, const struct product *p);

#endif
