/* matmul_tensor.c - matmul on tensor cores: float32 as three products in TF32
 * (or one, if the client allows it), float64 as it is. */
#include "base/size.h"
#include "device/seq.h"
#include "matmul_tensor.h"
#include "ops/matmul_panels.h"
#include "ops/matmul_tf32.h"

/* Products with fewer rows or columns leave most of a tile empty; with less
 * depth, packing costs more than multiplying. */
enum { LEAST_LINES = 33, LEAST_DEPTH = 16 };

enum { SUM_GROUP = 256 };

struct way {
	const char *kernel;
	size_t cols;
	size_t least_part;	/* k that a work-group should have at least for
				   its sum to be worth adding to others' */
	const struct tf32_way *tf32;	/* float32: how; float64: NULL */
};

static const struct way ways[] = {
	[MATMUL_FULL] = { "matmul_tensor_3xtf32", TENSOR_3XTF32_COLS, 128,
	                  &tf32_ways[MATMUL_FULL] },
	[MATMUL_TF32] = { "matmul_tensor_tf32", TENSOR_TF32_COLS, 256,
	                  &tf32_ways[MATMUL_TF32] },
};
static const struct way way_float64 = {
	"matmul_tensor_f64", TENSOR_F64_COLS, 256, NULL
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

static void launch_float64(struct seq *s, const struct way *w,
                           const struct product *p, struct buf a, struct buf b,
                           struct buf c, struct buf places, size_t depth)
{
	size_t groups = tiles_of(p, w) * size_blocks(p->k, depth);

	seq_work(s, product_flops(p), product_bytes(p, seq_dtype(s)));
	seq_launch(s, w->kernel, GRID1(groups * TENSOR_F64_ITEMS,
	           TENSOR_F64_ITEMS), ARG_BUF(a), ARG_BUF(b), ARG_BUF(c),
	           ARG_BUF(places), ARG_INT(p->stack), ARG_INT(p->m),
	           ARG_INT(p->n), ARG_INT(p->k), ARG_LONG(p->a_row),
	           ARG_LONG(p->a_col), ARG_LONG(p->b_row), ARG_LONG(p->b_col),
	           ARG_INT(depth));
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

static struct cuts cuts_of(const struct sheet *d, enum dtype t,
                           const struct deep *g, const struct product *p)
{
	return product_cuts(p, need_most(d, t), g->parts, 1);
}

static void launch(struct seq *s, struct deep *g, const struct product *p,
                   struct buf a, struct buf b, struct buf c, struct buf places)
{
	const struct tf32_way *w = g->way->tf32;
	const struct tf32_product x = {
		.p = *p, .a = a, .b = b, .c = c, .places = places,
		.c_row = p->n, .depth = g->depth
	};

	if (!w) {
		launch_float64(s, g->way, p, a, b, c, places, g->depth);
		return;
	}
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
		part = seq_scratch(s, g->parts * n *
		                      dtype_bytes(seq_dtype(s)));

	/* C = A B, or the products of parts of k */
	launch(s, g, &x->p, x->a, x->b, part, x->places);

	/* C = their sum */
	if (g->parts > 1)
		seq_launch(s, "matmul_tensor_sum", GRID1(n, SUM_GROUP),
		           ARG_BUF(part), ARG_BUF(x->c), ARG_LONG(n),
		           ARG_INT(g->parts));
}

static int run(struct seq *s, const struct way *w, const struct product *p)
{
	struct deep g = deep_of(seq_sheet(s), w, p);
	const struct cuts c = cuts_of(seq_sheet(s), seq_dtype(s), &g, p);

	product_panels(s, p, &c, launch_panel, &g);
	return seq_finish(s);
}

/* The probe multiplies whole numbers that TF32 holds: rows beyond one warp's,
 * k beyond a slab, an edge in every direction. */
enum { M = 70, N = 45, K = 37 };

static double left(size_t i, size_t p)
{
	return (double)((i + 2 * p) % 7) - 3;
}

static double right(size_t p, size_t j)
{
	return (double)((3 * p + j) % 11) - 5;
}

static bool is_product(const void *c, enum dtype t)
{
	for (size_t e = 0; e < (size_t)M * N; e++) {
		double sum = 0;

		for (size_t p = 0; p < K; p++)
			sum += left(e / N, p) * right(p, e % N);
		if (sum != (t == FLOAT32 ? ((const float *)c)[e] :
		            ((const double *)c)[e]))
			return false;
	}
	return true;
}

static void set(void *x, enum dtype t, size_t i, double value)
{
	if (t == FLOAT32)
		((float *)x)[i] = (float)value;
	else
		((double *)x)[i] = value;
}

static bool is_right(struct seq *s, const char *kernel)
{
	const enum dtype t = seq_dtype(s);
	const struct product p = { .m = M, .n = N, .k = K, .stack = 1,
	                           .a_row = K, .a_col = 1, .b_row = N,
	                           .b_col = 1 };
	struct deep g = { .way = &way_float64, .parts = 1,
	                  .depth = size_round_up(K, TENSOR_DEPTH) };
	double x[M * K], y[K * N], z[M * N] = { 0 };
	struct buf a, b, c;

	for (int i = 0; i <= MATMUL_TF32 && t == FLOAT32; i++)
		if (ways[i].kernel == kernel)
			g.way = &ways[i];
	for (size_t i = 0; i < (size_t)M * K; i++)
		set(x, t, i, left(i / K, i % K));
	for (size_t i = 0; i < (size_t)K * N; i++)
		set(y, t, i, right(i / N, i % N));
	a = seq_constant(s, x, M * K * dtype_bytes(t));
	b = seq_constant(s, y, K * N * dtype_bytes(t));
	c = seq_scratch(s, M * N * dtype_bytes(t));
	launch(s, &g, &p, a, b, c, a);
	seq_read(s, c, 0, z, M * N * dtype_bytes(t));
	return !seq_failed(s) && is_product(z, t);
}

static const struct way *way_of(enum dtype t, bool tf32)
{
	return t == FLOAT64 ? &way_float64 :
	       &ways[tf32 ? MATMUL_TF32 : MATMUL_FULL];
}

static bool suits(const struct sheet *d, const struct way *w,
                  const struct product *p)
{
	return size_min(p->m, p->n) >= LEAST_LINES && p->k >= LEAST_DEPTH &&
	       (!w->tf32 || tf32_suits(d, w->tf32, p));
}

void matmul_tensor_need(struct need *n, const struct sheet *d, enum dtype t,
                        const struct product *p, bool tf32)
{
	const struct way *w = way_of(t, tf32);
	struct deep g = { .way = w, .depth = p->k, .parts = 1 };
	struct product first = *p;
	struct cuts c;

	if (suits(d, w, p))
		g = deep_of(d, w, p);
	c = cuts_of(d, t, &g, p);
	product_need(n, d, t, p, &c);
	first.stack = c.stack;
	first.m = c.rows;
	first.n = c.cols;
	if (w->tf32 && suits(d, w, p))
		tf32_need(n, d, w->tf32, &first);
	if (g.parts > 1)
		need_scratch(n, g.parts * p->stack * p->m * p->n *
		                dtype_bytes(t), g.parts * c.stack * c.rows *
		                                c.cols * dtype_bytes(t));
}

int matmul_tensor_run(struct seq *s, struct args *args)
{
	struct product p = product_of(args);
	const struct way *w = way_of(seq_dtype(s),
	                             args->param[MATMUL_PRECISION] != 0);

	if (product_is_void(s, &p))
		return seq_finish(s);
	if (!suits(seq_sheet(s), w, &p) || !seq_trusts(s, w->kernel, is_right))
		return matmul_tile_run(s, args);
	return run(s, w, &p);
}
