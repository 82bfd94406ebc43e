/* panels.c - see panels.h. */
#include "ops/gang/panels.h"

struct blas_gemm gang_panels_most(const struct columns *c, int lane)
{
	return (struct blas_gemm){
		.stack = 1, .m = c->m, .k = c->width,
		.n = lane == 0 ? c->width : columns_most(c),
		.alpha = -1, .beta = 1,
	};
}

size_t gang_panels_groups(const struct seq *s, int lane)
{
	const size_t all = seq_sheet(s)->compute_units;

	return lane == 0 ? 0 : size_max(all - all / 4, 1);
}

/* The share of the work that is done before panel k of n. */
static double done_before(size_t k, size_t n)
{
	const double left = 1 - (double)k / (double)n;

	return 1 - left * left * left;
}

static void apply(struct seq *s, const struct columns *c,
                  const struct gang_panels *p, size_t k)
{
	const bool mine = k + 1 < p->n && columns_has(c, k + 1);
	const size_t next = columns_at(c, k + 1);
	const size_t rest = next + (mine ? columns_width(c, k + 1) : 0);

	seq_follow(s, 1);
	if (mine)
		p->apply(p->arg, k, 0, next, rest);
	seq_lane(s, 1);
	seq_follow(s, 0);
	if (rest < c->own)
		p->apply(p->arg, k, 1, rest, c->own);
	seq_lane(s, 0);
}

void gang_panels_run(struct seq *s, const struct columns *c,
                     const struct gang_panels *p)
{
	for (size_t k = 0; k < p->n && !seq_failed(s); k++) {
		const double done = p->before +
		                    p->share * done_before(k, p->n);

		seq_progress_within(s, done, done);
		seq_progress(s, 0);
		if (columns_has(c, k))
			p->factor(p->arg, k);
		if (!p->take(p->arg, k))
			break;
		apply(s, c, p, k);
	}
	seq_follow(s, 1);
	seq_progress_within(s, 0, 1);
}
