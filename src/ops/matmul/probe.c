/* probe.c - see probe.h. */
#include "ops/matmul/launch.h"
#include "ops/matmul/probe.h"

enum { MOST = 150 * 176 };		/* elements of a matrix */

/* The operands' elements repeat after ROWS rows or COLS columns, hence so do
 * the product's. */
enum { ROWS = 7, COLS = 11 };

static double left(size_t i, size_t p)
{
	return (double)((i + 2 * p) % ROWS) - 3;
}

static double right(size_t p, size_t j)
{
	return (double)((3 * p + j) % COLS) - 5;
}

static double get(const void *x, enum dtype t, size_t i)
{
	return t == FLOAT32 ? (double)((const float *)x)[i] :
	                      ((const double *)x)[i];
}

static bool is_product(const void *c, enum dtype t, const struct probe *x)
{
	double sum[ROWS][COLS] = { { 0 } };

	for (size_t p = 0; p < x->k; p++)
		for (size_t i = 0; i < ROWS; i++)
			for (size_t j = 0; j < COLS; j++)
				sum[i][j] += left(i, p) * right(p, j);
	for (size_t e = 0; e < x->m * x->n; e++)
		if (sum[e / x->n % ROWS][e % x->n % COLS] != get(c, t, e))
			return false;
	return true;
}

/* Makes the buffer of a rows x cols factor, stored transposed if `turned`. */
static struct buf factor(struct seq *s, double (*element)(size_t, size_t),
                         size_t rows, size_t cols, bool turned)
{
	const enum dtype t = seq_dtype(s);
	double x[MOST];

	for (size_t e = 0; e < rows * cols; e++) {
		const double value = element(turned ? e % rows : e / cols,
		                             turned ? e / rows : e % cols);

		if (t == FLOAT32)
			((float *)x)[e] = (float)value;
		else
			x[e] = value;
	}
	return seq_constant(s, x, rows * cols * dtype_bytes(t));
}

bool matmul_probe(struct seq *s, const struct probe *x,
                  const struct gemm_forced *way)
{
	const enum dtype t = seq_dtype(s);
	const struct product p = {
		.m = x->m, .n = x->n, .k = x->k, .stack = 1,
		.a_row = x->ta ? 1 : (int64_t)x->k,
		.a_col = x->ta ? (int64_t)x->m : 1,
		.b_row = x->tb ? 1 : (int64_t)x->n,
		.b_col = x->tb ? (int64_t)x->k : 1
	};
	const struct buf a = factor(s, left, x->m, x->k, x->ta);
	const struct panel panel = {
		p, a, factor(s, right, x->k, x->n, x->tb),
		seq_scratch(s, x->m * x->n * dtype_bytes(t)), a
	};
	const struct gemm_on on = { .d = seq_sheet(s), .t = t };
	const struct gemm_plan plan = gemm_plan_forced(&on, way, &p);
	struct gemm_call call = { .on = on, .plan = &plan };
	double c[MOST] = { 0 };

	plan.kernel->launch(s, &panel, &call);
	seq_read(s, panel.c, 0, c, x->m * x->n * dtype_bytes(t));
	return !seq_failed(s) && is_product(c, t, x);
}
