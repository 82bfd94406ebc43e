/* cond.c - the rows for condition numbers, which are compared with those that
 * the inverse and the singular values give in long double. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "check/host.h"
#include "check/rows.h"
#include "check/singular.h"

enum { ONE, TWO, INF, FRO };			/* cond's choices */
enum { RCOND, COND };				/* its outputs */

static long double fro(const long double *x, size_t n)
{
	long double all = 0;

	for (size_t i = 0; i < n; i++)
		all += x[i] * x[i];
	return sqrtl(all);
}

static void turn(long double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++) {
			const long double t = x[i * n + j];

			x[i * n + j] = x[j * n + i];
			x[j * n + i] = t;
		}
}

static long double norm_of(long double *x, size_t n, int ord)
{
	if (ord == FRO)
		return fro(x, n * n);
	if (ord == INF)
		turn(x, n);
	return host_norm1(x, n, n);
}

/* Returns the condition number of the m x n matrix x, which is overwritten;
 * room for 2 m n more elements follows it. */
static long double condition(long double *x, size_t m, size_t n, int ord)
{
	long double *copy = x + m * n, *inverse = copy + m * n;

	if (ord == TWO) {
		host_singular(x, m, n, copy);
		return copy[0] / copy[size_min(m, n) - 1];
	}
	for (size_t i = 0; i < n * n; i++)
		copy[i] = x[i];
	if (!host_invert(copy, inverse, n))
		return INFINITY;
	return norm_of(x, n, ord) * norm_of(inverse, n, ord);
}

/* Calls fn with the true condition number, the answered one, max(m, n) and eps
 * for every matrix of the stack, and returns the worst value. */
static double worst_of(const struct args *a, int ord,
                       double (*fn)(long double want, long double got,
                                    size_t n, double eps))
{
	const struct matrix *x = &a->in[0];
	const size_t m = matrix_rows(x), n = matrix_cols(x);
	long double *host = host_values(x, 2 * m * n);
	double worst = host ? 0 : NAN;

	for (size_t i = matrix_stack(x); host && i-- > 0; ) {
		const double got = matrix_get(&a->out[isnan(a->param[0]) ?
		                              RCOND : COND], i);

		worst = host_worse(worst, fn(condition(host + i * m * n, m, n,
		    ord), got, size_max(m, n), dtype_epsilon(x->dtype)));
	}
	free(host);
	return worst;
}

/* Returns the relative error divided by n eps cond, because cond is also the
 * condition number of computing cond (N. Higham, Accuracy and Stability,
 * section 15.1). */
static double relative(long double want, long double got, size_t n, double eps)
{
	return host_ratio(got - want, want * (double)n * eps * want);
}

static double condition_error(const struct args *a)
{
	return worst_of(a, (int)a->param[0], relative);
}

/* Returns LAPACK's ratio for rcond: the larger of the true and the answered
 * rcond divided by the smaller (dget06). */
static double factor(long double want, long double got, size_t n, double eps)
{
	(void)n;
	(void)eps;
	got *= want;
	return (double)fmaxl(got, 1 / got);
}

static double estimate_error(const struct args *a)
{
	return worst_of(a, ONE, factor);
}

/* Returns the number of singular matrices whose answer does not say so. */
static double not_found(const struct args *a)
{
	double count = 0;

	for (size_t i = 0; i < matrix_stack(&a->in[0]); i++)
		count += isnan(a->param[0]) ?
		         matrix_get(&a->out[RCOND], i) >
		             dtype_epsilon(a->dtype) :
		         matrix_get(&a->out[COND], i) <
		             0.1 / dtype_epsilon(a->dtype);
	return count;
}

static const struct judge conditions[] = {
	{ "|cond - true| / n eps cond^2", condition_error, 1 }, { 0 }
}, estimates[] = {
	{ "rcond, true rcond: larger/smaller", estimate_error, 10 }, { 0 }
}, finds[] = {
	{ "singular ones not found", not_found, 0 }, { 0 }
};

static const size_t sizes[][3] = {
	{ 1 }, { 2 }, { 3 }, { 5 }, { 10 }, { 33 }, { 50 }, CHECK_END
}, tall[][3] = {
	{ 1, 3 }, { 5, 2 }, { 10, 50 }, { 50, 10 }, CHECK_END
}, some[][3] = { { 2 }, { 10 }, { 33 }, CHECK_END },
stacks[][3] = { { 1, 1 }, { 3, 5 }, { 7, 20 }, CHECK_END };

const struct check_row check_cond_rows[] = {
	{ .what = "estimates", .op = "cond", .operands = { "mm" },
	  .sizes = sizes, .kinds = check_regular_kinds, .judges = estimates },
	{ .what = "numbers", .op = "cond", .vary = "ord",
	  .operands = { "mm" }, .sizes = sizes, .kinds = check_random_kinds,
	  .judges = conditions },
	{ .what = "ord=2 of rectangles", .op = "cond",
	  .params = { "ord", "2" }, .operands = { "mn" }, .sizes = tall,
	  .kinds = check_random_kinds, .judges = conditions },
	{ .what = "stacks", .op = "cond", .vary = "ord",
	  .operands = { "mnn" }, .sizes = stacks, .kinds = check_random_kinds,
	  .judges = conditions },
	{ .what = "singular, estimates", .op = "cond", .operands = { "mm" },
	  .sizes = some, .kinds = check_singular_kinds, .judges = finds },
	{ .what = "singular, numbers", .op = "cond", .vary = "ord",
	  .operands = { "mm" }, .sizes = some, .kinds = check_singular_kinds,
	  .judges = finds },
	{ 0 }
};
