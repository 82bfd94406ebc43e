/* svd.c - the rows for A = U S V^T: LAPACK's ratios (xBDT01, xORT01), and the
 * singular values against those of one-sided Jacobi in long double. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "check/host.h"
#include "check/rows.h"
#include "check/singular.h"

enum { VECTORS, K };
enum { U, S, VH };

/* One matrix of the stack and its factors, on the host. */
struct factors {
	size_t m, n, k;			/* k singular values */
	size_t columns, rows;		/* of U, of V^T */
	long double *a, *u, *s, *vh;
};

typedef double judge_fn(const struct factors *f, double eps);

static size_t last(const struct matrix *m, int from_end)
{
	return m->ndim == MATRIX_ABSENT ? 0 : m->dim[m->ndim - from_end];
}

/* The worst value of all matrices of the stack. */
static double each(const struct args *a, judge_fn *judge)
{
	const struct matrix *x = &a->in[0];
	long double *all[4] = {
		host_values(x, 0), host_values(&a->out[U], 0),
		host_values(&a->out[S], 0), host_values(&a->out[VH], 0)
	};
	struct factors f = {
		.m = matrix_rows(x), .n = matrix_cols(x),
		.k = last(&a->out[S], 1), .columns = last(&a->out[U], 1),
		.rows = last(&a->out[VH], 2),
	};
	double most = all[0] && all[1] && all[2] && all[3] ? 0 : NAN;

	for (size_t i = 0; i < matrix_stack(x) && !isnan(most); i++) {
		f.a = all[0] + i * f.m * f.n;
		f.u = all[1] + i * f.m * f.columns;
		f.s = all[2] + i * f.k;
		f.vh = all[3] + i * f.rows * f.n;
		most = host_worse(judge(&f, dtype_epsilon(a->dtype) / 2),
		                  most);
	}
	for (int i = 0; i < 4; i++)
		free(all[i]);
	return most;
}

static double product_off(const struct factors *f, double eps)
{
	const long double unit = host_norm1(f->a, f->m, f->n) *
	                         (long double)(eps * (double)size_max(f->m,
	                                                              f->n));
	long double most = 0;

	for (size_t j = 0; j < f->n; j++) {
		long double all = 0;

		for (size_t i = 0; i < f->m; i++) {
			long double sum = -f->a[i * f->n + j];

			for (size_t k = 0; k < f->k; k++)
				sum += f->u[i * f->columns + k] * f->s[k] *
				       f->vh[k * f->n + j];
			all += fabsl(sum);
		}
		most = all > most || isnan(all) ? all : most;
	}
	return host_ratio(most, unit);
}

static double u_off(const struct factors *f, double eps)
{
	return f->columns == 0 ? 0 :
	       (double)host_off_orthogonal(f->u, f->m, f->columns, f->columns,
	                                   1) / (eps * (double)f->m);
}

static double v_off(const struct factors *f, double eps)
{
	return f->rows == 0 ? 0 :
	       (double)host_off_orthogonal(f->vh, f->n, f->rows, 1, f->n) /
	       (eps * (double)f->n);
}

/* |s - reference| / (s_1 eps max(m, n)), infinite unless they descend to 0 or
 * above. */
static double values_off(const struct factors *f, double eps)
{
	const size_t all = size_min(f->m, f->n);
	long double *want = calloc(all + 1, sizeof *want), most = 0;

	if (!want)
		return NAN;
	host_singular(f->a, f->m, f->n, want);
	for (size_t i = 0; i < f->k; i++) {
		const long double off = fabsl(f->s[i] - want[i]);

		most = off > most || isnan(off) ? off : most;
		if (!(f->s[i] >= 0 && (i == 0 || f->s[i] <= f->s[i - 1])))
			most = INFINITY;
	}
	most = host_ratio(most, want[0] * (long double)(eps *
	                  (double)size_max(f->m, f->n)));
	free(want);
	return (double)most;
}

/* The largest relative error of a singular value, in units of eps n. */
static double digits_off(const struct factors *f, double eps)
{
	long double *want = calloc(f->n + 1, sizeof *want), most = 0;

	if (!want)
		return NAN;
	host_singular(f->a, f->m, f->n, want);
	for (size_t i = 0; i < f->k; i++) {
		const long double off = fabsl(f->s[i] / want[i] - 1);

		most = off > most || isnan(off) ? off : most;
	}
	free(want);
	return (double)(most / (long double)(eps * (double)f->n));
}

/* Columns of lengths that fall by 2^-4 each, so that the singular values do. */
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
	return each(a, product_off);
}

static double digits(const struct args *a)
{
	return each(a, digits_off);
}

static double left(const struct args *a)
{
	return each(a, u_off);
}

static double right(const struct args *a)
{
	return each(a, v_off);
}

static double values(const struct args *a)
{
	return each(a, values_off);
}

static double own_orthogonality(const struct args *a)
{
	return a->verdict.orthogonality;
}

static const struct judge vectors[] = {
	{ "|A - USV'| / max(m,n)|A|eps", residual, 50 },
	{ "|I - U'U| / m eps", left, 50 },
	{ "|I - V'V| / n eps", right, 50 },
	{ "|s - s*| / max(m,n)|A|eps", values, 50 },
	{ "its own ratio", check_own_ratio, 30 },
	{ "its own orthogonality", own_orthogonality, 30 },
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

static const struct kind random_kind[] = { KIND("random", fill_random), { 0 } };

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
}, three[][3] = { { 3, 3 }, { 40, 20 }, { 20, 40 }, { 70, 70 }, CHECK_END };

const struct check_row check_svd_rows[] = {
	{ .what = "LAPACK's types", .op = "svd", .operands = { "mm" },
	  .sizes = squares, .kinds = check_lapack_kinds, .judges = vectors },
	{ .what = "no vectors", .op = "svd",
	  .operands = { "mm" }, .params = { "vectors", "none" },
	  .sizes = squares, .kinds = check_lapack_kinds, .judges = alone },
	{ .what = "rectangles", .op = "svd", .operands = { "mn" },
	  .sizes = wide, .kinds = random_kind, .judges = vectors },
	{ .what = "rectangles, full", .op = "svd", .operands = { "mn" },
	  .params = { "vectors", "full" }, .sizes = wide,
	  .kinds = random_kind, .judges = vectors },
	{ .what = "empty", .op = "svd", .operands = { "mn" },
	  .params = { "vectors", "full" }, .sizes = empty,
	  .kinds = random_kind, .judges = vectors },
	{ .what = "the three largest", .op = "svd", .operands = { "mn" },
	  .params = { "k", "3" }, .sizes = three, .kinds = random_kind,
	  .judges = some },
	{ .what = "relative accuracy", .op = "svd", .operands = { "mm" },
	  .sizes = falling, .kinds = graded, .judges = relative,
	  .only = "jacobi" },
	{ .what = "stacks", .op = "svd", .operands = { "kmn" },
	  .sizes = stacks, .kinds = random_kind, .judges = vectors },
	{ 0 }
};
