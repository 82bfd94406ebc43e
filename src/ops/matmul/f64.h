/* f64.h - float64 products on tensor cores: C = A B or C -= A B, of
 * matrices or of submatrices. */
#ifndef OPS_MATMUL_F64_H
#define OPS_MATMUL_F64_H

#include "device/seq.h"
#include "ops/matmul/product.h"
#include "ops/need.h"

/* A kernel for one size of tile: rows and columns of a tile, k of a slab, items
 * of a work-group, and work-groups that a compute unit holds at once. The rest
 * is its cost model in nanoseconds, fitted to times measured on an H200 (see
 * docs/matmul.md): for a launch, and for every tile that a compute unit gets,
 * tile_ns and k_ns for each of its k. */
struct f64_tile {
	const char *kernel;
	size_t rows, cols, slab, items, groups;
	double launch_ns, tile_ns, k_ns;
};

extern const struct f64_tile f64_tiles[];	/* largest first; ended by 0 */

/* How a product is computed. */
struct f64_plan {
	const struct f64_tile *shape;
	size_t depth, k_splits;		/* k of a split: c holds all products of
					   the first, then of the next one */
	size_t stream_k;		/* tiles whose slabs of k are dealt out
					   evenly to all work-groups (Stream-K,
					   Osama and others, 2023) */
	size_t groups;			/* at most; 0: as many as are resident
					   at once */
};

/* The plan of the least estimated time. */
struct f64_plan f64_plan_of(const struct sheet *d, const struct product *p);

/* Large tiles, no split-K, no Stream-K. */
struct f64_plan f64_plan_large(const struct product *p);

/* Bytes of scratch memory that f64_multiply takes for the partial sums of
 * Stream-K's tiles. */
size_t f64_fix_up_bytes(const struct sheet *d, const struct f64_plan *plan);

/* Element (0, 0) of A, B and C lies at a_at, b_at and c_at of the buffers (of
 * the first product's matrices, if there are several). */
struct f64_product {
	struct product p;
	struct buf a, b, c, places;
	size_t a_at, b_at, c_at;
	size_t c_row;			/* elements from row to row of C */
	bool minus;			/* C -= A B; only if k is not split */
};

void f64_multiply(struct seq *s, const struct f64_plan *plan,
                  const struct f64_product *x);

/* Does a kernel compute what it should, however operands lie? */
bool f64_trusts(struct seq *s, const struct f64_tile *tile);

/* A whole call by f64_plan_of(): the memory it needs, whether its kernel is
 * trusted, the call itself. */
void f64_need(struct need *n, const struct sheet *d, const struct product *p);
bool f64_works(struct seq *s, const struct product *p);
int f64_run(struct seq *s, const struct product *p);

#endif
