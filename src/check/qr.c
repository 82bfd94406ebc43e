/* qr.c - the rows for A P = Q R: LAPACK's ratios (xQRT01, xQPT01, xQRT11), and
 * that R is triangular and, with pivoting, its diagonal does not ascend. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "check/host.h"
#include "check/rows.h"

enum { MODE, PIVOT };
enum { Q, R, P };

/* One matrix of the stack and its factors, on the host. */
struct factors {
	size_t m, n, k;			/* Q is m x k, R k x n */
	const long double *a, *q, *r;
	const double *p;
};

typedef double judge_fn(const struct factors *f, double eps);

static void permutation(const struct args *a, double *p, size_t n)
{
	const bool has = a->out[P].ndim != MATRIX_ABSENT;
	const size_t all = matrix_stack(&a->in[0]) * n;

	for (size_t i = 0; i < all; i++)
		p[i] = has ? matrix_get(&a->out[P], i) : (double)(i % n);
}

/* The worst value of all matrices of the stack. */
static double each(const struct args *a, judge_fn *judge)
{
	const struct matrix *x = &a->in[0];
	const size_t stack = matrix_stack(x);
	long double *of_a = host_values(x, 0);
	long double *q = host_values(&a->out[Q], 0);
	long double *r = host_values(&a->out[R], 0);
	double *p = calloc(stack * matrix_cols(x) + 1, sizeof *p), most = 0;
	struct factors f = {
		.m = matrix_rows(x), .n = matrix_cols(x),
		.k = matrix_cols(&a->out[Q]),
	};

	if (!of_a || !q || !r || !p)
		most = NAN;
	else
		permutation(a, p, f.n);
	for (size_t i = 0; i < stack && !isnan(most); i++) {
		f.a = of_a + i * f.m * f.n;
		f.q = q + i * f.m * f.k;
		f.r = r + i * f.k * f.n;
		f.p = p + i * f.n;
		most = host_worse(judge(&f, dtype_epsilon(a->dtype) / 2),
		                  most);
	}
	free(of_a);
	free(q);
	free(r);
	free(p);
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

		if (!(f->p[j] >= 0 && f->p[j] < (double)f->n))
			return NAN;
		for (size_t i = 0; i < f->m; i++) {
			long double sum = -f->a[i * f->n + (size_t)f->p[j]];

			for (size_t k = 0; k < f->k; k++)
				sum += f->q[i * f->k + k] *
				       f->r[k * f->n + j];
			all += fabsl(sum);
		}
		most = all > most || isnan(all) ? all : most;
	}
	return host_ratio(most, unit);
}

static double q_off(const struct factors *f, double eps)
{
	return f->k == 0 ? 0 :
	       (double)host_off_orthogonal(f->q, f->m, f->k, f->k, 1) /
	       (eps * (double)f->m);
}

/* max |r_ij| below the diagonal. */
static double below(const struct factors *f, double eps)
{
	long double most = 0;

	(void)eps;
	for (size_t i = 0; i < f->k; i++)
		for (size_t j = 0; j < size_min(i, f->n); j++)
			most = fmaxl(most, fabsl(f->r[i * f->n + j]));
	return (double)most;
}

/* By how much |r_ii| ascends, in units of rounding of the largest one. */
static double ascent(const struct factors *f, double eps)
{
	const size_t k = size_min(f->k, f->n);
	long double most = 0;

	for (size_t i = 1; i < k; i++)
		most = fmaxl(most, fabsl(f->r[i * (f->n + 1)]) -
		                   fabsl(f->r[(i - 1) * (f->n + 1)]));
	return k == 0 ? 0 : host_ratio(most, fabsl(f->r[0]) * eps);
}

static double residual(const struct args *a)
{
	return each(a, product_off);
}

static double orthogonality(const struct args *a)
{
	return each(a, q_off);
}

static double triangle(const struct args *a)
{
	return each(a, below);
}

static double order(const struct args *a)
{
	return each(a, ascent);
}

static double own_orthogonality(const struct args *a)
{
	return a->verdict.orthogonality;
}

#define RATIOS                                                              \
	{ "|AP - QR| / max(m,n)|A|eps", residual, 30 },                     \
	{ "|I - Q'Q| / m eps", orthogonality, 30 },                         \
	{ "below R's diagonal", triangle, 0 },                              \
	{ "its own ratio", check_own_ratio, 30 },                           \
	{ "its own orthogonality", own_orthogonality, 30 }

static const struct judge plain[] = { RATIOS, { 0 } };
static const struct judge pivoted[] = {
	RATIOS, { "ascent of |r_ii| / eps", order, 30 }, { 0 }
};

static const struct kind random_kind[] = { KIND("random", fill_random), { 0 } };

static const size_t squares[][3] = {
	{ 1 }, { 2 }, { 3 }, { 5 }, { 10 }, { 31 }, { 33 }, { 64 }, { 65 },
	{ 130 }, CHECK_END
}, wide[][3] = {
	{ 0, 0 }, { 0, 3 }, { 3, 0 }, { 1, 5 }, { 5, 1 }, { 2, 3 }, { 3, 50 },
	{ 50, 3 }, { 32, 65 }, { 65, 32 }, { 200, 33 }, { 33, 200 },
	CHECK_END
}, tall[][3] = {
	{ 513, 64 }, { 700, 33 }, { 1111, 7 }, { 3000, 1 }, CHECK_END
}, stacks[][3] = {
	{ 1, 1, 2 }, { 3, 5, 4 }, { 40, 33, 3 }, { 33, 70, 3 }, CHECK_END
};

const struct check_row check_qr_rows[] = {
	{ .what = "LAPACK's types", .op = "qr", .operands = { "mm" },
	  .sizes = squares, .kinds = check_lapack_kinds, .judges = plain },
	{ .what = "pivoted", .op = "qr", .operands = { "mm" },
	  .params = { "pivot", "true" }, .sizes = squares,
	  .kinds = check_lapack_kinds, .judges = pivoted },
	{ .what = "rectangles", .op = "qr", .operands = { "mn" },
	  .vary = "mode", .sizes = wide, .kinds = random_kind,
	  .judges = plain },
	{ .what = "wide, pivoted", .op = "qr", .operands = { "mn" },
	  .params = { "pivot", "true" }, .vary = "mode", .sizes = wide,
	  .kinds = random_kind, .judges = pivoted },
	{ .what = "tall", .op = "qr", .operands = { "mn" }, .sizes = tall,
	  .kinds = check_lapack_kinds, .judges = plain },
	{ .what = "stacks", .op = "qr", .operands = { "kmn" },
	  .vary = "mode", .sizes = stacks, .kinds = random_kind,
	  .judges = plain },
	{ 0 }
};
