/* pinv.c - the rows for the pseudoinverse: two of Penrose's conditions. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "check/host.h"
#include "check/rows.h"

/* C = A B, m x k times k x n; NULL: no memory. */
static long double *product(const long double *a, const long double *b,
                            size_t m, size_t k, size_t n)
{
	long double *c = calloc(m * n + 1, sizeof *c);

	for (size_t i = 0; c && i < m; i++)
		for (size_t q = 0; q < k; q++)
			for (size_t j = 0; j < n; j++)
				c[i * n + j] += a[i * k + q] * b[q * n + j];
	return c;
}

/* |X Y X - X| / (|X|^2 |Y| eps max(m, n)) in the 1-norm, X being m x n. */
static double off(const long double *x, const long double *y, size_t m,
                  size_t n, double eps)
{
	const long double size = host_norm1(x, m, n);
	long double *xy = product(x, y, m, n, m);
	long double *xyx = xy ? product(xy, x, m, m, n) : NULL;
	double value = NAN;

	if (xyx) {
		for (size_t i = 0; i < m * n; i++)
			xyx[i] -= x[i];
		value = host_ratio(host_norm1(xyx, m, n),
		                   size * host_norm1(y, n, m) * size *
		                   (long double)eps * size_max(m, n));
	}
	free(xy);
	free(xyx);
	return value;
}

static double condition(const struct args *a, bool second)
{
	const struct matrix *x = &a->in[0];
	const size_t m = matrix_rows(x), n = matrix_cols(x);
	const double eps = dtype_epsilon(a->dtype) / 2;
	long double *of_a = host_values(x, 0);
	long double *p = host_values(&a->out[0], 0);
	double most = of_a && p ? 0 : NAN;

	for (size_t i = 0; i < matrix_stack(x) && !isnan(most); i++) {
		const long double *ai = of_a + i * m * n, *pi = p + i * m * n;

		most = host_worse(second ? off(pi, ai, n, m, eps) :
		                           off(ai, pi, m, n, eps), most);
	}
	free(of_a);
	free(p);
	return most;
}

static double first(const struct args *a)
{
	return condition(a, false);
}

static double second(const struct args *a)
{
	return condition(a, true);
}

static const struct judge judges[] = {
	{ "|APA - A| / |A|^2|P|eps", first, 30 },
	{ "|PAP - P| / |P|^2|A|eps", second, 30 },
	{ "its own ratio", check_own_ratio, 30 },
	{ 0 }
};

static const struct kind random_kind[] = { KIND("random", fill_random), { 0 } };

static const size_t squares[][3] = {
	{ 1 }, { 2 }, { 3 }, { 5 }, { 10 }, { 31 }, { 64 }, CHECK_END
}, wide[][3] = {
	{ 0, 0 }, { 0, 3 }, { 3, 0 }, { 1, 5 }, { 5, 1 }, { 3, 50 },
	{ 50, 3 }, { 65, 32 }, { 33, 130 }, CHECK_END
}, stacks[][3] = { { 1, 1, 2 }, { 3, 5, 4 }, { 33, 20, 3 }, CHECK_END };

const struct check_row check_pinv_rows[] = {
	{ .what = "LAPACK's types", .op = "pinv", .operands = { "mm" },
	  .sizes = squares, .kinds = check_lapack_kinds, .judges = judges },
	{ .what = "rectangles", .op = "pinv", .operands = { "mn" },
	  .sizes = wide, .kinds = random_kind, .judges = judges },
	{ .what = "stacks", .op = "pinv", .operands = { "kmn" },
	  .sizes = stacks, .kinds = random_kind, .judges = judges },
	{ 0 }
};
