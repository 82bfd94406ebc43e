/* tensor.c - matmul on tensor cores: float32 as three products in TF32
 * (or one, if the client allows it), float64 as it is (f64.h). docs/matmul.md
 * tells how a product's kernel is chosen. */
#include "base/size.h"
#include "device/seq.h"
#include "ops/matmul/direct.h"
#include "ops/matmul/f64.h"
#include "ops/matmul/panels.h"
#include "ops/matmul/probe.h"
#include "ops/matmul/sum.h"
#include "ops/matmul/tf32.h"
#include "shared/matmul_tensor.h"

/* Least rows and columns of C: with fewer, most of a tile is empty. Least k:
 * with less, C takes longer to write than to compute. tile.c multiplies what is
 * smaller. */
enum { LEAST_LINES = 33, LEAST_DEPTH = 16 };

struct precision {
	const char *kernel;
	size_t cols;			/* of a tile */
	size_t least_split;		/* least k of a split: shorter ones do
					   not pay for adding their sums */
	const struct tf32_scheme *tf32;
	double slab_us;			/* of the cost model: microseconds for
					   TENSOR_SLAB of k of a tile */
};

static const struct precision precisions[] = {
	[MATMUL_FULL] = { "matmul_tensor_3xtf32", TENSOR_3XTF32_COLS, 128,
	                  &tf32_schemes[MATMUL_FULL], 0.6 },
	[MATMUL_TF32] = { "matmul_tensor_tf32", TENSOR_TF32_COLS, 256,
	                  &tf32_schemes[MATMUL_TF32], 0.38 },
};

static size_t tiles_of(const struct product *p, const struct precision *w)
{
	return p->stack * size_blocks(p->m, TENSOR_ROWS) *
	       size_blocks(p->n, w->cols);
}

/* k of a split, so that as many compute units as possible have a tile's
 * split. */
static size_t depth_of(const struct sheet *d, const struct product *p,
                       const struct precision *w)
{
	size_t k_splits = size_min(d->compute_units / tiles_of(p, w),
	                           p->k / w->least_split);

	return size_round_up(size_blocks(p->k, size_max(k_splits, 1)),
	                     TENSOR_DEPTH);
}

/* The cost model of packed operands: fitted to times measured on an H200 of 132
 * compute units, beside slab_us. docs/matmul.md tells how to fit it to another
 * device. */
static const double
	launches_us = 12,		/* to pack, and to multiply */
	pack_bytes_per_us = 3e6,	/* read and written: 3 TB/s */
	tile_us = 4.2,			/* a tile besides its slabs */
	sum_launch_us = 5,		/* the launch that adds splits */
	sum_bytes_per_us = 2.5e6;	/* read there: 2.5 TB/s */

/* Estimated time in microseconds on an H200. */
static double packed_cost(const struct sheet *d, const struct product *p,
                          const struct precision *w)
{
	const size_t depth = depth_of(d, p, w);
	const size_t k_splits = size_blocks(p->k, depth);
	const size_t each = size_blocks(tiles_of(p, w) * k_splits,
	                                size_max(d->compute_units, 1));
	const double packed = 2.0 * (double)(p->m * p->k) +
	    (1.0 + (double)w->tf32->terms) * (double)(p->k * p->n);
	double t = launches_us +
	           (double)p->stack * packed * sizeof(float) /
	           pack_bytes_per_us +
	           (double)each * (tile_us + w->slab_us * (double)depth /
	                                     TENSOR_SLAB);

	if (k_splits > 1)
		t += sum_launch_us +
		     (double)(p->stack * p->m * p->n * k_splits) *
		     sizeof(float) / sum_bytes_per_us;
	return t;
}

/* Splits of k, each `depth` long, the same in all panels; room for the packed
 * operands of the first panel, which is the largest. */
struct plan {
	const struct precision *precision;
	size_t depth, k_splits;
	struct tf32_room room;
};

static struct plan plan_of(const struct sheet *d, const struct precision *w,
                           const struct product *p)
{
	const size_t depth = depth_of(d, p, w);

	return (struct plan){
		.precision = w, .depth = depth,
		.k_splits = size_blocks(p->k, depth)
	};
}

static struct cuts cuts_of(const struct sheet *d, const struct plan *g,
                           const struct product *p)
{
	return product_cuts(p, need_most(d, FLOAT32), g->k_splits, 1);
}

static void launch(struct seq *s, struct plan *g, const struct product *p,
                   struct buf a, struct buf b, struct buf c, struct buf places)
{
	const struct tf32_scheme *w = g->precision->tf32;
	const struct tf32_product x = {
		.p = *p, .a = a, .b = b, .c = c, .places = places,
		.c_row = p->n, .depth = g->depth
	};

	if (g->room.a.id == 0)
		g->room = tf32_room_of(s, w, p);
	tf32_multiply(s, w, &x, g->room);
}

static void launch_panel(struct seq *s, const struct panel *x, void *plan)
{
	struct plan *g = plan;
	const size_t n = x->p.stack * x->p.m * x->p.n;
	struct buf splits = x->c;

	if (g->k_splits > 1)
		splits = seq_scratch(s, g->k_splits * n * sizeof(float));

	/* C = A B, or a product for each split of k */
	launch(s, g, &x->p, x->a, x->b, splits, x->places);

	/* C = their sum */
	if (g->k_splits > 1)
		matmul_sum(s, splits, x->c, n, g->k_splits);
}

static int run(struct seq *s, const struct precision *w,
               const struct product *p)
{
	struct plan g = plan_of(seq_sheet(s), w, p);
	const struct cuts c = cuts_of(seq_sheet(s), &g, p);

	product_panels(s, p, &c, launch_panel, &g);
	return seq_finish(s);
}

static bool is_right(struct seq *s, const char *kernel)
{
	static const struct probe probe = { PROBE_ODD, false, false };
	struct plan g = { .precision = precisions, .k_splits = 1,
	                  .depth = size_round_up(probe.k, TENSOR_DEPTH) };

	while (g.precision->kernel != kernel)
		g.precision++;
	return matmul_probe(s, &probe, launch_panel, &g);
}

static const struct precision *precision_of(bool tf32)
{
	return &precisions[tf32 ? MATMUL_TF32 : MATMUL_FULL];
}

static bool suits(const struct product *p)
{
	return p->stack > 0 && size_min(p->m, p->n) >= LEAST_LINES &&
	       p->k >= LEAST_DEPTH;
}

/* Is the product to be computed from unpacked operands? */
static bool is_direct(const struct sheet *d, const struct product *p,
                      const struct precision *w)
{
	return !tf32_suits(d, w->tf32, p) ||
	       direct_cost(d, p) < packed_cost(d, p, w);
}

void matmul_tensor_need(struct need *n, const struct sheet *d, enum dtype t,
                        const struct product *p, bool tf32)
{
	const struct precision *w = precision_of(tf32);
	struct product first = *p;
	struct plan g;
	struct cuts c;

	if (!suits(p)) {
		product_need_plain(n, d, t, p);
		return;
	}
	if (t == FLOAT64) {
		f64_need(n, d, p);
		return;
	}
	if (is_direct(d, p, w)) {
		direct_need(n, d, p);
		return;
	}
	g = plan_of(d, w, p);
	c = cuts_of(d, &g, p);
	product_need(n, d, t, p, &c);
	first.stack = c.stack;
	first.m = c.rows;
	first.n = c.cols;
	tf32_need(n, d, w->tf32, &first);
	if (g.k_splits > 1)
		need_scratch(n, g.k_splits * p->stack * p->m * p->n *
		                sizeof(float), g.k_splits * c.stack * c.rows *
		                               c.cols * sizeof(float));
}

int matmul_tensor_run(struct seq *s, struct args *args)
{
	const struct product p = product_of(args);
	const struct precision *w =
	    precision_of(args->param[MATMUL_PRECISION] != 0);

	if (product_is_void(s, &p))
		return seq_finish(s);
	if (!suits(&p))
		return matmul_tile_run(s, args);
	if (seq_dtype(s) == FLOAT64)
		return f64_works(s, &p) ? f64_run(s, &p) :
		                          matmul_tile_run(s, args);
	if (is_direct(seq_sheet(s), &p, w))
		return direct_works(s) ? direct_run(s, &p) :
		                         matmul_tile_run(s, args);
	return seq_trusts(s, w->kernel, is_right) ? run(s, w, &p) :
	                                            matmul_tile_run(s, args);
}
