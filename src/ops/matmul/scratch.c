/* scratch.c - the device memory that a product takes by its plan. */
#include "base/size.h"
#include "ops/matmul/launch.h"
#include "ops/matmul/share.h"
#include "shared/matmul_tensor.h"
#include "shared/matmul_tile.h"

size_t gemm_packed_a(const struct gemm_kernel *w, const struct product *p,
                     const struct cuts *c)
{
	return c->stack * size_round_up(c->rows, w->rows) *
	       size_round_up(p->k, gemm_depth(w));
}

size_t gemm_packed_b(const struct gemm_kernel *w, const struct product *p,
                     const struct cuts *c)
{
	const size_t cols = size_max(size_round_up(c->cols, w->cols),
	                             size_round_up(c->cols,
	                                           TENSOR_3XTF32_COLS));

	return c->stack * cols * w->terms *
	       size_round_up(p->k, gemm_depth(w));
}

/* Returns the elements that a split's products take: whole tiles if the kernel
 * adds the splits, else as many as C has. */
static size_t split_elements(const struct gemm_plan *g,
                             const struct product *p)
{
	return p->stack * (g->adds ?
	                   g->m_blocks * g->n_blocks * g->rows * g->cols :
	                   p->m * p->n);
}

/* Returns the bytes of B's packed panels on a CPU. */
static size_t panel_bytes(const struct gemm_on *on, const struct product *p)
{
	const size_t cols = MATMUL_PANEL_BYTES / dtype_bytes(on->t);

	return p->b_stack * p->k * size_blocks(p->n, cols) *
	       MATMUL_PANEL_BYTES;
}

struct gemm_scratch gemm_scratch_of(const struct gemm_on *on,
                                    const struct gemm_plan *g,
                                    const struct product *p)
{
	const struct gemm_kernel *w = g->kernel;
	const size_t each = g->k_splits * dtype_bytes(on->t);
	struct gemm_scratch x = { 0 };

	if (g->k_splits > 1)
		x.splits = each * split_elements(g, p);
	if (g->k_splits > 1 && w->launch == gemm_launch_matvec)
		x.ones = each;
	if (w->scratch)
		w->scratch(g, p, &x);
	else if (w->pack)
		x.packed_b = panel_bytes(on, p);
	if (g->stream_k > 0)
		x.fix_up = gemm_resident(on, w) * w->rows * w->cols *
		           sizeof(double);
	return x;
}

/* Returns the first panel, which is the largest. */
static struct product first_panel(const struct product *p,
                                  const struct cuts *c)
{
	struct product first = *p;

	first.stack = c->stack;
	first.m = c->rows;
	first.n = c->cols;
	first.a_stack = size_min(p->a_stack, c->stack);
	first.b_stack = size_min(p->b_stack, c->stack);
	return first;
}

/* Adds the memory of the splits to n. The splits of the direct kernel are
 * counted as if all panels were as large as the first. */
static void need_splits(struct need *n, const struct gemm_on *on,
                        const struct gemm_plan *g, const struct product *p,
                        const struct gemm_scratch *first)
{
	const struct cuts *c = &g->cuts;
	const size_t panels = size_blocks(p->stack, c->stack) *
	    size_blocks(p->m, c->rows) * size_blocks(p->n, c->cols);

	if (first->splits > 0)
		need_scratch(n, g->kernel->most_added > 0 ?
		                panels * first->splits :
		                gemm_scratch_of(on, g, p).splits,
		             first->splits);
	need_scratch(n, panels * first->ones, first->ones);
}

/* Adds the memory of packed B on a CPU to n. Every slice of the stack and every
 * cut of n packs its own part of B, unless the stack shares one B that is not
 * cut. */
static void need_panels(struct need *n, const struct gemm_on *on,
                        const struct gemm_plan *g, const struct product *p,
                        const struct gemm_scratch *first)
{
	const bool again = p->b_stack == 1 && g->cuts.cols < p->n;
	const size_t times = again ? size_blocks(p->stack, g->cuts.stack) : 1;
	struct product part = *p;
	size_t all;

	part.n = g->cuts.cols;
	all = panel_bytes(on, &part) * (p->n / part.n);
	part.n = p->n % g->cuts.cols;
	all += panel_bytes(on, &part);
	need_scratch(n, times * all, first->packed_b);
}

void gemm_need(struct need *n, const struct gemm_on *on,
               const struct gemm_plan *g, const struct product *whole)
{
	const struct product p = g->turned ? product_transposed(whole) : *whole;
	const struct product panel = first_panel(&p, &g->cuts);
	const struct gemm_plan of_panel = gemm_plan_panel(g, on, &panel);
	const struct gemm_scratch first = gemm_scratch_of(on, &of_panel,
	                                                  &panel);

	product_need(n, on->d, on->t, &p, &g->cuts);
	need_splits(n, on, g, &p, &first);
	if (first.packed_a > 0) {
		need_buffer(n, first.packed_a);
		need_buffer(n, first.packed_b);
		if (first.lines > 0)
			need_buffer(n, first.lines);
		if (first.residues > 0) {
			need_buffer(n, first.residues);
			need_buffer(n, RESIDUES_WORDS * sizeof(uint32_t));
		}
	} else if (first.packed_b > 0) {
		need_panels(n, on, g, &p, &first);
	}
	if (first.fix_up > 0)
		need_buffer(n, first.fix_up);
}
