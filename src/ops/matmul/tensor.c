/* tensor.c - matmul on tensor cores: float32 as three products in TF32
 * (or one, if the client allows it), float64 as it is (f64.h). */
#include "base/size.h"
#include "device/seq.h"
#include "ops/matmul/direct.h"
#include "ops/matmul/f64.h"
#include "ops/matmul/panels.h"
#include "ops/matmul/probe.h"
#include "ops/matmul/sum.h"
#include "ops/matmul/tf32.h"
#include "shared/matmul_tensor.h"

/* Products with fewer rows or columns leave most of a tile empty; with less
 * depth, packing costs more than multiplying. */
enum { LEAST_LINES = 33, LEAST_DEPTH = 16 };

struct way {
	const char *kernel;
	size_t cols;
	size_t least_part;	/* k that a work-group should have at least for
				   its sum to be worth adding to others' */
	const struct tf32_way *tf32;
	double slab;			/* microseconds a tile's takes */
};

static const struct way ways[] = {
	[MATMUL_FULL] = { "matmul_tensor_3xtf32", TENSOR_3XTF32_COLS, 128,
	                  &tf32_ways[MATMUL_FULL], 0.6 },
	[MATMUL_TF32] = { "matmul_tensor_tf32", TENSOR_TF32_COLS, 256,
	                  &tf32_ways[MATMUL_TF32], 0.38 },
};

static size_t tiles_of(const struct product *p, const struct way *w)
{
	return p->stack * size_blocks(p->m, TENSOR_ROWS) *
	       size_blocks(p->n, w->cols);
}

/* Of k, so that every compute unit has a tile, or a part of one. */
static size_t depth_of(const struct sheet *d, const struct product *p,
                       const struct way *w)
{
	size_t parts = size_min(d->compute_units / tiles_of(p, w),
	                        p->k / w->least_part);

	return size_round_up(size_blocks(p->k, size_max(parts, 1)),
	                     TENSOR_DEPTH);
}

/* Of packed operands, in microseconds on an H200: two launches, packing at
 * 3 TB/s, tiles one after another, and the sum of parts. */
static double packed_cost(const struct sheet *d, const struct product *p,
                          const struct way *w)
{
	const size_t depth = depth_of(d, p, w);
	const size_t parts = size_blocks(p->k, depth);
	const size_t each = size_blocks(tiles_of(p, w) * parts,
	                                size_max(d->compute_units, 1));
	const double packed = 2.0 * (double)(p->m * p->k) +
	    (1.0 + (double)w->tf32->parts) * (double)(p->k * p->n);
	double t = 12 + (double)p->stack * packed * sizeof(float) / 3e6 +
	           (double)each * (4.2 + w->slab * (double)depth /
	                                 TENSOR_SLAB);

	if (parts > 1)
		t += 5 + (double)(p->stack * p->m * p->n * parts) *
		         sizeof(float) / 2.5e6;
	return t;
}

/* Parts of k, of so much each, the same in all panels; room for the first and
 * largest of these. */
struct deep {
	const struct way *way;
	size_t depth, parts;
	struct tf32_room room;
};

static struct deep deep_of(const struct sheet *d, const struct way *w,
                           const struct product *p)
{
	const size_t depth = depth_of(d, p, w);

	return (struct deep){
		.way = w, .depth = depth, .parts = size_blocks(p->k, depth)
	};
}

static struct cuts cuts_of(const struct sheet *d, const struct deep *g,
                           const struct product *p)
{
	return product_cuts(p, need_most(d, FLOAT32), g->parts, 1);
}

static void launch(struct seq *s, struct deep *g, const struct product *p,
                   struct buf a, struct buf b, struct buf c, struct buf places)
{
	const struct tf32_way *w = g->way->tf32;
	const struct tf32_product x = {
		.p = *p, .a = a, .b = b, .c = c, .places = places,
		.c_row = p->n, .depth = g->depth
	};

	if (g->room.a.id == 0)
		g->room = tf32_room_of(s, w, p);
	tf32_multiply(s, w, &x, g->room);
}

static void launch_panel(struct seq *s, const struct panel *x, void *way)
{
	struct deep *g = way;
	const size_t n = x->p.stack * x->p.m * x->p.n;
	struct buf part = x->c;

	if (g->parts > 1)
		part = seq_scratch(s, g->parts * n * sizeof(float));

	/* C = A B, or the products of parts of k */
	launch(s, g, &x->p, x->a, x->b, part, x->places);

	/* C = their sum */
	if (g->parts > 1)
		matmul_sum(s, part, x->c, n, g->parts);
}

static int run(struct seq *s, const struct way *w, const struct product *p)
{
	struct deep g = deep_of(seq_sheet(s), w, p);
	const struct cuts c = cuts_of(seq_sheet(s), &g, p);

	product_panels(s, p, &c, launch_panel, &g);
	return seq_finish(s);
}

static bool is_right(struct seq *s, const char *kernel)
{
	static const struct probe probe = { PROBE_ODD, false, false };
	struct deep g = { .way = ways, .parts = 1,
	                  .depth = size_round_up(probe.k, TENSOR_DEPTH) };

	while (g.way->kernel != kernel)
		g.way++;
	return matmul_probe(s, &probe, launch_panel, &g);
}

static const struct way *way_of(bool tf32)
{
	return &ways[tf32 ? MATMUL_TF32 : MATMUL_FULL];
}

static bool suits(const struct product *p)
{
	return p->stack > 0 && size_min(p->m, p->n) >= LEAST_LINES &&
	       p->k >= LEAST_DEPTH;
}

/* Is packing not worth its time, or not possible? */
static bool is_direct(const struct sheet *d, const struct product *p,
                      const struct way *w)
{
	return !tf32_suits(d, w->tf32, p) ||
	       direct_cost(d, p) < packed_cost(d, p, w);
}

void matmul_tensor_need(struct need *n, const struct sheet *d, enum dtype t,
                        const struct product *p, bool tf32)
{
	const struct way *w = way_of(tf32);
	struct product first = *p;
	struct deep g;
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
	g = deep_of(d, w, p);
	c = cuts_of(d, &g, p);
	product_need(n, d, t, p, &c);
	first.stack = c.stack;
	first.m = c.rows;
	first.n = c.cols;
	tf32_need(n, d, w->tf32, &first);
	if (g.parts > 1)
		need_scratch(n, g.parts * p->stack * p->m * p->n *
		                sizeof(float), g.parts * c.stack * c.rows *
		                               c.cols * sizeof(float));
}

int matmul_tensor_run(struct seq *s, struct args *args)
{
	const struct product p = product_of(args);
	const struct way *w = way_of(args->param[MATMUL_PRECISION] != 0);

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
