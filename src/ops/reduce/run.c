/* run.c - see run.h. */
#include <limits.h>
#include <stdio.h>

#include "base/size.h"
#include "ops/reduce/run.h"

bool reduction_is_doubtful(const struct matrix *norm)
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

void reduction_scaled(struct seq *s, reduce_launch *launch, const void *way,
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

/* Makes the buffers of r, whose outer lines begin with line `first` of the
 * operand. */
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

/* overflow is the buffer of check_overflow() for integer answers, or { 0 }. */
static void run_all(struct seq *s, const struct args *a,
                    const struct reduction *all, reduce_launch *launch,
                    const void *way, const struct reduction_cut *c,
                    bool scaled, struct buf overflow)
{
	const bool whole = c->blocks == reduction_blocks(all->n);
	struct reduction r = *all;

	for (size_t first = 0; first < all->outer; first += c->outer) {
		struct reduction_bufs b;

		r.outer = size_min(c->outer, all->outer - first);
		b = bufs_of(s, a, &r, first, whole);
		b.blocks = c->blocks;
		if (overflow.id)
			b.peak = overflow;
		(scaled ? reduction_scaled : run_plain)(s, launch, way, &r, &b);
	}
}

/* Makes the buffer of one number for the index of the first answer that int64
 * cannot represent, which is INT_MAX at first. Returns { 0 } if no answer can
 * overflow. */
static struct buf new_overflow(struct seq *s, const struct args *a,
                               const struct reduction *r)
{
	if (!reduction_may_overflow(r, a->dtype))
		return (struct buf){ 0 };
	return seq_constant(s, &(int32_t){ INT_MAX }, sizeof(int32_t));
}

static int check_overflow(struct seq *s, const struct args *a,
                          const struct reduction *r, bool cut,
                          struct buf overflow)
{
	int32_t first = INT_MAX;
	char where[40] = "";

	if (overflow.id)
		seq_read(s, overflow, 0, &first, sizeof first);
	if (seq_finish(s) < 0)
		return -1;
	if (first == INT_MAX)
		return 0;
	if (r->out->ndim > 0 && !cut)
		snprintf(where, sizeof where, "number %d along the axis: ",
		         first);
	return err_set_at(seq_err(s), ERR_MATHEMATICS, "/a", "reduce: %sthe "
	                  "%s of %zu elements of %s is beyond int64; "
	                  "dtype=float64 rounds it", where,
	                  r->op == REDUCE_SUM ? "sum" : "product", r->n,
	                  dtype_name(a->dtype));
}

int reduce_run(struct seq *s, struct args *a, reduce_launch *launch,
               const void *way, bool may_cut)
{
	const struct reduction r = reduction_of(a);
	const struct reduction_cut c = reduction_cut(&r, a->dtype, may_cut ?
	    seq_sheet(s)->max_allocation_bytes : SIZE_MAX);
	struct buf overflow;

	if (dtype_is_complex(a->dtype))
		return reduce_complex_run(s, a);
	if (r.out->ndim == MATRIX_ABSENT || r.outer * r.inner == 0)
		return seq_finish(s);
	overflow = new_overflow(s, a, &r);
	run_all(s, a, &r, launch, way, &c, false, overflow);
	if (reduction_is_repaired(&r, a->dtype))
		return seq_finish(s) < 0 ? -1 :
		       reduction_repair(s, &a->in[0], &r, &c);
	if (r.op != REDUCE_NORM2 || a->dtype != FLOAT64)
		return check_overflow(s, a, &r, c.outer < r.outer, overflow);
	if (seq_finish(s) < 0)
		return -1;
	if (reduction_is_doubtful(r.out))
		run_all(s, a, &r, launch, way, &c, true, overflow);
	return seq_finish(s);
}
