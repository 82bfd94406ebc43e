/* packed.c - products on CPUs: a separate launch packs B into panels, or a
 * single launch packs operands as it goes. */
#include "base/size.h"
#include "ops/matmul/launch.h"
#include "shared/matmul_tile.h"

static void launch_sum(struct seq *s, const struct panel *x,
                       struct buf splits, size_t k_splits)
{
	const size_t size = x->p.m * x->p.n, all = x->p.stack * size;

	seq_work(s, 0, (double)all * (double)(k_splits + 1) *
	               (double)dtype_bytes(seq_dtype(s)));
	seq_launch(s, "matmul_sum",
	           GRID1(x->p.stack * size_blocks(size, MATMUL_SUM), 1),
	           ARG_BUF(splits), ARG_BUF(x->c),
	           ARG_INT(k_splits), ARG_LONG(size), ARG_FIRST(0));
}

void gemm_launch_small(struct seq *s, const struct panel *x, void *call)
{
	const struct gemm_call *w = call;
	const struct product *p = &x->p;
	const struct gemm_plan g = gemm_plan_panel(w->plan, &w->on, p);
	struct buf c = x->c;

	if (g.k_splits > 1)
		c = seq_scratch(s, gemm_scratch_of(&w->on, &g, p).splits);

	/* C = A B */
	seq_work(s, product_flops(p), product_bytes(p, w->on.t));
	seq_launch(s, g.kernel->name, GRID1(g.groups, 1),
	           ARG_BUF(x->a), ARG_BUF(x->b), ARG_BUF(c),
	           ARG_BUF(x->places), ARG_INT(p->stack),
	           ARG_INT(p->m), ARG_INT(p->n), ARG_INT(p->k),
	           ARG_LONG(p->a_row), ARG_LONG(p->a_col), ARG_LONG(p->b_row),
	           ARG_LONG(p->b_col), ARG_INT(g.m_blocks),
	           ARG_INT(g.n_blocks), ARG_INT(g.k_splits), ARG_INT(g.kc),
	           ARG_LOCAL(g.cols * g.kc * dtype_bytes(w->on.t)),
	           ARG_FIRST(0));
	if (g.k_splits > 1)
		launch_sum(s, x, c, g.k_splits);
}

static void pack(struct seq *s, const struct panel *x, struct gemm_call *w,
                 const struct gemm_plan *g)
{
	const struct product *p = &x->p;
	const size_t packed = gemm_scratch_of(&w->on, g, p).packed_b;
	const size_t groups = size_blocks(p->k, MATMUL_DEPTH) *
	    size_blocks(p->n, MATMUL_PANEL_BYTES / dtype_bytes(w->on.t));

	w->from = x->b;
	w->room.b = seq_scratch(s, packed);
	seq_work(s, 0, 2 * (double)packed);
	seq_launch(s, g->kernel->pack, GRID1(p->b_stack * groups, 1),
	           ARG_BUF(x->b), ARG_BUF(w->room.b), ARG_INT(p->n),
	           ARG_INT(p->k), ARG_LONG(p->b_row), ARG_LONG(p->b_col),
	           ARG_FIRST(0));
}

void gemm_launch_packed(struct seq *s, const struct panel *x, void *call)
{
	struct gemm_call *w = call;
	const struct product *p = &x->p;
	const struct gemm_plan g = gemm_plan_panel(w->plan, &w->on, p);

	/* pack B into panels */
	if (w->from.id != x->b.id)
		pack(s, x, w, &g);

	/* C = A B */
	seq_work(s, product_flops(p), product_bytes(p, w->on.t));
	seq_launch(s, g.kernel->name, GRID1(g.groups, 1),
	           ARG_BUF(x->a), ARG_BUF(w->room.b), ARG_BUF(x->c),
	           ARG_BUF(x->places), ARG_INT(p->stack),
	           ARG_INT(p->m), ARG_INT(p->n), ARG_INT(p->k),
	           ARG_LONG(p->a_row), ARG_LONG(p->a_col),
	           ARG_INT(g.m_blocks), ARG_INT(g.n_blocks),
	           ARG_LOCAL(g.rows * MATMUL_DEPTH * dtype_bytes(w->on.t)),
	           ARG_FIRST(0));
}
