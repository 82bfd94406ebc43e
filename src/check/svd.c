/* svd.c - the rows for A = U S V^T. They demand LAPACK's ratios (xBDT01 and
 * xORT01), and compare the singular values with those that one-sided Jacobi
 * rotations give in long double. */
#include <math.h>
#include <stdlib.h>

#include "check/rows.h"
#include "check/singular.h"
#include "check/stack.h"

enum { U, S, VH };

static size_t count_of(const struct stack_one *s)
{
	const struct matrix *m = &s->a->out[S];

	return m->dim[m->ndim - 1];
}

/* Overwrites U by U S. */
static double product_off(const struct stack_one *s)
{
	const size_t k = count_of(s), ld = matrix_cols(&s->a->out[U]);

	for (size_t i = 0; i < s->m; i++)
		for (size_t j = 0; j < k; j++)
			s->out[U][i * ld + j] *= s->out[S][j];
	return stack_product(s, &(struct host_product){
		s->m, k, s->n, s->out[U], ld, 1, s->out[VH] });
}

static double u_off(const struct stack_one *s)
{
	const size_t k = matrix_cols(&s->a->out[U]);

	return k == 0 ? 0 :
	       (double)host_off_orthogonal(s->out[U], s->m, k, k, 1) /
	       (s->eps * (double)s->m);
}

static double v_off(const struct stack_one *s)
{
	const size_t k = matrix_rows(&s->a->out[VH]);

	return k == 0 ? 0 :
	       (double)host_off_orthogonal(s->out[VH], s->n, k, 1, s->n) /
	       (s->eps * (double)s->n);
}

static double values_off(const struct stack_one *s)
{
	return stack_singular(s, S);
}

/* The largest relative error of a singular value of a square matrix, in units
 * of n eps. */
static double digits_off(const struct stack_one *s)
{
	long double *want = calloc(s->n + 1, sizeof *want), most = 0;

	if (!want)
		return NAN;
	host_singular(s->in[0], s->m, s->n, want);
	for (size_t i = 0; i < count_of(s); i++) {
		const long double off = fabsl(s->out[S][i] / want[i] - 1);

		most = off > most || isnan(off) ? off : most;
	}
	free(want);
	return (double)(most / (long double)(s->eps * (double)s->n));
}

/* Makes every column 2^-4 times as long as the one before, so that the singular
 * values fall as fast. */
static int fill_graded(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *x = &a->in[0];
	const size_t n = matrix_cols(x);

	fill_random(k, a, e);
	for (size_t i = 0; i < matrix_elements(x); i++)
		matrix_set(x, i, ldexp(matrix_get(x, i), -4 * (int)(i % n)) +
		           (i / n == i % n ? ldexp(2, -4 * (int)(i % n)) : 0));
	return 0;
}

static double residual(const struct args *a)
{
	return stack_worst(a, product_off);
}

static double digits(const struct args *a)
{
	return stack_worst(a, digits_off);
}

static double left(const struct args *a)
{
	return stack_worst(a, u_off);
}

static double right(const struct args *a)
{
	return stack_worst(a, v_off);
}

static double values(const struct args *a)
{
	return stack_worst(a, values_off);
}

static const struct judge vectors[] = {
	{ "|A - USV'| / max(m,n)|A|eps", residual, 50 },
	{ "|I - U'U| / m eps", left, 50 },
	{ "|I - V'V| / n eps", right, 50 },
	{ "|s - s*| / max(m,n)|A|eps", values, 50 },
	{ "its own ratio", check_own_ratio, 30 },
	{ "its own orthogonality", check_own_orthogonality, 30 },
	{ 0 }
}, some[] = {
	{ "|I - U'U| / m eps", left, 50 },
	{ "|I - V'V| / n eps", right, 50 },
	{ "|s - s*| / max(m,n)|A|eps", values, 50 },
	{ "its own ratio", check_own_ratio, 30 },
	{ 0 }
}, alone[] = {
	{ "|s - s*| / max(m,n)|A|eps", values, 50 }, { 0 }
}, relative[] = {
	{ "|s / s* - 1| / n eps", digits, 30 }, { 0 }
};

static const struct kind graded[] = { KIND("graded", fill_graded), { 0 } };

static const size_t squares[][3] = {
	{ 1 }, { 2 }, { 3 }, { 5 }, { 10 }, { 31 }, { 33 }, { 64 }, { 65 },
	CHECK_END
}, wide[][3] = {
	{ 1, 5 }, { 5, 1 }, { 2, 3 }, { 3, 50 }, { 50, 3 }, { 32, 65 },
	{ 65, 32 }, { 200, 33 }, { 33, 200 }, CHECK_END
}, empty[][3] = { { 0, 0 }, { 0, 3 }, { 3, 0 }, CHECK_END
}, falling[][3] = {
	{ 2 }, { 5 }, { 10 }, { 16 }, { 20 }, CHECK_END
}, stacks[][3] = {
	{ 1, 1, 2 }, { 3, 5, 4 }, { 40, 33, 3 }, { 33, 70, 3 }, CHECK_END
}, cubes[][3] = {
	{ 2, 0, 33 }, { 16, 0, 9 }, { 33, 0, 5 }, { 65, 0, 4 }, { 130, 0, 4 },
	CHECK_END
}, three[][3] = { { 3, 3 }, { 40, 20 }, { 20, 40 }, { 70, 70 }, CHECK_END };

const struct check_row check_svd_rows[] = {
	{ .what = "LAPACK's types", .op = "svd", .operands = { "mm" },
	  .sizes = squares, .kinds = check_lapack_kinds, .judges = vectors },
	{ .what = "no vectors", .op = "svd",
	  .operands = { "mm" }, .params = { "vectors", "none" },
	  .sizes = squares, .kinds = check_lapack_kinds, .judges = alone },
	{ .what = "rectangles", .op = "svd", .operands = { "mn" },
	  .sizes = wide, .kinds = check_random_kinds, .judges = vectors },
	{ .what = "rectangles, full", .op = "svd", .operands = { "mn" },
	  .params = { "vectors", "full" }, .sizes = wide,
	  .kinds = check_random_kinds, .judges = vectors },
	{ .what = "empty", .op = "svd", .operands = { "mn" },
	  .params = { "vectors", "full" }, .sizes = empty,
	  .kinds = check_random_kinds, .judges = vectors },
	{ .what = "the three largest", .op = "svd", .operands = { "mn" },
	  .params = { "k", "3" }, .sizes = three, .kinds = check_random_kinds,
	  .judges = some },
	{ .what = "relative accuracy", .op = "svd", .operands = { "mm" },
	  .sizes = falling, .kinds = graded, .judges = relative,
	  .only = "jacobi" },
	{ .what = "stacks", .op = "svd", .operands = { "kmn" },
	  .sizes = stacks, .kinds = check_random_kinds, .judges = vectors },
	{ .what = "the QR method", .op = "svd", .operands = { "kmm" },
	  .sizes = cubes, .kinds = check_random_kinds, .judges = vectors,
	  .only = "bidiagonal" },
	{ 0 }
};
