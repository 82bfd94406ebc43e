/* direct.c - float32 products on tensor cores from unpacked operands, for
 * products so small, thin or shallow that packing costs more time than it
 * saves. */
#include "base/size.h"
#include "ops/matmul/launch.h"
#include "ops/matmul/probe.h"
#include "ops/matmul/sum.h"
#include "shared/matmul_tensor.h"

void gemm_launch_direct(struct seq *s, const struct panel *x, void *call)
{
	const struct gemm_call *w = call;
	const struct product *p = &x->p;
	const struct gemm_plan g = gemm_plan_panel(w->plan, &w->on, p);
	const size_t bytes = gemm_scratch_of(&w->on, &g, p).splits;
	const size_t items = g.kernel->items;
	const bool sum = g.k_splits > 1 && !g.adds;
	const struct buf splits = bytes > 0 ? seq_scratch(s, bytes) : x->c;
	const struct buf count = g.adds ? seq_counters(s) : x->c;

	/* C = A B, or a product for each split of k */
	seq_work(s, product_flops(p), product_bytes(p, FLOAT32));
	seq_launch(s, g.kernel->name, GRID1(g.groups * items, items),
	           ARG_BUF(x->a), ARG_BUF(x->b),
	           ARG_BUF(sum ? splits : x->c), ARG_BUF(x->places),
	           ARG_INT(p->stack), ARG_INT(p->m), ARG_INT(p->n),
	           ARG_INT(p->k), ARG_LONG(p->a_row), ARG_LONG(p->a_col),
	           ARG_LONG(p->b_row), ARG_LONG(p->b_col), ARG_INT(g.depth),
	           ARG_BUF(splits), ARG_BUF(count), ARG_INT(g.adds),
	           ARG_FIRST(0));

	/* C = the sum of the splits' products */
	if (sum)
		matmul_sum(s, &g, splits, x->c, p->stack * p->m * p->n);
}

bool gemm_direct_is_right(struct seq *s, const char *kernel)
{
	static const struct probe probes[] = {
		{ PROBE_ODD, false, false }, { PROBE_ALIGNED, false, false },
		{ PROBE_ODD, false, true }, { PROBE_ALIGNED, false, true },
		{ PROBE_ODD, true, false }, { PROBE_ALIGNED, true, false },
		{ PROBE_ODD, true, true }, { PROBE_ALIGNED, true, true },
		{ PROBE_DEEP, false, false },
	};
	struct gemm_forced way = { gemm_kernel_find(kernel), .k_splits = 1 };

	for (size_t i = 0; i < 2 * COUNT(probes); i++) {
		const struct probe *x = &probes[i / 2];

		way.k_splits = i % 2 ? x->k / TENSOR_DEPTH : 1;
		if (!matmul_probe(s, x, &way))
			return false;
	}
	return true;
}
