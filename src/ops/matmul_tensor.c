/* matmul_tensor.c - matmul on tensor cores: float32 as three products in TF32
 * (or one, if the client allows it), float64 as it is. */
#include "base/size.h"
#include "device/seq.h"
#include "matmul_tensor.h"
#include "ops/matmul_product.h"

/* Products with fewer rows or columns leave most of a tile empty; with less
 * depth, what a split element lacks (3 eps) is more than what k sums lack. */
enum { LEAST_LINES = 33, LEAST_DEPTH = 16 };

/* k that a work-group should have at least for its sum to be worth adding to
 * that of others. */
enum { LEAST_PART = 256, SUM_GROUP = 256 };

struct way {
	const char *kernel;
	size_t cols, items;
};

static const struct way ways[] = {
	[MATMUL_FULL] = { "matmul_tensor_3xtf32", TENSOR_3XTF32_COLS,
	                  TENSOR_TF32_ITEMS },
	[MATMUL_TF32] = { "matmul_tensor_tf32", TENSOR_TF32_COLS,
	                  TENSOR_TF32_ITEMS },
};
static const struct way way_float64 = {
	"matmul_tensor_f64", TENSOR_F64_COLS, TENSOR_F64_ITEMS
};

static size_t tiles_of(const struct product *p, const struct way *w)
{
	return p->stack * size_blocks(p->m, TENSOR_ROWS) *
	       size_blocks(p->n, w->cols);
}

/* Of k, so that every compute unit has a tile, or a part of one. */
static size_t depth_of(const struct seq *s, const struct product *p,
                       const struct way *w)
{
	size_t parts = size_min(seq_sheet(s)->compute_units / tiles_of(p, w),
	                        p->k / LEAST_PART);

	return size_round_up(size_blocks(p->k, size_max(parts, 1)),
	                     TENSOR_DEPTH);
}

static void launch(struct seq *s, const struct way *w, const struct product *p,
                   struct buf a, struct buf b, struct buf c,
                   struct buf places, size_t depth)
{
	size_t groups = tiles_of(p, w) * size_blocks(p->k, depth);

	seq_work(s, product_flops(p), product_bytes(p, seq_dtype(s)));
	seq_launch(s, w->kernel, GRID1(groups * w->items, w->items),
	           ARG_BUF(a), ARG_BUF(b), ARG_BUF(c), ARG_BUF(places),
	           ARG_INT(p->stack), ARG_INT(p->m), ARG_INT(p->n),
	           ARG_INT(p->k), ARG_LONG(p->a_row), ARG_LONG(p->a_col),
	           ARG_LONG(p->b_row), ARG_LONG(p->b_col), ARG_INT(depth));
}

static int run(struct seq *s, const struct way *w, const struct product *p)
{
	size_t depth = depth_of(s, p, w), parts = size_blocks(p->k, depth);
	size_t n = p->stack * p->m * p->n;
	struct buf a = seq_input(s, p->a), b = seq_input(s, p->b);
	struct buf c = seq_output(s, p->c), places = a, part = c;

	product_places(s, p, &places);
	if (parts > 1)
		part = seq_scratch(s, parts * n * dtype_bytes(seq_dtype(s)));

	/* C = A B, or the products of parts of k */
	launch(s, w, p, a, b, part, places, depth);

	/* C = their sum */
	if (parts > 1)
		seq_launch(s, "matmul_tensor_sum", GRID1(n, SUM_GROUP),
		           ARG_BUF(part), ARG_BUF(c), ARG_LONG(n),
		           ARG_INT(parts));
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
	struct way w = way_float64;
	double x[M * K], y[K * N], z[M * N] = { 0 };
	struct buf a, b, c;

	for (int i = 0; i <= MATMUL_TF32 && t == FLOAT32; i++)
		if (ways[i].kernel == kernel)
			w = ways[i];
	for (size_t i = 0; i < (size_t)M * K; i++)
		set(x, t, i, left(i / K, i % K));
	for (size_t i = 0; i < (size_t)K * N; i++)
		set(y, t, i, right(i / N, i % N));
	a = seq_constant(s, x, M * K * dtype_bytes(t));
	b = seq_constant(s, y, K * N * dtype_bytes(t));
	c = seq_scratch(s, M * N * dtype_bytes(t));
	launch(s, &w, &p, a, b, c, a, size_round_up(K, TENSOR_DEPTH));
	seq_read(s, c, 0, z, M * N * dtype_bytes(t));
	return !seq_failed(s) && is_product(z, t);
}

int matmul_tensor_run(struct seq *s, struct args *args)
{
	struct product p = product_of(args);
	const struct way *w = seq_dtype(s) == FLOAT64 ? &way_float64 :
	    &ways[(int)args->param[MATMUL_PRECISION]];

	if (product_is_void(s, &p))
		return seq_finish(s);
	if (size_min(p.m, p.n) < LEAST_LINES || p.k < LEAST_DEPTH ||
	    !seq_trusts(s, w->kernel, is_right))
		return matmul_tile_run(s, args);
	return run(s, w, &p);
}
