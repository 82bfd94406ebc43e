/* solve_residual.c - see solve.h and the end of kernels/solve.cl. */
#include "ops/lu_residual.h"
#include "ops/solve.h"

enum { NORM_ROWS = 64 };

/* The 1-norm of each of A's matrices. */
static struct buf norms(struct seq *s, const struct systems *y)
{
	const size_t wide = lu_wide_bytes(seq_sheet(s));
	const size_t chunks = size_blocks(y->n, NORM_ROWS);
	const struct buf norm = seq_scratch(s, y->a_stack * wide);
	const struct buf part = seq_scratch(s, y->a_stack * chunks * y->n *
	                                       wide);

	seq_work(s, 0, (double)y->a_stack * y->n * y->n *
	               dtype_bytes(seq_dtype(s)));
	seq_launch(s, "solve_norm", GRID2(chunks, y->a_stack, 1, 1),
	           ARG_BUF(y->a), ARG_INT(y->n), ARG_BUF(part));
	seq_launch(s, "solve_norm_end", GRID1(y->a_stack, 1), ARG_BUF(part),
	           ARG_INT(y->n), ARG_INT(chunks), ARG_BUF(norm));
	return norm;
}

/* The sides of x or b, or their sum, wide and one after the other. */
static struct buf combine(struct seq *s, const struct systems *y,
                          struct buf x, struct buf from, struct buf signs,
                          size_t combinations)
{
	const struct buf to = seq_scratch(s, y->stack * combinations * y->n *
	                                     lu_wide_bytes(seq_sheet(s)));

	seq_launch(s, "solve_combine",
	           GRID3(y->n, combinations, y->stack, 1, 1, 1), ARG_BUF(x),
	           ARG_INT(y->n), ARG_INT(y->sides), ARG_BUF(from),
	           ARG_BUF(signs), ARG_BUF(to));
	return to;
}

/* 0, 1, … stack - 1: which x belongs to a system */
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
	const size_t sums = a->quality == QUALITY_FULL ? y->sides : 1;

	systems_need(n, y);
	if (y->n == 0 || y->sides == 0 || y->stack == 0)
		return;
	need_buffer(n, y->sides * wide);
	need_buffer(n, y->stack * sizeof(int32_t));
	for (int i = 0; i < 3; i++)	/* x, b and the defect */
		need_buffer(n, y->stack * sums * y->n * wide);
	need_buffer(n, y->stack * sums * wide);
	need_buffer(n, y->a_stack * wide);
	need_buffer(n, y->a_stack * size_blocks(y->n, NORM_ROWS) * y->n *
	               wide);
}

int solve_residual(struct seq *s, struct args *a)
{
	const struct systems y = systems_of(s, a);
	const size_t wide = lu_wide_bytes(seq_sheet(s));
	const size_t items = lu_row_items(s);
	const size_t sums = a->quality == QUALITY_FULL ? y.sides : 1;
	const double eps = dtype_epsilon(a->dtype) / 2;
	struct buf signs, x, b, defect, ratio;

	a->residual = 0;
	if (y.n == 0 || y.sides == 0 || y.stack == 0)
		return seq_finish(s);
	signs = lu_signs(s, y.sides);
	x = combine(s, &y, seq_input(s, &a->out[0]), itself(s, &y), signs,
	            sums);
	b = combine(s, &y, y.b, y.from, signs, sums);
	defect = seq_scratch(s, y.stack * sums * y.n * wide);
	ratio = seq_scratch(s, y.stack * sums * wide);

	/* defect = |b - A x| */
	seq_work(s, 2.0 * y.stack * sums * y.n * y.n, 0);
	seq_launch(s, "solve_defect",
	           GRID3(y.n * items, sums, y.stack, items, 1, 1),
	           ARG_BUF(y.a), ARG_BUF(y.which), ARG_BUF(x), ARG_BUF(b),
	           ARG_BUF(defect), ARG_LOCAL(items * wide));
	seq_launch(s, "solve_ratio", GRID2(sums, y.stack, 1, 1),
	           ARG_BUF(defect), ARG_BUF(x), ARG_INT(y.n),
	           ARG_BUF(norms(s, &y)), ARG_BUF(y.which), ARG_BUF(ratio));
	if (lu_largest(s, ratio, y.stack * sums, &a->residual) < 0)
		return -1;
	a->residual /= y.n * eps;
	return 0;
}
