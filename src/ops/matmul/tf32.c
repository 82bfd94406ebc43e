/* tf32.c - float32 products on tensor cores from packed operands: C = A B or C
 * -= A B. */
#include "base/size.h"
#include "ops/matmul/launch.h"
#include "ops/matmul/probe.h"
#include "ops/matmul/tensor.h"
#include "shared/matmul_tensor.h"

/* The work-groups along k that pack what most often need not be packed: with
 * few, a launch in vain takes little time. */
enum { AGAIN_GROUPS = 8 };

static void pack(struct seq *s, const struct gemm_plan *g,
                 const struct tensor_product *x,
                 const struct tensor_room *room, const struct part *at,
                 const struct tensor_again *again)
{
	const struct product *p = &x->p;
	const struct cuts *c = &at->size;
	const size_t depths = size_blocks(p->k, TENSOR_DEPTH);
	const size_t units = size_blocks(c->rows, TENSOR_PACK_LINES) +
	    size_blocks(c->cols, g->cols) * (g->cols / TENSOR_PACK_LINES);

	seq_launch(s, g->kernel->pack,
	           GRID2(c->stack * units * TENSOR_PACK_ITEMS,
	           again->words.id == 0 ? depths :
	           size_min(depths, AGAIN_GROUPS), TENSOR_PACK_ITEMS, 1),
	           ARG_BUF(x->a), ARG_BUF(x->b), ARG_BUF(room->a),
	           ARG_BUF(room->b), ARGS_OPERANDS(x, at),
	           ARG_INT(depths * (TENSOR_DEPTH / TENSOR_SLAB)),
	           ARG_BUF(again->words), ARG_LONG(again->at));
}

/* Computes tiles `first` to `end` of the part's `tiles`. */
static void multiply(struct seq *s, const struct gemm_plan *g,
                     const struct tensor_product *x,
                     const struct tensor_room *room, const struct part *at,
                     const struct tensor_again *again, size_t tiles,
                     size_t first, size_t end)
{
	const struct product *p = &x->p;
	const struct cuts *c = &at->size;
	const struct gemm_kernel *w = g->kernel;
	const size_t step = p->m * x->c_row, items = w->items;
	const size_t groups = size_min(end - first, g->most_groups);
	const size_t elements = c->stack * c->rows * c->cols;
	const double share = (double)(end - first) / (double)tiles;

	if (again->words.id == 0)
		seq_work(s, share * 2.0 * (double)elements * (double)p->k,
		         share * (double)(gemm_packed_a(w, p, c) +
		                          gemm_packed_b(w, p, c) + elements) *
		         sizeof(float));
	seq_launch(s, w->name, GRID1(groups * items, items),
	           ARG_BUF(room->a), ARG_BUF(room->b), ARG_BUF(x->c),
	           ARG_INT(end), ARG_INT(c->stack), ARG_INT(c->rows),
	           ARG_INT(c->cols), ARG_INT(size_round_up(p->k, TENSOR_DEPTH) /
	                                     TENSOR_SLAB),
	           ARG_INT(g->depth / TENSOR_SLAB),
	           ARG_LONG(x->c_at + at->q * step + at->i * x->c_row + at->j),
	           ARG_INT(x->c_row), ARG_LONG(step),
	           ARG_LONG(g->adds ? 0 : p->stack * step),
	           ARG_INT(x->minus), ARG_INT(first), ARG_BUF(x->splits),
	           ARG_BUF(x->count), ARG_INT(g->adds),
	           ARG_BUF(again->words), ARG_LONG(again->at),
	           ARG_INT(again->wide));
}

void tf32_part(struct seq *s, const struct gemm_plan *g,
               const struct tensor_product *x, const struct tensor_room *room,
               const struct part *at, const struct tensor_again *again)
{
	const struct cuts *c = &at->size;
	const size_t tiles = c->stack * size_blocks(c->rows, g->rows) *
	    size_blocks(c->cols, g->cols) * g->k_splits;
	const size_t each = tensor_each(g, &x->p);

	pack(s, g, x, room, at, again);
	for (size_t i = 0; i < tiles; i += each)
		multiply(s, g, x, room, at, again, tiles, i,
		         size_min(i + each, tiles));
}

void tf32_whole_part(struct seq *s, const struct gemm_plan *g,
                     const struct tensor_product *x,
                     const struct tensor_room *room, const struct part *at)
{
	static const struct tensor_again all = { { 0 }, 0, 0, 0 };

	tf32_part(s, g, x, room, at, &all);
}

void tf32_scratch(const struct gemm_plan *g, const struct product *p,
                  struct gemm_scratch *x)
{
	const struct gemm_kernel *w = g->kernel;

	x->packed_a = gemm_packed_a(w, p, &g->packed) * sizeof(float);
	x->packed_b = gemm_packed_b(w, p, &g->packed) * sizeof(float);
}

bool gemm_tf32_is_right(struct seq *s, const char *kernel)
{
	static const struct probe probe = { PROBE_ODD, false, false };
	struct gemm_forced way = { gemm_kernel_find(kernel), .k_splits = 1 };

	if (!matmul_probe(s, &probe, &way))
		return false;
	way.k_splits = probe.k / TENSOR_DEPTH;
	return matmul_probe(s, &probe, &way);
}
