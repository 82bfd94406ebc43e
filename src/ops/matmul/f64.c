/* f64.c - float64 products on tensor cores: C = A B or C -= A B. */
#include "base/size.h"
#include "ops/matmul/launch.h"
#include "ops/matmul/probe.h"
#include "ops/matmul/tensor.h"
#include "shared/matmul_tensor.h"

/* C += the partial sums in fix_up. */
static void add_fix_up(struct seq *s, const struct gemm_plan *g,
                       const struct tensor_product *x, struct buf fix_up)
{
	const struct gemm_kernel *w = g->kernel;
	const struct product *p = &x->p;

	seq_launch(s, "matmul_tensor_f64_rest",
	           GRID2(w->rows * w->cols / TENSOR_REST_EACH, g->groups,
	                 TENSOR_REST_ITEMS, 1),
	           ARG_BUF(fix_up), ARG_BUF(x->c), ARG_INT(p->m), ARG_INT(p->n),
	           ARG_INT(p->k), ARG_LONG(x->c_at), ARG_INT(x->c_row),
	           ARG_INT(g->stream_k), ARG_INT(g->groups), ARG_INT(w->rows),
	           ARG_INT(w->cols), ARG_INT(w->slab));
}

/* Computes tiles `first` to `end` of `tiles`. */
static void multiply(struct seq *s, const struct gemm_plan *g,
                     const struct tensor_product *x, struct buf fix_up,
                     size_t tiles, size_t first, size_t end)
{
	const struct gemm_kernel *w = g->kernel;
	const struct product *p = &x->p;
	const double share = (double)(end - first) / (double)tiles;

	seq_work(s, share * product_flops(p),
	         share * product_bytes(p, FLOAT64));
	seq_launch(s, w->name, GRID1(size_min(g->groups, end - first) *
	                             w->items, w->items),
	           ARG_BUF(x->a), ARG_BUF(x->b), ARG_BUF(x->c),
	           ARG_BUF(x->places), ARG_INT(p->stack), ARG_INT(p->m),
	           ARG_INT(p->n), ARG_INT(p->k), ARG_LONG(p->a_row),
	           ARG_LONG(p->a_col), ARG_LONG(p->b_row), ARG_LONG(p->b_col),
	           ARG_LONG(x->a_at), ARG_LONG(x->b_at), ARG_LONG(x->c_at),
	           ARG_INT(x->c_row), ARG_INT(g->depth), ARG_INT(x->minus),
	           ARG_BUF(fix_up), ARG_INT(g->stream_k), ARG_INT(first),
	           ARG_INT(end), ARG_BUF(x->again.words),
	           ARG_LONG(x->again.at), ARG_INT(x->again.wide),
	           ARG_INT(x->again.when));
}

void f64_multiply(struct seq *s, const struct gemm_plan *g,
                  const struct tensor_product *x)
{
	const struct gemm_on on = { .d = seq_sheet(s), .t = FLOAT64 };
	const struct product *p = &x->p;
	const size_t partial = gemm_scratch_of(&on, g, p).fix_up;
	const struct buf fix_up = partial > 0 ? seq_scratch(s, partial) : x->c;
	const size_t tiles = p->stack * g->m_blocks * g->n_blocks *
	                     g->k_splits;
	const size_t each = g->stream_k > 0 ? tiles : tensor_each(g, p);

	for (size_t i = 0; i < tiles; i += each)
		multiply(s, g, x, fix_up, tiles, i, size_min(i + each, tiles));
	if (g->stream_k > 0)
		add_fix_up(s, g, x, fix_up);
}

/* Each probe has four tiles, three of which lie mostly beyond an edge of C, and
 * two work-groups, which use their ring of slabs more than once. Half of the
 * probes use Stream-K and the others split k in two. The strides between
 * elements are even in some probes and odd in others, because the kernel copies
 * them differently. */
bool gemm_f64_is_right(struct seq *s, const char *kernel)
{
	const enum gemm_kernel_id id = gemm_kernel_find(kernel);
	const struct gemm_kernel *w = &gemm_kernels[id];

	for (size_t i = 0; i < 8; i++) {
		const bool odd = i % 2;
		const struct probe x = {
			w->rows + 21 - odd, w->cols + 20 + odd, 174 + odd,
			i & 2, i & 4
		};

		if (!matmul_probe(s, &x, &(struct gemm_forced){
		        id, .k_splits = odd ? 2 : 1, .most_groups = 2,
		        .stream_k = odd ? 0 : 3 }))
			return false;
	}
	return true;
}

bool f64_trusts(struct seq *s, enum gemm_kernel_id kernel)
{
	return seq_trusts(s, gemm_kernels[kernel].name, gemm_f64_is_right);
}
