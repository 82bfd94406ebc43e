/* vector.c - a matrix times a vector on CPUs. The product is bound by memory,
 * so the matrix is read once, in order, in equal shares for all compute
 * units. */
#include "base/size.h"
#include "ops/matmul/launch.h"
#include "shared/matmul_tile.h"

/* y = A x, where each of the m elements of y is a sum of k products. A
 * work-group computes `rows` of these sums over `depth` of k. */
struct matvec {
	size_t m, k, stack, rows, depth;
	struct buf a, x, y, places;
};

/* matvec_columns is for an A that is stored as its transpose: k rows of m
 * elements. Each of its work-groups computes MATVEC_CHUNK sums. */
static void launch(struct seq *s, const struct gemm_kernel *w,
                   const struct matvec *v)
{
	const bool columns = w == &gemm_kernels[GEMM_MATVEC_COLUMNS];
	const struct grid grid = GRID1(v->stack * size_blocks(v->m, v->rows) *
	                               size_blocks(v->k, v->depth), 1);

	if (columns)
		seq_launch(s, w->name, grid, ARG_BUF(v->a), ARG_BUF(v->x),
		           ARG_BUF(v->y), ARG_BUF(v->places),
		           ARG_INT(v->stack), ARG_INT(v->k), ARG_INT(v->m),
		           ARG_INT(v->depth), ARG_LOCAL(MATVEC_CHUNK *
		               dtype_bytes(seq_dtype(s))), ARG_FIRST(0));
	else
		seq_launch(s, w->name, grid, ARG_BUF(v->a), ARG_BUF(v->x),
		           ARG_BUF(v->y), ARG_BUF(v->places),
		           ARG_INT(v->stack), ARG_INT(v->m), ARG_INT(v->k),
		           ARG_INT(v->rows), ARG_INT(v->depth), ARG_FIRST(0));
}

static struct buf ones(struct seq *s, size_t bytes)
{
	struct buf b = seq_scratch(s, bytes);
	const float one_float = 1;
	const double one = 1;

	seq_fill(s, b, 0, bytes,
	         seq_dtype(s) == FLOAT32 ? (const void *)&one_float : &one,
	         dtype_bytes(seq_dtype(s)));
	return b;
}

void gemm_launch_matvec(struct seq *s, const struct panel *x, void *call)
{
	const struct gemm_call *w = call;
	const struct product *p = &x->p;
	const struct gemm_plan g = gemm_plan_panel(w->plan, &w->on, p);
	const struct gemm_scratch scratch = gemm_scratch_of(&w->on, &g, p);
	struct matvec v = {
		p->m, p->k, p->stack, g.rows, g.depth,
		x->a, x->b, x->c, x->places
	};
	struct matvec sum = v;

	seq_work(s, product_flops(p), product_bytes(p, w->on.t));
	if (g.k_splits == 1) {
		launch(s, g.kernel, &v);
		return;
	}
	/* y = the splits' sums, a matrix of m rows, times a vector of ones */
	sum.a = v.y = seq_scratch(s, scratch.splits);
	launch(s, g.kernel, &v);
	sum.x = ones(s, scratch.ones);
	sum.k = sum.depth = g.k_splits;
	if (g.kernel->rows == 0)
		sum.rows = p->m;
	launch(s, g.kernel, &sum);
}
