/* tile.c - products on any device, by a single launch: tiles in local memory,
 * kernels for thin products, and the three versions of "Speeding up Matrix
 * Multiplication on GPGPU" (2021). */
#include "ops/matmul/launch.h"

void gemm_launch_tile(struct seq *s, const struct panel *x, void *call)
{
	const struct gemm_call *w = call;
	const struct product *p = &x->p;
	const struct gemm_plan g = gemm_plan_panel(w->plan, &w->on, p);
	const size_t items = g.kernel->items;

	/* C = A B */
	seq_work(s, product_flops(p), product_bytes(p, w->on.t));
	seq_launch(s, g.kernel->name, GRID1(g.groups * items, items),
	           ARG_BUF(x->a), ARG_BUF(x->b), ARG_BUF(x->c),
	           ARG_BUF(x->places), ARG_INT(p->stack),
	           ARG_INT(p->m), ARG_INT(p->n), ARG_INT(p->k),
	           ARG_LONG(p->a_row), ARG_LONG(p->a_col), ARG_LONG(p->b_row),
	           ARG_LONG(p->b_col), ARG_FIRST(0));
}
