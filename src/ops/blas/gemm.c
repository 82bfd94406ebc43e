/* gemm.c - see gemm.h. */
#include <stdbool.h>

#include "base/size.h"
#include "ops/blas/pieces.h"
#include "shared/blas_tile.h"
#include "shared/matmul_tile.h"

enum { ITEMS = BLAS_SIDE * BLAS_SIDE, SMALL = 64, LARGE = 128 };

/* A large tile reads fewer elements for each multiplication. GPUs use large
 * tiles where there are enough of them for all compute units. */
static bool is_large(const struct seq *s, const struct blas_gemm *g)
{
	const struct sheet *d = seq_sheet(s);

	if (g->tile)
		return g->tile == LARGE;
	return d->type == DEVICE_GPU && size_blocks(g->m, LARGE) *
	       size_blocks(g->n, LARGE) * g->stack / (g->lower ? 2 : 1) >=
	       d->compute_units;
}

static struct arg real_arg(enum dtype t, const double *x, float *single)
{
	*single = (float)*x;
	return t == FLOAT64 ? (struct arg){ sizeof *x, x, 0 } :
	                      (struct arg){ sizeof *single, single, 0 };
}

static void portable(struct seq *s, const struct blas_gemm *g,
                     const struct blas_part *a, const struct blas_part *b,
                     const struct blas_part *c)
{
	const bool large = is_large(s, g);
	const size_t tile = large ? LARGE : SMALL;
	const size_t groups = g->stack * size_blocks(g->m, tile) *
	                      size_blocks(g->n, tile);
	const double share = g->lower ? 0.5 : 1;
	float singles[2];

	if (groups == 0)
		return;
	seq_work(s, share * 2.0 * g->stack * g->m * g->n * g->k, 0);
	seq_launch(s, large ? "blas_gemm_128" : "blas_gemm_64",
	           GRID1(groups * ITEMS, ITEMS), BLAS_PART_ARGS(a),
	           BLAS_PART_ARGS(b), ARG_BUF(c->b), ARG_LONG(c->at),
	           ARG_LONG(c->step), ARG_LONG(c->ld), ARG_INT(g->m),
	           ARG_INT(g->n), ARG_INT(g->k), ARG_INT(g->lower),
	           real_arg(seq_dtype(s), &g->alpha, &singles[0]),
	           real_arg(seq_dtype(s), &g->beta, &singles[1]), ARG_FIRST(0));
}

/* Does the kernel for CPUs compute the product? It is slower for small ones,
 * because it packs one of the operands. */
static bool is_for_cpu(const struct seq *s, const struct blas_gemm *g)
{
	return seq_sheet(s)->type == DEVICE_CPU && !g->tile && !g->lower &&
	       g->beta == 1 &&
	       (double)g->m * g->n * g->k >= BLAS_CPU_WORK;
}

static void on_cpu(struct seq *s, const struct blas_gemm *g,
                   const struct blas_part *a, const struct blas_part *b,
                   const struct blas_part *c)
{
	const size_t panels = BLAS_CPU_PANELS * MATMUL_PANEL_BYTES;
	const size_t across = panels / dtype_bytes(seq_dtype(s));
	float single;

	seq_work(s, 2.0 * g->stack * g->m * g->n * g->k, 0);
	seq_launch(s, "blas_gemm_packed",
	           GRID1(g->stack * size_blocks(g->m, BLAS_CPU_ROWS) *
	                 size_blocks(g->n, across), 1), BLAS_PART_ARGS(a),
	           BLAS_PART_ARGS(b), ARG_BUF(c->b), ARG_LONG(c->at),
	           ARG_LONG(c->step), ARG_LONG(c->ld), ARG_INT(g->m),
	           ARG_INT(g->n), ARG_INT(g->k),
	           real_arg(seq_dtype(s), &g->alpha, &single),
	           ARG_LOCAL(panels * MATMUL_DEPTH), ARG_FIRST(0));
}

static struct product product_of_sizes(size_t m, size_t n, size_t k)
{
	return (struct product){ .m = m, .n = n, .k = k, .stack = 1 };
}

static void on_tensor(struct seq *s, const struct blas_call *x)
{
	struct submatrix_product y = {
		.first = {
			.p = product_of_sizes(x->g.m, x->g.n, x->g.k),
			.a = x->a.b, .b = x->b.b, .c = x->c.b,
			.places = x->a.b, .a_at = x->a.at, .b_at = x->b.at,
			.c_at = x->c.at, .c_row = x->c.ld,
			.minus = x->g.beta != 0,
		},
		.stack = x->g.stack, .a_step = x->a.step, .b_step = x->b.step,
		.c_step = x->c.step, .groups = x->g.groups,
	};
	struct product *p = &y.first.p;

	p->a_row = x->a.transposed ? 1 : (int64_t)x->a.ld;
	p->a_col = x->a.transposed ? (int64_t)x->a.ld : 1;
	p->b_row = x->b.transposed ? 1 : (int64_t)x->b.ld;
	p->b_col = x->b.transposed ? (int64_t)x->b.ld : 1;
	submatrix_multiply(s, &y, &x->g.tensor->room);
}

static void launch(const struct blas_call *x, void *seq)
{
	if (!x->g.lower && blas_on_tensor(&x->g))
		on_tensor(seq, x);
	else if (is_for_cpu(seq, &x->g))
		on_cpu(seq, &x->g, &x->a, &x->b, &x->c);
	else
		portable(seq, &x->g, &x->a, &x->b, &x->c);
}

/* Is the first rectangle below the diagonal large enough for tensor cores? */
static bool is_cut(const struct blas_gemm *g)
{
	struct blas_gemm first = *g;

	first.n = size_min(g->n, BLAS_LOWER_COLS);
	first.m -= size_min(g->m, first.n);
	return g->lower && blas_on_tensor(&first);
}

void blas_gemm(struct seq *s, const struct blas_gemm *g,
               const struct blas_part *a, const struct blas_part *b,
               const struct blas_part *c)
{
	struct blas_call x = { *g, *a, *b, *c };

	if (!is_cut(g)) {
		launch(&x, s);
		return;
	}
	x.g.stack = 1;
	for (size_t i = 0; i < g->stack; i++) {
		blas_pieces(&x, launch, s);
		x.a.at += a->step;
		x.b.at += b->step;
		x.c.at += c->step;
	}
}

/* Sets p to the largest product that tensor cores compute. Returns false if the
 * device has no kernels for it; each packed operand must fit one buffer. */
static bool tensor_product_of(struct product *p, const struct sheet *d,
                              enum dtype t, const struct blas_gemm *most)
{
	struct gemm_plan g;

	if (d->nvidia_sm != TENSOR_SM || (t != FLOAT32 && t != FLOAT64) ||
	    !blas_is_large(most))
		return false;
	*p = product_of_sizes(most->m, most->lower ?
	                      size_min(most->n, BLAS_LOWER_COLS) : most->n,
	                      most->k);
	g = submatrix_plan(d, t, p, 0);
	return t == FLOAT64 ||
	       (g.packed.rows == p->m && g.packed.cols == p->n);
}

/* The verdict of the probe is stored under blas_gemm_128, since only this file
 * launches that kernel, as submatrix_works() demands. */
struct blas_tensor blas_tensor_of(struct seq *s, const struct blas_gemm *most)
{
	struct product p;

	if (!tensor_product_of(&p, seq_sheet(s), seq_dtype(s), most) ||
	    !submatrix_works(s, "blas_gemm_128"))
		return (struct blas_tensor){ 0 };
	return (struct blas_tensor){ p.m, p.n, p.k, submatrix_room(s, &p) };
}

void blas_gemm_need(struct need *n, const struct sheet *d, enum dtype t,
                    const struct blas_gemm *most)
{
	struct product p;

	if (tensor_product_of(&p, d, t, most))
		submatrix_need(n, d, t, &p);
}
