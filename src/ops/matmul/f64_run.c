/* f64_run.c - whole calls of matmul in float64, see f64.h. */
#include "ops/matmul/f64.h"
#include "ops/matmul/panels.h"
#include "ops/matmul/probe.h"
#include "ops/matmul/sum.h"
#include "shared/matmul_tensor.h"

/* The plan of a whole call, and how its product is cut into panels. A product
 * that is cut does without Stream-K. */
struct call {
	struct f64_plan plan;
	struct cuts cuts;
};

static struct call call_of(const struct sheet *d, const struct product *p)
{
	struct call w = { .plan = f64_plan_of(d, p) };

	w.cuts = product_cuts(p, need_most(d, FLOAT64), w.plan.k_splits, 1);
	if (w.cuts.stack < p->stack || w.cuts.rows < p->m ||
	    w.cuts.cols < p->n)
		w.plan.stream_k = 0;
	return w;
}

static void launch_panel(struct seq *s, const struct panel *x, void *plan)
{
	const struct f64_plan *q = plan;
	const size_t n = x->p.stack * x->p.m * x->p.n;
	struct f64_product f = {
		.p = x->p, .a = x->a, .b = x->b, .c = x->c,
		.places = x->places, .c_row = x->p.n
	};

	if (q->k_splits > 1)
		f.c = seq_scratch(s, q->k_splits * n * sizeof(double));

	/* C = A B, or a product for each split of k */
	f64_multiply(s, q, &f);

	/* C = their sum */
	if (q->k_splits > 1)
		matmul_sum(s, f.c, x->c, n, q->k_splits);
}

/* Four tiles, most of which lie beyond an edge of C, by two work-groups, whose
 * ring of slabs is used more than once; by Stream-K, or with k split in two;
 * with even steps between elements and with odd ones, which are copied
 * differently. */
static bool is_right(struct seq *s, const char *kernel)
{
	const struct f64_tile *w = f64_tiles;

	while (w->kernel != kernel)
		w++;
	for (size_t i = 0; i < 8; i++) {
		const bool odd = i % 2;
		const struct probe x = {
			w->rows + 21 - odd, w->cols + 20 + odd, 174 + odd,
			i & 2, i & 4
		};
		struct f64_plan plan = {
			w, odd ? 96 : 192, odd ? 2 : 1, odd ? 0 : 3, 2
		};

		if (!matmul_probe(s, &x, launch_panel, &plan))
			return false;
	}
	return true;
}

bool f64_trusts(struct seq *s, const struct f64_tile *tile)
{
	return seq_trusts(s, tile->kernel, is_right);
}

bool f64_works(struct seq *s, const struct product *p)
{
	return f64_trusts(s, f64_plan_of(seq_sheet(s), p).shape);
}

void f64_need(struct need *n, const struct sheet *d, const struct product *p)
{
	const struct call w = call_of(d, p);
	const size_t each = w.plan.k_splits * sizeof(double);

	product_need(n, d, FLOAT64, p, &w.cuts);
	if (w.plan.stream_k > 0)
		need_buffer(n, f64_fix_up_bytes(d, &w.plan));
	if (w.plan.k_splits > 1)
		need_scratch(n, each * p->stack * p->m * p->n,
		             each * w.cuts.stack * w.cuts.rows * w.cuts.cols);
}

int f64_run(struct seq *s, const struct product *p)
{
	struct call w = call_of(seq_sheet(s), p);

	product_panels(s, p, &w.cuts, launch_panel, &w.plan);
	return seq_finish(s);
}
