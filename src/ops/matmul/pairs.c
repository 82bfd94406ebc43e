/* pairs.c - float32 products on tensor cores by pairs of float16, or by halves:
 * C = A B. */
#include "base/size.h"
#include "ops/matmul/launch.h"
#include "ops/matmul/pairs.h"
#include "ops/matmul/probe.h"
#include "ops/matmul/share.h"
#include "ops/matmul/tensor.h"
#include "shared/matmul_tensor.h"

struct pairs_lines pairs_lines_of(const struct gemm_plan *g, size_t k,
                                  const struct cuts *part)
{
	const size_t down = size_blocks(part->rows, TENSOR_ROWS);
	const size_t across = size_blocks(part->cols, PAIRS_COLS);
	struct pairs_lines f = {
		.lines = part->stack *
		         (down * TENSOR_ROWS + across * PAIRS_COLS),
		.chunk = tensor_chunk(k, PAIRS_DEPTH),
		.wide = across * (PAIRS_COLS / PAIRS_AGAIN_COLS)
	};

	f.chunks = size_blocks(k, f.chunk);
	f.words = 1 + g->k_splits * part->stack * down * f.wide;
	f.bytes = ((f.chunks + 2) * f.lines + f.words) * sizeof(uint32_t);
	return f;
}

void pairs_scratch(const struct gemm_plan *g, const struct product *p,
                   struct gemm_scratch *x)
{
	tf32_scratch(g, p, x);
	x->lines = pairs_lines_of(g, p->k, &g->packed).bytes;
}

/* What the launches of a part have in common. */
struct work {
	struct seq *s;
	const struct gemm_plan *g;
	const struct tensor_product *x;
	const struct tensor_room *room;
	const struct part *at;
	struct pairs_lines lines;
};

static void pack(const struct work *w)
{
	const struct tensor_product *x = w->x;
	const struct part *at = w->at;
	const struct pairs_lines *f = &w->lines;
	const size_t items = f->lines / PAIRS_PACK_LINES * PAIRS_PACK_ITEMS;

	seq_launch(w->s, "matmul_pairs_largest",
	           GRID2(items, f->chunks, PAIRS_PACK_ITEMS, 1),
	           ARG_BUF(x->a), ARG_BUF(x->b), ARG_BUF(w->room->lines),
	           ARGS_OPERANDS(x, at), ARG_INT(f->lines), ARG_INT(f->chunk),
	           ARG_INT(f->words));
	seq_launch(w->s, w->g->kernel->pack,
	           GRID2(items, size_blocks(x->p.k, PAIRS_DEPTH),
	                 PAIRS_PACK_ITEMS, 1),
	           ARG_BUF(x->a), ARG_BUF(x->b), ARG_BUF(w->room->a),
	           ARG_BUF(w->room->b), ARG_BUF(w->room->lines),
	           ARGS_OPERANDS(x, at), ARG_INT(f->lines),
	           ARG_INT(f->chunks));
}

/* Computes tiles `first` to `end` of the part's `tiles`. */
static void multiply(const struct work *w, size_t tiles, size_t first,
                     size_t end)
{
	const struct tensor_product *x = w->x;
	const struct product *p = &x->p;
	const struct part *at = w->at;
	const struct cuts *c = &at->size;
	const struct gemm_kernel *k = w->g->kernel;
	const size_t step = p->m * x->c_row, items = k->items;
	const size_t groups = size_min(end - first, w->g->most_groups);
	const size_t elements = c->stack * c->rows * c->cols;
	const double share = (double)(end - first) / (double)tiles;
	const double packed = (double)(gemm_packed_a(k, p, c) +
	                               gemm_packed_b(k, p, c) / k->terms);

	seq_work(w->s, share * 2.0 * (double)elements * (double)p->k, share *
	         (packed * (double)(k->halves * sizeof(uint16_t)) +
	          (double)(elements * sizeof(float))));
	seq_launch(w->s, k->name, GRID1(groups * items, items),
	           ARG_BUF(w->room->a), ARG_BUF(w->room->b),
	           ARG_BUF(w->room->lines), ARG_BUF(x->c), ARG_INT(end),
	           ARG_INT(c->stack), ARG_INT(c->rows), ARG_INT(c->cols),
	           ARG_INT(size_blocks(p->k, PAIRS_DEPTH)),
	           ARG_INT(w->g->depth / PAIRS_DEPTH),
	           ARG_LONG(x->c_at + at->q * step + at->i * x->c_row + at->j),
	           ARG_INT(x->c_row), ARG_LONG(step),
	           ARG_LONG(p->stack * step), ARG_INT(first),
	           ARG_INT(w->lines.lines), ARG_INT(w->lines.chunks));
}

/* Computes as 3xTF32 what pairs or halves are not good enough for. */
static void multiply_again(const struct work *w)
{
	const struct gemm_on on = { .d = seq_sheet(w->s), .t = FLOAT32 };
	const struct pairs_lines *f = &w->lines;
	const struct tensor_again again = {
		w->room->lines, (f->chunks + 2) * f->lines, f->wide, 0
	};
	struct gemm_plan g = gemm_plan_new(GEMM_3XTF32);

	g.depth = w->g->depth;
	g.k_splits = w->g->k_splits;
	g.most_groups = gemm_resident(&on, g.kernel);
	tf32_part(w->s, &g, w->x, w->room, w->at, &again);
}

void pairs_part(struct seq *s, const struct gemm_plan *g,
                const struct tensor_product *x, const struct tensor_room *room,
                const struct part *at)
{
	const struct work w = {
		s, g, x, room, at, pairs_lines_of(g, x->p.k, &at->size)
	};
	const size_t tiles = at->size.stack *
	    size_blocks(at->size.rows, g->rows) *
	    size_blocks(at->size.cols, g->cols) * g->k_splits;
	const size_t each = tensor_each(g, &x->p);

	pack(&w);
	for (size_t i = 0; i < tiles; i += each)
		multiply(&w, tiles, i, size_min(i + each, tiles));
	multiply_again(&w);
}

bool gemm_pairs_is_right(struct seq *s, const char *kernel)
{
	static const struct probe probe = { PROBE_ODD, false, false };

	return matmul_probe(s, &probe, &(struct gemm_forced){
		gemm_kernel_find(kernel), .k_splits = 1 }) &&
	       gemm_tf32_is_right(s, gemm_kernels[GEMM_3XTF32].name);
}
