/* residual.c - see solve.h and kernels/solve/ratio.cl. */
#include <math.h>
#include <stdlib.h>

#include "ops/failure.h"
#include "ops/lu/residual.h"
#include "ops/solve/iterative.h"

/* Returns the right-hand sides of x or b in the wide type, one after the
 * other. */
static struct buf widen(struct seq *s, const struct systems *y, struct buf x,
                        struct buf from)
{
	const struct buf to = seq_scratch(s, y->stack * y->sides * y->n *
	                                     lu_wide_bytes(seq_sheet(s)));

	seq_launch(s, "solve_widen", GRID3(y->n, y->sides, y->stack, 1, 1, 1),
	           ARG_BUF(x), ARG_INT(y->n), ARG_BUF(from), ARG_BUF(to));
	return to;
}

/* Returns 0, 1, … stack - 1, since system i has the i-th x. */
static struct buf itself(struct seq *s, const struct systems *y)
{
	const struct buf b = seq_scratch(s, y->stack * sizeof(int32_t));

	seq_launch(s, "solve_count", GRID1(y->stack, 1), ARG_BUF(b));
	return b;
}

void solve_residual_need(struct need *n, const struct sheet *d,
                         const struct args *a, const struct systems *y)
{
	const size_t wide = lu_wide_bytes(d);

	if (a->quality != QUALITY_FULL)
		return;
	systems_need(n, a, y);
	if (y->n == 0 || y->sides == 0 || y->stack == 0)
		return;
	need_buffer(n, y->stack * sizeof(int32_t));
	for (int i = 0; i < 3; i++)	/* x, b and the defect */
		need_buffer(n, y->stack * y->sides * y->n * wide);
	need_buffer(n, y->stack * y->sides * wide);
	solve_norms_need(n, d, y);
	need_buffer(n, y->a_stack * sizeof(int32_t));
}

/* The flags for NaN and infinity, which this also makes, are not read. */
static struct solve_norms norms(struct seq *s, const struct systems *y)
{
	const struct buf bad = seq_scratch(s, y->a_stack * sizeof(int32_t));

	return solve_norms(s, y, bad);
}

static int measure(struct seq *s, struct args *a, const struct systems *y)
{
	const size_t wide = lu_wide_bytes(seq_sheet(s));
	const size_t items = lu_row_items(s);
	const struct buf x = widen(s, y, seq_input(s, &a->out[0]),
	                           itself(s, y));
	const struct buf b = widen(s, y, y->b, y->from);
	const size_t all = y->stack * y->sides;
	const struct buf defect = seq_scratch(s, all * y->n * wide);
	const struct buf ratio = seq_scratch(s, all * wide);
	const struct solve_norms norm = norms(s, y);
	double *ratios;

	/* defect = |b - A x| */
	seq_work(s, 2.0 * all * y->n * y->n, 0);
	seq_launch(s, "solve_defect",
	           GRID3(y->n * items, y->sides, y->stack, items, 1, 1),
	           ARG_BUF(y->a), ARG_BUF(y->which), ARG_BUF(x), ARG_BUF(b),
	           ARG_BUF(defect), ARG_LOCAL(items * wide));
	seq_launch(s, "solve_ratio",
	           GRID2(y->sides * items, y->stack, items, 1),
	           ARG_BUF(defect), ARG_BUF(x), ARG_INT(y->n),
	           ARG_BUF(norm.most), ARG_INT(norm.parts), ARG_BUF(y->which),
	           ARG_BUF(ratio), ARG_LOCAL(items * wide));
	ratios = lu_wide_read(s, ratio, all);
	if (!ratios)
		return -1;
	a->verdict.residual = args_worst(a, ratios, y->sides) /
	                      (y->n * dtype_epsilon(a->dtype) / 2);
	free(ratios);
	return 0;
}

int solve_residual(struct seq *s, struct args *a)
{
	struct systems y;

	if (solve_is_iterative(a) || a->gang.parts || a->variant->streams)
		return seq_finish(s);
	/* With a named structure A is not the operand as it stands. */
	if (!isnan(a->verdict.residual) &&
	    (a->quality != QUALITY_FULL ||
	     solve_kind_in(a, a->variant) != KIND_GENERAL))
		return seq_finish(s);
	y = systems_of(s, a);
	a->verdict.residual = 0;
	if (y.n == 0 || y.sides == 0 || y.stack == 0)
		return seq_finish(s);
	return measure(s, a, &y);
}
