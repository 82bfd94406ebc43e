/* matmul_vector.c - a matrix times a vector on CPUs: bound by memory, so the
 * matrix is read once, in order, by all units alike. */
#include "base/size.h"
#include "device/seq.h"
#include "matmul_tile.h"
#include "ops/matmul_product.h"

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

static void run_rows(struct seq *s, const struct matvec *v)
{
	size_t share = size_max(MATVEC_SHARE / v->cols,
	                        size_blocks(v->rows, 4 * v->groups));
	size_t height = size_round_up(share, MATVEC_ROWS);
	size_t width = part_of(v, v->cols, size_blocks(v->rows, height),
	                       v->groups, MATVEC_SHARE / MATVEC_ROWS);
	size_t parts = size_blocks(v->cols, width);
	struct matvec first = *v, sum = *v;

	if (parts == 1) {
		launch_rows(s, v, height, width);
		return;
	}
	first.y = seq_scratch(s, v->rows * parts * dtype_bytes(seq_dtype(s)));
	launch_rows(s, &first, height, width);
	sum.a = first.y;
	sum.x = ones(s, parts);
	sum.cols = parts;
	launch_rows(s, &sum, v->rows, parts);
}

static void run_columns(struct seq *s, const struct matvec *v)
{
	size_t across = size_blocks(v->cols, MATVEC_CHUNK);
	size_t least = MATVEC_SHARE / size_min(v->cols, MATVEC_CHUNK);
	size_t height = part_of(v, v->rows, across, 4 * v->groups, least);
	size_t parts = size_blocks(v->rows, height);
	struct matvec first = *v, sum = *v;

	if (parts == 1) {
		launch_columns(s, v, height);
		return;
	}
	first.y = seq_scratch(s, v->cols * parts * dtype_bytes(seq_dtype(s)));
	launch_columns(s, &first, height);
	sum.a = first.y;
	sum.x = ones(s, parts);
	sum.rows = parts;
	launch_columns(s, &sum, parts);
}

/* A lies in memory as it is, or transposed. */
int matmul_vector_run(struct seq *s, const struct product *p)
{
	bool transposed = p->a_col != 1 && p->a_row == 1;
	struct matvec v = {
		.rows = transposed ? p->k : p->m,
		.cols = transposed ? p->m : p->k,
		.stack = p->stack,
		.groups = product_groups(s, p),
		.a = seq_input(s, p->a),
		.x = seq_input(s, p->b),
		.y = seq_output(s, p->c),
	};

	v.places = v.a;
	product_places(s, p, &v.places);
	seq_work(s, product_flops(p), product_bytes(p, seq_dtype(s)));
	(transposed ? run_columns : run_rows)(s, &v);
	return seq_finish(s);
}
