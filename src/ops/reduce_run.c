/* reduce_run.c - see reduce_run.h. */
#include "base/size.h"
#include "ops/reduce_run.h"

/* Could a square have overflowed, or too many have vanished? */
static bool is_doubtful(const struct matrix *norm)
{
	for (size_t i = 0, n = matrix_elements(norm); i < n; i++) {
		double r = matrix_get(norm, i);

		if (!(r >= REDUCE_SAFE && r < HUGE_VAL))
			return true;
	}
	return false;
}

static void run_plain(struct seq *s, reduce_launch *launch, const void *way,
                      const struct reduction *r,
                      const struct reduction_bufs *b)
{
	launch(s, way, r, b);
}

/* Once more, with the elements scaled by the power of two next to the
 * line's norminf: exact, so only the range changes. */
static void run_scaled(struct seq *s, reduce_launch *launch, const void *way,
                       const struct reduction *r,
                       const struct reduction_bufs *b)
{
	struct reduction largest = *r;
	struct reduction_bufs to_peak = *b, with_peak = *b;

	to_peak.out = seq_scratch(s, r->outer * r->inner * sizeof(double));
	largest.op = REDUCE_NORMINF;
	launch(s, way, &largest, &to_peak);
	with_peak.peak = to_peak.out;
	with_peak.scaled = true;
	launch(s, way, r, &with_peak);
}

/* The answers from `first` on: of r's outer ones, as many as it has. */
static struct reduction_bufs bufs_of(struct seq *s, const struct args *a,
                                     const struct reduction *r, size_t first,
                                     bool whole)
{
	const size_t each = r->n * r->inner;
	const struct region x = { first * each, 1, r->outer * each,
	                          r->outer * each };
	const struct region out = { first * r->inner, 1, r->outer * r->inner,
	                            r->outer * r->inner };
	struct reduction_bufs b = { .m = &a->in[0], .at = x.at };

	if (whole)
		b.x = seq_input_region(s, b.m, &x);
	b.out = b.peak = seq_output_region(s, r->out, &out);
	return b;
}

static void run_all(struct seq *s, const struct args *a,
                    const struct reduction *all, reduce_launch *launch,
                    const void *way, const struct reduction_cut *c,
                    bool scaled)
{
	const bool whole = c->blocks == reduction_blocks(all->n);
	struct reduction r = *all;

	for (size_t first = 0; first < all->outer; first += c->outer) {
		struct reduction_bufs b;

		r.outer = size_min(c->outer, all->outer - first);
		b = bufs_of(s, a, &r, first, whole);
		b.blocks = c->blocks;
		(scaled ? run_scaled : run_plain)(s, launch, way, &r, &b);
	}
}

int reduce_run(struct seq *s, struct args *a, reduce_launch *launch,
               const void *way, bool may_cut)
{
	const struct reduction r = reduction_of(a);
	const struct reduction_cut c = reduction_cut(&r, a->dtype, may_cut ?
	    seq_sheet(s)->max_allocation_bytes : SIZE_MAX);

	if (r.out->ndim == MATRIX_ABSENT || r.outer * r.inner == 0)
		return seq_finish(s);
	run_all(s, a, &r, launch, way, &c, false);
	if (r.op != REDUCE_NORM2 || a->dtype != FLOAT64)
		return seq_finish(s);
	if (seq_finish(s) < 0)
		return -1;
	if (is_doubtful(r.out))
		run_all(s, a, &r, launch, way, &c, true);
	return seq_finish(s);
}
