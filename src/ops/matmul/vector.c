/* vector.c - a matrix times a vector on CPUs: bound by memory, so the
 * matrix is read once, in order, by all units alike. */
#include "base/size.h"
#include "device/seq.h"
#include "ops/matmul/panels.h"
#include "shared/matmul_tile.h"

/* Elements that one work-group of a matrix times a vector reads at least. */
enum { MATVEC_SHARE = 1 << 15 };

/* A matrix times a vector: A as it lies in memory, rows x cols. */
struct matvec {
	size_t rows, cols, stack, groups;	/* groups: wanted */
	struct buf a, x, y, places;
};

/* How many rows (or columns) a part of the sums takes so that `groups`
 * groups become `wanted`: all of them, if they are enough already. A stack
 * has groups enough. */
static size_t part_of(const struct matvec *v, size_t whole, size_t groups,
                      size_t wanted, size_t least)
{
	if (v->stack > 1 || groups >= wanted)
		return whole;
	return size_min(whole, size_round_up(size_max(least,
	           size_blocks(whole, size_blocks(wanted, groups))), 64));
}

/* y = A x, in `width` columns' parts. */
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

/* y = A' x, in `height` rows' parts. */
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

/* Rows and columns of a work-group, and parts that each sum has: the same
 * in all panels of the result, whose lines may be fewer. */
struct shares {
	size_t height, width, parts;
};

static struct shares share_rows(const struct matvec *v)
{
	size_t share = size_max(MATVEC_SHARE / v->cols,
	                        size_blocks(v->rows, 4 * v->groups));
	size_t height = size_round_up(share, MATVEC_ROWS);
	size_t width = part_of(v, v->cols, size_blocks(v->rows, height),
	                       v->groups, MATVEC_SHARE / MATVEC_ROWS);

	return (struct shares){ height, width, size_blocks(v->cols, width) };
}

static struct shares share_columns(const struct matvec *v)
{
	size_t across = size_blocks(v->cols, MATVEC_CHUNK);
	size_t least = MATVEC_SHARE / size_min(v->cols, MATVEC_CHUNK);
	size_t height = part_of(v, v->rows, across, 4 * v->groups, least);

	return (struct shares){ height, v->cols,
	                        size_blocks(v->rows, height) };
}

static void run_rows(struct seq *s, const struct matvec *v,
                     const struct shares *of)
{
	struct matvec first = *v, sum = *v;

	if (of->parts == 1) {
		launch_rows(s, v, of->height, of->width);
		return;
	}
	first.y = seq_scratch(s, v->rows * of->parts *
	                         dtype_bytes(seq_dtype(s)));
	launch_rows(s, &first, of->height, of->width);
	sum.a = first.y;
	sum.x = ones(s, of->parts);
	sum.cols = of->parts;
	launch_rows(s, &sum, v->rows, of->parts);
}

static void run_columns(struct seq *s, const struct matvec *v,
                        const struct shares *of)
{
	struct matvec first = *v, sum = *v;

	if (of->parts == 1) {
		launch_columns(s, v, of->height);
		return;
	}
	first.y = seq_scratch(s, v->cols * of->parts *
	                         dtype_bytes(seq_dtype(s)));
	launch_columns(s, &first, of->height);
	sum.a = first.y;
	sum.x = ones(s, of->parts);
	sum.rows = of->parts;
	launch_columns(s, &sum, of->parts);
}

/* Does A lie in memory transposed? */
static bool is_turned(const struct product *p)
{
	return p->a_col != 1 && p->a_row == 1;
}

static struct matvec matvec_of(const struct sheet *d, const struct product *p,
                               bool turned)
{
	return (struct matvec){
		.rows = turned ? p->k : p->m, .cols = turned ? p->m : p->k,
		.stack = p->stack, .groups = product_groups(d, p),
	};
}

struct way {
	struct shares of;
	struct cuts cuts;
	bool turned;
};

static struct way way_of(const struct sheet *d, enum dtype t,
                         const struct product *p)
{
	struct way w = { .turned = is_turned(p) };
	const struct matvec v = matvec_of(d, p, w.turned);

	w.of = w.turned ? share_columns(&v) : share_rows(&v);
	w.cuts = product_cuts(p, need_most(d, t), w.of.parts, 1);
	return w;
}

static void launch(struct seq *s, const struct panel *x, void *way)
{
	const struct way *w = way;
	struct matvec v = matvec_of(seq_sheet(s), &x->p, w->turned);

	v.a = x->a;
	v.x = x->b;
	v.y = x->c;
	v.places = x->places;
	seq_work(s, product_flops(&x->p),
	         product_bytes(&x->p, seq_dtype(s)));
	(w->turned ? run_columns : run_rows)(s, &v, &w->of);
}

void matmul_vector_need(struct need *n, const struct sheet *d, enum dtype t,
                        const struct product *p)
{
	const struct way w = way_of(d, t, p);
	const size_t size = w.of.parts * dtype_bytes(t);
	const size_t launches = size_blocks(p->m, w.cuts.rows);

	product_need(n, d, t, p, &w.cuts);
	if (w.of.parts > 1)
		need_scratch(n, (p->m + launches) * size, w.cuts.rows * size);
}

int matmul_vector_run(struct seq *s, const struct product *p)
{
	struct way w = way_of(seq_sheet(s), seq_dtype(s), p);

	product_panels(s, p, &w.cuts, launch, &w);
	return seq_finish(s);
}
