/* tensor.c - panels on tensor cores, see tensor.h. */
#include "base/size.h"
#include "device/device.h"
#include "ops/matmul/costs.h"
#include "ops/matmul/launch.h"
#include "ops/matmul/share.h"
#include "ops/matmul/sum.h"
#include "ops/matmul/tensor.h"

struct tensor_room tensor_room_of(struct seq *s, const struct gemm_plan *g,
                                  const struct product *p)
{
	const struct gemm_on on = { .d = seq_sheet(s), .t = seq_dtype(s) };
	const struct gemm_scratch x = gemm_scratch_of(&on, g, p);
	struct tensor_room room = { { 0 }, { 0 }, { 0 }, { 0 } };

	if (x.packed_a > 0) {
		room.a = seq_scratch(s, x.packed_a);
		room.b = seq_scratch(s, x.packed_b);
	}
	if (x.lines > 0)
		room.lines = seq_scratch(s, x.lines);
	if (x.residues > 0)
		room.residues = seq_scratch(s, x.residues);
	return room;
}

size_t tensor_chunk(size_t k, size_t depth)
{
	enum { MOST = 16 };

	return size_round_up(size_blocks(k, MOST), depth);
}

size_t tensor_each(const struct gemm_plan *g, const struct product *p)
{
	const double tile = 2.0 * (double)g->rows * (double)g->cols *
	                    (double)size_min(p->k, g->depth);
	const double round = tile * (double)g->most_groups;
	const size_t rounds = device_slice > 0 ? device_slice :
	                      (size_t)(TENSOR_LAUNCH_GFLOPS * 1e9 / round);

	return at_least_one(rounds) * g->most_groups;
}

/* Multiplies part after part of packed operands. */
static void multiply_packed(struct seq *s, const struct gemm_plan *g,
                            const struct tensor_product *x,
                            const struct tensor_room *room)
{
	const struct cuts *c = &g->packed;
	const struct product *p = &x->p;
	struct part at;

	for (at.q = 0; at.q < p->stack; at.q += c->stack)
		for (at.i = 0; at.i < p->m; at.i += c->rows)
			for (at.j = 0; at.j < p->n; at.j += c->cols) {
				at.size = (struct cuts){
					size_min(c->stack, p->stack - at.q),
					size_min(c->rows, p->m - at.i),
					size_min(c->cols, p->n - at.j)
				};
				g->kernel->part(s, g, x, room, &at);
			}
}

void tensor_multiply(struct seq *s, const struct gemm_plan *g,
                     const struct tensor_product *x,
                     const struct tensor_room *room)
{
	if (g->kernel->part)
		multiply_packed(s, g, x, room);
	else
		f64_multiply(s, g, x);
}

/* Returns how many rows of C are computed before the download of these rows
 * begins: all rows, or about a quarter of them if C is large and its download
 * can run at the same time as kernels. B is packed again for every part, so k
 * must not be much larger than m. The tiles of a part fill all compute units a
 * whole number of times. */
static size_t rows_at_a_time(const struct seq *s, const struct gemm_plan *g,
                             const struct tensor_product *x)
{
	enum { PARTS = 4, LEAST = 48 << 20, SHALLOW = 1024, DEEP = 4 };
	const struct product *p = &x->p;
	const size_t across = size_blocks(p->n, g->cols);
	const size_t tiles = size_blocks(p->m, g->rows) * across;
	const size_t round = g->most_groups;
	const size_t rounds = size_blocks(tiles, PARTS * round);
	const size_t bytes = p->m * p->n * dtype_bytes(seq_dtype(s));

	if (p->stack > 1 || g->k_splits > 1 || bytes < LEAST ||
	    p->k < SHALLOW || p->k > DEEP * p->m ||
	    !seq_downloads_beside(s, x->c))
		return p->m;
	return at_least_one(rounds * round / across) * g->rows;
}

/* Computes C = A B in parts of `rows` rows. */
static void multiply_rows(struct seq *s, const struct gemm_plan *g,
                          const struct tensor_product *x,
                          const struct tensor_room *room, size_t rows)
{
	const size_t row = x->c_row * dtype_bytes(seq_dtype(s));
	struct tensor_product part = *x;

	for (size_t i = 0; i < x->p.m; i += rows) {
		part.p.m = size_min(rows, x->p.m - i);
		tensor_multiply(s, g, &part, room);
		seq_output_done(s, x->c, i * row, (i + part.p.m) * row);
		part.a_at += rows * (size_t)x->p.a_row;
		part.c_at += rows * x->c_row;
	}
}

void gemm_launch_tensor(struct seq *s, const struct panel *x, void *call)
{
	struct gemm_call *w = call;
	const struct product *p = &x->p;
	const struct gemm_plan g = gemm_plan_panel(w->plan, &w->on, p);
	const size_t splits = gemm_scratch_of(&w->on, &g, p).splits;
	struct tensor_product f = {
		.p = *p, .a = x->a, .b = x->b, .c = x->c, .places = x->places,
		.c_row = p->n
	};

	if (splits > 0)
		f.splits = seq_scratch(s, splits);
	if (g.adds)
		f.count = seq_counters(s);
	else if (splits > 0)
		f.c = f.splits;
	if (w->room.a.id == 0)
		w->room = tensor_room_of(s, &g, p);

	/* C = A B, or a product for each split of k */
	if (splits > 0)
		tensor_multiply(s, &g, &f, &w->room);
	else
		multiply_rows(s, &g, &f, &w->room, rows_at_a_time(s, &g, &f));

	/* C = the sum of the splits' products */
	if (splits > 0 && !g.adds)
		matmul_sum(s, &g, f.splits, x->c, p->stack * p->m * p->n);
}
