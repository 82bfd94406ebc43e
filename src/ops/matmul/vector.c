/* vector.c - a matrix times a vector on CPUs: bound by memory, so the
 * matrix is read once, in order, by all units alike. */
#include "base/size.h"
#include "device/seq.h"
#include "ops/matmul/panels.h"
#include "shared/matmul_tile.h"

enum {
	/* Elements of A that a work-group reads at least: fewer do not pay for
	 * its start. */
	MATVEC_SHARE = 1 << 15,
	/* Work-groups that are made at most, as a multiple of those wanted
	 * (product_groups). */
	MOST_GROUPS = 4,
	/* Lines of a split are a multiple of so many, whole cache lines. */
	SPLIT_ALIGNED = 64,
};

/* A matrix times a vector: rows x cols are A's as it lies in memory. */
struct matvec {
	size_t rows, cols, stack, groups;	/* groups: wanted */
	struct buf a, x, y, places;
};

/* Of `whole` rows (or columns) to sum over, how many a split takes so that
 * `groups` work-groups become `wanted`: all of them where there are enough
 * already, as in a stack; `least` at least. */
static size_t split_of(const struct matvec *v, size_t whole, size_t groups,
                      size_t wanted, size_t least)
{
	if (v->stack > 1 || groups >= wanted)
		return whole;
	return size_min(whole, size_round_up(size_max(least,
	           size_blocks(whole, size_blocks(wanted, groups))),
	           SPLIT_ALIGNED));
}

/* y = A x, split into ranges of `width` columns. */
static void launch_rows(struct seq *s, const struct matvec *v, size_t height,
                        size_t width)
{
	size_t groups = size_blocks(v->rows, height) *
	                size_blocks(v->cols, width);

	seq_launch(s, "matvec_rows", GRID1(v->stack * groups, 1),
	           ARG_BUF(v->a), ARG_BUF(v->x), ARG_BUF(v->y),
	           ARG_BUF(v->places), ARG_INT(v->stack), ARG_INT(v->rows),
	           ARG_INT(v->cols), ARG_INT(height), ARG_INT(width));
}

/* y = A' x, split into ranges of `height` rows. */
static void launch_columns(struct seq *s, const struct matvec *v,
                           size_t height)
{
	size_t groups = size_blocks(v->cols, MATVEC_CHUNK) *
	                size_blocks(v->rows, height);

	seq_launch(s, "matvec_columns", GRID1(v->stack * groups, 1),
	           ARG_BUF(v->a), ARG_BUF(v->x), ARG_BUF(v->y),
	           ARG_BUF(v->places), ARG_INT(v->stack), ARG_INT(v->rows),
	           ARG_INT(v->cols), ARG_INT(height),
	           ARG_LOCAL(MATVEC_CHUNK * dtype_bytes(seq_dtype(s))));
}

static struct buf ones(struct seq *s, size_t n)
{
	size_t size = dtype_bytes(seq_dtype(s));
	struct buf b = seq_scratch(s, n * size);
	const float one_float = 1;
	const double one = 1;

	seq_fill(s, b, 0, n * size,
	         seq_dtype(s) == FLOAT32 ? (const void *)&one_float : &one,
	         size);
	return b;
}

/* Rows and columns of A that a work-group reads, and ranges that each sum is
 * split into. They are the whole product's in all of its panels (panels.h),
 * which may have fewer lines. */
struct blocking {
	size_t height, width, k_splits;
};

static struct blocking blocking_rows(const struct matvec *v)
{
	size_t share = size_max(MATVEC_SHARE / v->cols,
	                        size_blocks(v->rows, MOST_GROUPS * v->groups));
	size_t height = size_round_up(share, MATVEC_ROWS);
	size_t width = split_of(v, v->cols, size_blocks(v->rows, height),
	                       v->groups, MATVEC_SHARE / MATVEC_ROWS);

	return (struct blocking){ height, width, size_blocks(v->cols, width) };
}

static struct blocking blocking_columns(const struct matvec *v)
{
	size_t n_blocks = size_blocks(v->cols, MATVEC_CHUNK);
	size_t least = MATVEC_SHARE / size_min(v->cols, MATVEC_CHUNK);
	size_t height = split_of(v, v->rows, n_blocks, MOST_GROUPS * v->groups,
	                         least);

	return (struct blocking){ height, v->cols,
	                        size_blocks(v->rows, height) };
}

static void run_rows(struct seq *s, const struct matvec *v,
                     const struct blocking *of)
{
	struct matvec first = *v, sum = *v;

	if (of->k_splits == 1) {
		launch_rows(s, v, of->height, of->width);
		return;
	}
	first.y = seq_scratch(s, v->rows * of->k_splits *
	                         dtype_bytes(seq_dtype(s)));
	launch_rows(s, &first, of->height, of->width);
	sum.a = first.y;
	sum.x = ones(s, of->k_splits);
	sum.cols = of->k_splits;
	launch_rows(s, &sum, v->rows, of->k_splits);
}

static void run_columns(struct seq *s, const struct matvec *v,
                        const struct blocking *of)
{
	struct matvec first = *v, sum = *v;

	if (of->k_splits == 1) {
		launch_columns(s, v, of->height);
		return;
	}
	first.y = seq_scratch(s, v->cols * of->k_splits *
	                         dtype_bytes(seq_dtype(s)));
	launch_columns(s, &first, of->height);
	sum.a = first.y;
	sum.x = ones(s, of->k_splits);
	sum.rows = of->k_splits;
	launch_columns(s, &sum, of->k_splits);
}

/* Does A lie in memory as its transpose? */
static bool is_transposed(const struct product *p)
{
	return p->a_col != 1 && p->a_row == 1;
}

static struct matvec matvec_of(const struct sheet *d, const struct product *p,
                               bool transposed)
{
	return (struct matvec){
		.rows = transposed ? p->k : p->m,
		.cols = transposed ? p->m : p->k,
		.stack = p->stack, .groups = product_groups(d, p),
	};
}

struct plan {
	struct blocking of;
	struct cuts cuts;
	bool transposed;
};

static struct plan plan_of(const struct sheet *d, enum dtype t,
                         const struct product *p)
{
	struct plan w = { .transposed = is_transposed(p) };
	const struct matvec v = matvec_of(d, p, w.transposed);

	w.of = w.transposed ? blocking_columns(&v) : blocking_rows(&v);
	w.cuts = product_cuts(p, need_most(d, t), w.of.k_splits, 1);
	return w;
}

static void launch(struct seq *s, const struct panel *x, void *plan)
{
	const struct plan *w = plan;
	struct matvec v = matvec_of(seq_sheet(s), &x->p, w->transposed);

	v.a = x->a;
	v.x = x->b;
	v.y = x->c;
	v.places = x->places;
	seq_work(s, product_flops(&x->p),
	         product_bytes(&x->p, seq_dtype(s)));
	(w->transposed ? run_columns : run_rows)(s, &v, &w->of);
}

void matmul_vector_need(struct need *n, const struct sheet *d, enum dtype t,
                        const struct product *p)
{
	const struct plan w = plan_of(d, t, p);
	const size_t size = w.of.k_splits * dtype_bytes(t);
	const size_t launches = size_blocks(p->m, w.cuts.rows);

	product_need(n, d, t, p, &w.cuts);
	if (w.of.k_splits > 1)
		need_scratch(n, (p->m + launches) * size, w.cuts.rows * size);
}

int matmul_vector_run(struct seq *s, const struct product *p)
{
	struct plan w = plan_of(seq_sheet(s), seq_dtype(s), p);

	product_panels(s, p, &w.cuts, launch, &w);
	return seq_finish(s);
}
