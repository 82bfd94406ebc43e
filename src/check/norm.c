/* norm.c - the rows for norms of matrices, which are compared with norms in
 * long double. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "check/host.h"
#include "check/rows.h"
#include "check/singular.h"

enum { FRO, NUC, ONE, TWO, INF, MAX };		/* norm's choices */

struct lines { size_t count, length, between, step; };

static long double largest_sum(const long double *x, const struct lines *l)
{
	long double most = 0;

	for (size_t i = 0; i < l->count; i++) {
		long double all = 0;

		for (size_t j = 0; j < l->length; j++)
			all += fabsl(x[i * l->between + j * l->step]);
		most = fmaxl(most, all);
	}
	return most;
}

static long double fro(const long double *x, size_t n)
{
	long double all = 0;

	for (size_t i = 0; i < n; i++)
		all += x[i] * x[i];
	return sqrtl(all);
}

/* Computes a norm that is made of singular values; x is overwritten. */
static long double of_singular(long double *x, size_t m, size_t n, bool all)
{
	const size_t k = size_min(m, n);
	long double *s = calloc(k + 1, sizeof *s), value = NAN;

	if (s) {
		host_singular(x, m, n, s);
		value = s[0];
		for (size_t i = 1; all && i < k; i++)
			value += s[i];
	}
	free(s);
	return value;
}

static long double norm_of(long double *x, size_t m, size_t n, int ord)
{
	const struct lines rows = { m, n, n, 1 }, columns = { n, m, 1, n };
	const struct lines each = { m * n, 1, 1, 1 };

	return ord == FRO ? fro(x, m * n) :
	       ord == ONE ? largest_sum(x, &columns) :
	       ord == INF ? largest_sum(x, &rows) :
	       ord == MAX ? largest_sum(x, &each) :
	                    of_singular(x, m, n, ord == NUC);
}

/* Returns the largest |norm - true norm| / (eps norm) of the stack, divided by
 * max(m, n) for norms that are made of singular values. */
static double relative(const struct args *a)
{
	const struct matrix *x = &a->in[0];
	const size_t m = matrix_rows(x), n = matrix_cols(x);
	const int ord = (int)a->param[0];
	const double each = ord == NUC || ord == TWO ?
	                    (double)size_max(m, n) : 1;
	long double *host = host_values(x, 0);
	double worst = host ? 0 : NAN;

	for (size_t i = 0; host && i < matrix_stack(x); i++) {
		const long double want = norm_of(host + i * m * n, m, n, ord);
		const long double got = matrix_get(&a->out[0], i);

		worst = host_worse(worst, host_ratio(got - want, want * each *
		    dtype_epsilon(a->dtype)));
	}
	free(host);
	return worst;
}

static const struct judge judges[] = {
	{ "|norm - true| / eps norm", relative, 4 }, { 0 }
};

static const size_t shapes[][3] = {
	{ 0, 3 }, { 3, 0 }, { 1, 1 }, { 2, 2 }, { 3, 5 }, { 10, 50 },
	{ 50, 10 }, { 33, 31 }, { 65, 64 }, CHECK_END
}, regular[][3] = {
	{ 1, 1 }, { 2, 2 }, { 3, 5 }, { 50, 10 }, { 33, 33 }, CHECK_END
}, stacks[][3] = { { 1, 1, 1 }, { 3, 5, 2 }, { 7, 20, 31 }, CHECK_END };

const struct check_row check_norm_rows[] = {
	{ .what = "matrices", .op = "norm", .vary = "ord",
	  .operands = { "mn" }, .sizes = shapes, .kinds = check_random_kinds,
	  .judges = judges },
	{ .what = "LAPACK's types", .op = "norm", .vary = "ord",
	  .operands = { "mn" }, .sizes = regular, .kinds = check_lapack_kinds,
	  .judges = judges },
	{ .what = "stacks", .op = "norm", .vary = "ord",
	  .operands = { "mnk" }, .sizes = stacks, .kinds = check_random_kinds,
	  .judges = judges },
	{ 0 }
};
