/* direct.c - see direct.h. */
#include "base/size.h"
#include "ops/matmul/direct.h"
#include "ops/matmul/panels.h"
#include "ops/matmul/probe.h"
#include "ops/matmul/sum.h"
#include "shared/matmul_tensor.h"

/* Splits of k up to which the last work-group of a tile to arrive adds them
 * all; more are added by another launch. */
enum { MOST_SPLITS = 8 };

static const char kernel[] = "matmul_tensor_direct";

/* The cost model: microseconds, fitted to times measured on an H200 of 132
 * compute units. docs/matmul.md tells how to fit it to another device. */
enum { BLOCK = 16 };			/* k that the model counts by */
static const double
	launch_us = 5,			/* start and end of the launch */
	block_us = 0.37,		/* BLOCK of k of a tile */
	lone_block_us = 0.45,		/* the same where a compute unit has one
					 * tile alone: nothing hides latency */
	tile_us = 1.2,			/* a tile besides: first load, store */
	arrive_us = 2,			/* to count the splits that arrived */
	add_us = 0.35,			/* to add one split of a tile */
	sum_launch_us = 5,		/* a launch that adds them instead */
	sum_byte_us = 1 / 2.5e6;	/* to read one byte there: 2.5 TB/s */

/* Ranges of k, each `depth` long, the same in all panels. */
struct plan {
	size_t depth, k_splits;
};

static size_t tiles_of(const struct product *p)
{
	return p->stack * size_blocks(p->m, TENSOR_DIRECT_ROWS) *
	       size_blocks(p->n, TENSOR_DIRECT_COLS);
}

static struct plan plan_splits(const struct product *p, size_t k_splits)
{
	const size_t depth = size_round_up(size_blocks(p->k, k_splits),
	                                   TENSOR_DEPTH);

	return (struct plan){ depth, size_blocks(p->k, depth) };
}

static bool reduces_in_kernel(const struct plan *w)
{
	return w->k_splits > 1 && w->k_splits <= MOST_SPLITS;
}

/* Bytes of the splits: whole tiles where the kernel adds them, else as many
 * elements as C has. */
static size_t split_bytes(const struct plan *w, const struct product *p)
{
	const size_t elements = reduces_in_kernel(w) ?
	    tiles_of(p) * TENSOR_DIRECT_ROWS * TENSOR_DIRECT_COLS :
	    p->stack * p->m * p->n;

	return w->k_splits * elements * sizeof(float);
}

static double cost(const struct sheet *d, const struct product *p,
                   const struct plan *w)
{
	const size_t units = size_max(d->compute_units, 1);
	const size_t each = size_blocks(tiles_of(p) * w->k_splits, units);
	const double blocks = (double)size_blocks(size_min(p->k, w->depth),
	                                          BLOCK);
	double t = launch_us + (double)each * tile_us +
	           (each == 1 ? lone_block_us : (double)each * block_us) *
	           blocks;

	if (w->k_splits > 1)
		t += reduces_in_kernel(w) ?
		     arrive_us + add_us * (double)w->k_splits :
		     sum_launch_us + sum_byte_us * (double)split_bytes(w, p);
	return t;
}

/* The cheapest number of splits among those that give each compute unit two
 * work-groups, half as many, a quarter and so on. Each tile needs a counter. */
static struct plan plan_of(const struct sheet *d, const struct product *p)
{
	const size_t tiles = tiles_of(p);
	struct plan best = plan_splits(p, 1);

	for (size_t n = 2 * d->compute_units / tiles; n > 1; n /= 2) {
		const struct plan w = plan_splits(p, n);

		if (cost(d, p, &w) < cost(d, p, &best) &&
		    tiles <= SEQ_COUNTERS)
			best = w;
	}
	return best;
}

double direct_cost(const struct sheet *d, const struct product *p)
{
	const struct plan w = plan_of(d, p);

	return cost(d, p, &w);
}

/* Splits that the kernel adds are stored as whole tiles, which have at most
 * four times as many elements as the panel's part of C. */
static struct cuts cuts_of(const struct sheet *d, const struct product *p,
                           const struct plan *w)
{
	const size_t copies = reduces_in_kernel(w) ? 4 * w->k_splits :
	                                             w->k_splits;

	return product_cuts(p, need_most(d, FLOAT32), copies, 1);
}

static void launch(struct seq *s, const struct panel *x, void *plan)
{
	const struct plan *w = plan;
	const struct product *p = &x->p;
	const size_t groups = tiles_of(p) * w->k_splits;
	const bool reduces = reduces_in_kernel(w);
	const bool sum = w->k_splits > 1 && !reduces;
	const struct buf splits = w->k_splits > 1 ?
	                          seq_scratch(s, split_bytes(w, p)) : x->c;
	const struct buf count = reduces ? seq_counters(s) : x->c;

	/* C = A B, or a product for each split of k */
	seq_work(s, product_flops(p), product_bytes(p, FLOAT32));
	seq_launch(s, kernel, GRID1(groups * TENSOR_DIRECT_ITEMS,
	           TENSOR_DIRECT_ITEMS), ARG_BUF(x->a), ARG_BUF(x->b),
	           ARG_BUF(sum ? splits : x->c), ARG_BUF(x->places),
	           ARG_INT(p->stack), ARG_INT(p->m), ARG_INT(p->n),
	           ARG_INT(p->k), ARG_LONG(p->a_row), ARG_LONG(p->a_col),
	           ARG_LONG(p->b_row), ARG_LONG(p->b_col), ARG_INT(w->depth),
	           ARG_BUF(splits), ARG_BUF(count), ARG_INT(reduces));

	/* C = their sum */
	if (sum)
		matmul_sum(s, splits, x->c, p->stack * p->m * p->n,
		           w->k_splits);
}

static bool is_right(struct seq *s, const char *name)
{
	static const struct probe probes[] = {
		{ PROBE_ODD, false, false }, { PROBE_ALIGNED, false, false },
		{ PROBE_ODD, false, true }, { PROBE_ALIGNED, false, true },
		{ PROBE_ODD, true, false }, { PROBE_ALIGNED, true, false },
		{ PROBE_ODD, true, true }, { PROBE_ALIGNED, true, true },
		{ PROBE_DEEP, false, false },
	};

	(void)name;
	for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
		struct plan whole = plan_splits(&(struct product){
			.k = probes[i].k }, 1);
		struct plan split = plan_splits(&(struct product){
			.k = probes[i].k }, probes[i].k / TENSOR_DEPTH);

		if (!matmul_probe(s, &probes[i], launch, &whole) ||
		    !matmul_probe(s, &probes[i], launch, &split))
			return false;
	}
	return true;
}

bool direct_works(struct seq *s)
{
	return seq_trusts(s, kernel, is_right);
}

void direct_need(struct need *n, const struct sheet *d,
                 const struct product *p)
{
	const struct plan w = plan_of(d, p);
	const struct cuts c = cuts_of(d, p, &w);
	const size_t panels = size_blocks(p->stack, c.stack) *
	    size_blocks(p->m, c.rows) * size_blocks(p->n, c.cols);
	struct product first = *p;

	first.stack = c.stack;
	first.m = c.rows;
	first.n = c.cols;
	product_need(n, d, FLOAT32, p, &c);
	if (w.k_splits > 1)
		need_scratch(n, panels * split_bytes(&w, &first),
		             split_bytes(&w, &first));
}

int direct_run(struct seq *s, const struct product *p)
{
	struct plan w = plan_of(seq_sheet(s), p);
	const struct cuts c = cuts_of(seq_sheet(s), p, &w);

	product_panels(s, p, &c, launch, &w);
	return seq_finish(s);
}
