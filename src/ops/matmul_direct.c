/* matmul_direct.c - see matmul_direct.h. */
#include "base/size.h"
#include "matmul_tensor.h"
#include "ops/matmul_direct.h"
#include "ops/matmul_panels.h"
#include "ops/matmul_probe.h"
#include "ops/matmul_sum.h"

static const char kernel[] = "matmul_tensor_direct";

/* What takes how long, in microseconds on an H200: the launch; adding parts in
 * another one, besides a byte of a part; BLOCK of k of a tile where a compute
 * unit has several tiles, or one, whose latency nothing hides; a tile
 * besides. */
enum { BLOCK = 16 };
static const double launching = 5, summing = 12, byte = 1 / 2.5e6,
                    block = 0.37, block_alone = 0.45, tile = 1.2;

/* Parts of k, of so much each, the same in all panels. */
struct way {
	size_t depth, parts;
};

static size_t tiles_of(const struct product *p)
{
	return p->stack * size_blocks(p->m, TENSOR_DIRECT_ROWS) *
	       size_blocks(p->n, TENSOR_DIRECT_COLS);
}

static struct way way_in(const struct product *p, size_t parts)
{
	const size_t depth = size_round_up(size_blocks(p->k, parts),
	                                   TENSOR_DEPTH);

	return (struct way){ depth, size_blocks(p->k, depth) };
}

static double cost(const struct sheet *d, const struct product *p,
                   const struct way *w)
{
	const size_t units = size_max(d->compute_units, 1);
	const size_t each = size_blocks(tiles_of(p) * w->parts, units);
	const double blocks = (double)size_blocks(size_min(p->k, w->depth),
	                                          BLOCK);
	const double elements = (double)(p->stack * p->m * p->n);
	double t = launching + (double)each * tile +
	           (each == 1 ? block_alone : (double)each * block) * blocks;

	if (w->parts > 1)
		t += summing + (double)w->parts * elements * sizeof(float) *
		               byte;
	return t;
}

/* k in so many parts that each compute unit has one group, or two. */
static struct way way_of(const struct sheet *d, const struct product *p)
{
	struct way best = way_in(p, 1);

	for (size_t i = 1; i <= 2; i++) {
		const size_t parts = i * d->compute_units / tiles_of(p);
		const struct way w = way_in(p, size_max(parts, 1));

		if (cost(d, p, &w) < cost(d, p, &best))
			best = w;
	}
	return best;
}

double direct_cost(const struct sheet *d, const struct product *p)
{
	const struct way w = way_of(d, p);

	return cost(d, p, &w);
}

static struct cuts cuts_of(const struct sheet *d, const struct way *w,
                           const struct product *p)
{
	return product_cuts(p, need_most(d, FLOAT32), w->parts, 1);
}

static void launch_product(struct seq *s, const struct panel *x, struct buf c,
                           size_t depth)
{
	const struct product *p = &x->p;
	const size_t groups = tiles_of(p) * size_blocks(p->k, depth);

	seq_work(s, product_flops(p), product_bytes(p, FLOAT32));
	seq_launch(s, kernel, GRID1(groups * TENSOR_DIRECT_ITEMS,
	           TENSOR_DIRECT_ITEMS), ARG_BUF(x->a), ARG_BUF(x->b),
	           ARG_BUF(c), ARG_BUF(x->places), ARG_INT(p->stack),
	           ARG_INT(p->m), ARG_INT(p->n), ARG_INT(p->k),
	           ARG_LONG(p->a_row), ARG_LONG(p->a_col), ARG_LONG(p->b_row),
	           ARG_LONG(p->b_col), ARG_INT(depth));
}

static void launch_panel(struct seq *s, const struct panel *x, void *way)
{
	const struct way *w = way;
	const size_t n = x->p.stack * x->p.m * x->p.n;
	struct buf part = x->c;

	if (w->parts > 1)
		part = seq_scratch(s, w->parts * n * sizeof(float));

	/* C = A B, or the products of parts of k */
	launch_product(s, x, part, w->depth);

	/* C = their sum */
	if (w->parts > 1)
		matmul_sum(s, part, x->c, n, w->parts);
}

static bool is_right(struct seq *s, const char *name)
{
	static const struct probe probes[] = {
		{ PROBE_ODD, false, false }, { PROBE_ALIGNED, false, false },
		{ PROBE_ODD, false, true }, { PROBE_ALIGNED, false, true },
		{ PROBE_ODD, true, false }, { PROBE_ALIGNED, true, false },
		{ PROBE_ODD, true, true }, { PROBE_ALIGNED, true, true },
	};

	(void)name;
	for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
		struct way w = { 3 * TENSOR_DEPTH, 2 };

		if (i % 2)
			w = (struct way){ 5 * TENSOR_DEPTH, 1 };
		if (!matmul_probe(s, &probes[i], launch_panel, &w))
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
	const struct way w = way_of(d, p);
	const struct cuts c = cuts_of(d, &w, p);
	const size_t each = w.parts * sizeof(float);

	product_need(n, d, FLOAT32, p, &c);
	if (w.parts > 1)
		need_scratch(n, each * p->stack * p->m * p->n,
		             each * c.stack * c.rows * c.cols);
}

int direct_run(struct seq *s, const struct product *p)
{
	struct way w = way_of(seq_sheet(s), p);
	const struct cuts c = cuts_of(seq_sheet(s), &w, p);

	product_panels(s, p, &c, launch_panel, &w);
	return seq_finish(s);
}
