/* f64_run.c - whole calls of matmul in float64, see f64.h. */
#include "ops/matmul/f64.h"
#include "ops/matmul/panels.h"
#include "ops/matmul/probe.h"
#include "ops/matmul/sum.h"
#include "shared/matmul_tensor.h"

/* The plan, and how the product is cut; then nothing is shared. */
struct way {
	struct f64_plan plan;
	struct cuts cuts;
};

static struct way way_of(const struct sheet *d, const struct product *p)
{
	struct way w = { .plan = f64_plan_of(d, p) };

	w.cuts = product_cuts(p, need_most(d, FLOAT64), w.plan.parts, 1);
	if (w.cuts.stack < p->stack || w.cuts.rows < p->m ||
	    w.cuts.cols < p->n)
		w.plan.shared = 0;
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

	if (q->parts > 1)
		f.c = seq_scratch(s, q->parts * n * sizeof(double));

	/* C = A B, or the products of parts of k */
	f64_multiply(s, q, &f);

	/* C = their sum */
	if (q->parts > 1)
		matmul_sum(s, f.c, x->c, n, q->parts);
}

/* Four tiles, most of them beyond an edge, by two work-groups, slabs in more
 * than one round; shared, or in two parts; by even steps and by odd ones, for
 * which copies differ. */
static bool is_right(struct seq *s, const char *kernel)
{
	const struct f64_way *w = f64_ways;

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

bool f64_trusts(struct seq *s, const struct f64_way *way)
{
	return seq_trusts(s, way->kernel, is_right);
}

bool f64_works(struct seq *s, const struct product *p)
{
	return f64_trusts(s, f64_plan_of(seq_sheet(s), p).way);
}

void f64_need(struct need *n, const struct sheet *d, const struct product *p)
{
	const struct way w = way_of(d, p);
	const size_t each = w.plan.parts * sizeof(double);

	product_need(n, d, FLOAT64, p, &w.cuts);
	if (w.plan.shared > 0)
		need_buffer(n, f64_rest(d, &w.plan));
	if (w.plan.parts > 1)
		need_scratch(n, each * p->stack * p->m * p->n,
		             each * w.cuts.stack * w.cuts.rows * w.cuts.cols);
}

int f64_run(struct seq *s, const struct product *p)
{
	struct way w = way_of(seq_sheet(s), p);

	product_panels(s, p, &w.cuts, launch_panel, &w.plan);
	return seq_finish(s);
}
