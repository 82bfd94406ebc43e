/* residues.c - plans and launches float64 products C = A B by residues on int8
 * tensor cores. */
#include <math.h>

#include "base/size.h"
#include "ops/matmul/costs.h"
#include "ops/matmul/launch.h"
#include "ops/matmul/probe.h"
#include "ops/matmul/residues.h"
#include "ops/matmul/share.h"

enum {
	/* The certificate's product takes one slab of k out of so many. */
	EVERY = 4,
	/* The time of a tile in float64 divided by that of a tile modulo one
	 * modulus, as measured on an H200. */
	FASTER = 27
};

struct residues_layout residues_layout_of(const struct product *p)
{
	struct residues_layout f = {
		.down = size_blocks(p->m, TENSOR_ROWS),
		.across = size_blocks(p->n, RESIDUES_COLS),
		.slabs = size_blocks(p->k, RESIDUES_SLAB),
		.chunk = tensor_chunk(p->k, RESIDUES_DEPTH)
	};

	f.tiles = f.down * f.across;
	f.lines = f.down * TENSOR_ROWS + f.across * RESIDUES_COLS;
	f.bounds = size_blocks(f.slabs, EVERY);
	f.every = f.slabs / f.bounds;
	f.chunks = size_blocks(p->k, f.chunk);
	f.words = RESIDUES_NUMBERS + 1 + 1 + 2 * f.tiles;
	f.known = (f.chunks + 2) * f.lines * RESIDUES_LINE_BYTES;
	f.room = f.known + f.words * sizeof(uint32_t);
	return f;
}

double residues_bound(size_t k)
{
	return 6 * sqrt((double)k);
}

void residues_scratch(const struct gemm_plan *g, const struct product *p,
                      struct gemm_scratch *x)
{
	const struct residues_layout f = residues_layout_of(p);
	const size_t depth = f.slabs * RESIDUES_SLAB;

	(void)g;
	x->packed_a = RESIDUES_MOST * f.down * TENSOR_ROWS * depth;
	x->packed_b = RESIDUES_MOST * f.across * RESIDUES_COLS * depth;
	x->lines = f.room;
	x->residues = RESIDUES_MOST * f.tiles * TENSOR_ROWS * RESIDUES_COLS;
}

/* What the launches of a product have in common. */
struct work {
	struct seq *s;
	const struct gemm_plan *g;
	const struct tensor_product *x;
	const struct tensor_room *room;
	struct residues_layout f;
	struct buf table;
};

/* The arguments by which a kernel finds the elements of A and B. */
#define ARGS_LINES(x)                                                         \
	ARG_INT((x)->p.m), ARG_INT((x)->p.n), ARG_INT((x)->p.k),              \
	ARG_LONG((x)->a_at), ARG_LONG((x)->b_at), ARG_LONG((x)->p.a_row),     \
	ARG_LONG((x)->p.a_col), ARG_LONG((x)->p.b_row),                       \
	ARG_LONG((x)->p.b_col)

static size_t pack_items(const struct work *w)
{
	return w->f.lines / RESIDUES_LINES * RESIDUES_PACK_ITEMS;
}

/* Computes the norms of the lines. */
static void measure(const struct work *w)
{
	const struct tensor_product *x = w->x;
	const struct residues_layout *f = &w->f;

	seq_launch(w->s, "matmul_residues_lines",
	           GRID2(pack_items(w), f->chunks, RESIDUES_PACK_ITEMS, 1),
	           ARG_BUF(x->a), ARG_BUF(x->b), ARG_BUF(w->room->lines),
	           ARGS_LINES(x), ARG_INT(f->lines), ARG_INT(f->chunk),
	           ARG_INT(f->words));
	seq_launch(w->s, "matmul_residues_norms",
	           GRID1(f->lines, RESIDUES_LINES), ARG_BUF(w->room->lines),
	           ARG_BUF(w->table), ARG_INT(f->lines), ARG_INT(f->chunks));
}

/* Finds how many moduli each tile of C needs. */
static void certify(const struct work *w)
{
	const struct tensor_product *x = w->x;
	const struct residues_layout *f = &w->f;
	const size_t groups = size_min(f->tiles, w->g->most_groups);

	seq_launch(w->s, "matmul_residues_magnitudes",
	           GRID2(pack_items(w), f->bounds * (RESIDUES_SLAB /
	                 RESIDUES_DEPTH), RESIDUES_PACK_ITEMS, 1),
	           ARG_BUF(x->a), ARG_BUF(x->b), ARG_BUF(w->room->a),
	           ARG_BUF(w->room->b), ARG_BUF(w->room->lines), ARGS_LINES(x),
	           ARG_INT(f->lines), ARG_INT(f->chunks), ARG_INT(f->every));
	seq_launch(w->s, "matmul_residues_bound",
	           GRID1(groups * RESIDUES_ITEMS, RESIDUES_ITEMS),
	           ARG_BUF(w->room->a), ARG_BUF(w->room->b),
	           ARG_BUF(w->room->lines), ARG_BUF(w->table),
	           ARG_INT(x->p.m), ARG_INT(x->p.n), ARG_INT(f->bounds),
	           ARG_INT(f->lines), ARG_INT(f->chunks),
	           ARG_FLOAT(residues_bound(x->p.k) * RESIDUES_BOUND_UNIT));
}

/* Without a certificate: finds the tiles that have an infinity or a NaN. */
static void find_finite(const struct work *w)
{
	const struct residues_layout *f = &w->f;

	seq_launch(w->s, "matmul_residues_finite",
	           GRID1(f->tiles * RESIDUES_PACK_ITEMS, RESIDUES_PACK_ITEMS),
	           ARG_BUF(w->room->lines), ARG_INT(w->x->p.m),
	           ARG_INT(w->x->p.n), ARG_INT(f->lines), ARG_INT(f->chunks));
}

static void pack(const struct work *w)
{
	const struct tensor_product *x = w->x;
	const struct residues_layout *f = &w->f;

	seq_launch(w->s, w->g->kernel->pack,
	           GRID2(pack_items(w), f->slabs * (RESIDUES_SLAB /
	                 RESIDUES_DEPTH), RESIDUES_PACK_ITEMS, 1),
	           ARG_BUF(x->a), ARG_BUF(x->b), ARG_BUF(w->room->a),
	           ARG_BUF(w->room->b), ARG_BUF(w->room->lines),
	           ARG_BUF(w->table), ARGS_LINES(x), ARG_INT(f->lines),
	           ARG_INT(f->chunks), ARG_INT(FASTER));
}

/* Computes tiles `first` to `end`, of all moduli together, of `all` that there
 * are at most; the device knows the number of moduli. */
static void multiply(const struct work *w, size_t all, size_t first,
                     size_t end)
{
	const struct product *p = &w->x->p;
	const struct residues_layout *f = &w->f;
	const size_t groups = size_min(end - first, w->g->most_groups);
	const double share = (double)(end - first) / (double)all;

	seq_work(w->s, share * product_flops(p),
	         share * RESIDUES_MOST * (double)(p->m * p->k + p->k * p->n +
	                                          p->m * p->n));
	seq_launch(w->s, w->g->kernel->name,
	           GRID1(groups * RESIDUES_ITEMS, RESIDUES_ITEMS),
	           ARG_BUF(w->room->a), ARG_BUF(w->room->b),
	           ARG_BUF(w->room->residues), ARG_BUF(w->room->lines),
	           ARG_BUF(w->table), ARG_INT(p->m), ARG_INT(p->n),
	           ARG_INT(f->slabs), ARG_INT(f->lines), ARG_INT(f->chunks),
	           ARG_INT(FASTER), ARG_INT(first), ARG_INT(end));
}

static void join(const struct work *w)
{
	const struct tensor_product *x = w->x;
	const struct residues_layout *f = &w->f;

	seq_launch(w->s, "matmul_residues_join",
	           GRID2(f->tiles * RESIDUES_MULTIPLIERS, RESIDUES_PARTS,
	                 RESIDUES_MULTIPLIERS, 1),
	           ARG_BUF(w->room->residues), ARG_BUF(x->c),
	           ARG_BUF(w->room->lines), ARG_BUF(w->table),
	           ARG_INT(x->p.m), ARG_INT(x->p.n), ARG_INT(f->lines),
	           ARG_INT(f->chunks), ARG_INT(FASTER), ARG_LONG(x->c_at),
	           ARG_INT(x->c_row));
}

/* Computes in float64 the tiles that need more moduli: some, by a kernel with
 * small tiles, so that more work-groups have one, or all. */
static void multiply_again(const struct work *w)
{
	static const enum gemm_kernel_id kernels[] = {
		GEMM_F64_64X64, GEMM_F64_128X128
	};
	const struct residues_layout *f = &w->f;
	const struct gemm_on on = { .d = seq_sheet(w->s), .t = FLOAT64 };
	struct tensor_product again = *w->x;

	again.again = (struct tensor_again){
		w->room->lines, f->known / sizeof(uint32_t) +
		    RESIDUES_NUMBERS + 1, f->across, 0
	};
	for (size_t i = 0; i < COUNT(kernels); i++) {
		const struct gemm_plan g = gemm_plan_forced(&on,
			&(struct gemm_forced){ kernels[i], .k_splits = 1 },
			&w->x->p);

		again.again.when = i + 1;
		f64_multiply(w->s, &g, &again);
	}
}

void residues_part(struct seq *s, const struct gemm_plan *g,
                   const struct tensor_product *x,
                   const struct tensor_room *room, const struct part *at)
{
	uint32_t table[RESIDUES_WORDS];
	struct work w = { s, g, x, room, residues_layout_of(&x->p), { 0 } };
	const size_t tiles = RESIDUES_MOST * w.f.tiles;
	const size_t each = FASTER * tensor_each(g, &x->p);

	(void)at;			/* the whole product */
	residues_table(table);
	w.table = seq_constant(s, table, sizeof table);
	measure(&w);
	if (g->fast)
		find_finite(&w);
	else
		certify(&w);
	pack(&w);
	for (size_t i = 0; i < tiles; i += each)
		multiply(&w, tiles, i, size_min(i + each, tiles));
	join(&w);
	multiply_again(&w);
}

/* The operands of the probe are small whole numbers, whose products must be
 * exact. */
bool gemm_residues_is_right(struct seq *s, const char *kernel)
{
	static const struct probe probe = { PROBE_ODD, false, false };

	return matmul_probe(s, &probe, &(struct gemm_forced){
		gemm_kernel_find(kernel), .k_splits = 1 }) &&
	       f64_trusts(s, GEMM_F64_64X64) &&
	       f64_trusts(s, GEMM_F64_128X128);
}
