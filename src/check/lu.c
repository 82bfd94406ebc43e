/* lu.c - the rows for P A = L U. They demand LAPACK's ratio, and limits for
 * what this ratio does not measure: the multipliers, the growth of elements,
 * and the outputs `singular` and `sign`. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "check/host.h"
#include "check/rows.h"

enum { LU, PIVOTS, SINGULAR, SIGN };

/* Returns the order of A's rows after the interchanges, for the caller to free.
 * Returns NULL if a pivot is not the index of its row or of a later one, or if
 * there is no memory. */
static size_t *order_of(const struct matrix *pivots, size_t m)
{
	size_t *p = malloc((m + 1) * sizeof *p);

	for (size_t i = 0; p && i < m; i++)
		p[i] = i;
	for (size_t i = 0; p && i < matrix_elements(pivots); i++) {
		const double with = matrix_get(pivots, i);
		size_t row;

		if (!(with >= (double)i && with < (double)m)) {
			free(p);
			return NULL;
		}
		row = p[i];
		p[i] = p[(size_t)with];
		p[(size_t)with] = row;
	}
	return p;
}

/* Element (i, j) of L U, given L and U packed in one matrix. */
static long double product(const long double *lu, size_t m, size_t n,
                           size_t i, size_t j)
{
	const size_t k = size_min(size_min(i, j + 1), size_min(m, n));
	long double sum = i <= j ? lu[i * n + j] : 0;

	for (size_t q = 0; q < k; q++)
		sum += lu[i * n + q] * lu[q * n + j];
	return sum;
}

/* |P A - L U| / (n |A| eps), the ratio of LAPACK's xGET01. */
static double ratio(const struct args *a)
{
	const struct matrix *x = &a->in[0];
	const size_t m = matrix_rows(x), n = matrix_cols(x);
	const double unit = dtype_epsilon(a->dtype) / 2 * (double)n;
	long double *of_a = host_values(x, 0), *error = host_values(x, 0);
	long double *lu = host_values(&a->out[LU], 0);
	size_t *p = order_of(&a->out[PIVOTS], m);
	double value = NAN;

	if (of_a && error && lu && p) {
		for (size_t i = 0; i < m; i++)
			for (size_t j = 0; j < n; j++)
				error[i * n + j] = of_a[p[i] * n + j] -
				    product(lu, m, n, i, j);
		value = host_ratio(host_norm1(error, m, n),
		                   unit * host_norm1(of_a, m, n));
	}
	free(of_a);
	free(error);
	free(lu);
	free(p);
	return value;
}

/* max |L_ij|, which partial pivoting keeps at 1 or below. */
static double multipliers(const struct args *a)
{
	const struct matrix *lu = &a->out[LU];
	const size_t m = matrix_rows(lu), n = matrix_cols(lu);
	double most = 0;

	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < size_min(i, n); j++)
			most = host_worse(fabs(matrix_get(lu, i * n + j)),
			                  most);
	return most;
}

/* max |U_ij| / max |A_ij| */
static double growth(const struct args *a)
{
	const struct matrix *x = &a->in[0], *lu = &a->out[LU];
	const size_t m = matrix_rows(x), n = matrix_cols(x);
	double before = 0, after = 0;

	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++) {
			before = host_worse(fabs(matrix_get(x, i * n + j)),
			                    before);
			if (j >= i)
				after = host_worse(
				    fabs(matrix_get(lu, i * n + j)), after);
		}
	return host_ratio(after, before);
}

/* The growth factor over n: for random matrices it is about n^(2/3), and below
 * n (Trefethen and Schreiber 1990). */
static double growth_by_n(const struct args *a)
{
	const size_t n = size_min(matrix_rows(&a->in[0]),
	                          matrix_cols(&a->in[0]));

	return growth(a) / (double)(n + 1);
}

/* The relative distance of the growth factor from its bound 2^(n-1).
 * Wilkinson's matrix reaches the bound without any rounding error. */
static double growth_off_bound(const struct args *a)
{
	return fabs(growth(a) / ldexp(1, (int)matrix_rows(&a->in[0]) - 1) - 1);
}

/* 0 when the outputs `singular` and `sign` agree with the pivots and U's
 * diagonal. */
static double told(const struct args *a)
{
	const struct matrix *lu = &a->out[LU];
	const size_t m = matrix_rows(lu), n = matrix_cols(lu);
	bool singular = false;
	double sign = 1;

	for (size_t i = 0; i < size_min(m, n); i++) {
		const double u = matrix_get(lu, i * n + i);

		singular |= u == 0;
		sign *= (u > 0) - (u < 0);
		if (matrix_get(&a->out[PIVOTS], i) != (double)i)
			sign = -sign;
	}
	if (matrix_get(&a->out[SINGULAR], 0) != singular)
		return INFINITY;
	return m == n && matrix_get(&a->out[SIGN], 0) != sign ? INFINITY : 0;
}

static double elements_off(const struct matrix *m, const double *want)
{
	double most = 0;

	for (size_t i = 0; i < matrix_elements(m); i++)
		most = host_worse(fabs(matrix_get(m, i) - want[i]), most);
	return most;
}

/* L = [1 0 0 0; 2 1 0 0; 4 3 1 0; 3 4 1 1] times
 * U = [2 1 1 0; 0 1 1 1; 0 0 2 2; 0 0 0 2] (Trefethen and Bau 1997, 20). */
static const double example[] = { 2, 1, 1, 0, 4, 3, 3, 1, 8, 7, 9, 5, 6, 7, 9,
                                  8 };

static double example_off(const struct args *a)
{
	static const double packed[] = { 2, 1, 1, 0, 2, 1, 1, 1, 4, 3, 2, 2,
	                                 3, 4, 1, 2 };

	return elements_off(&a->out[LU], packed);
}

static int fill_wilkinson(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *x = &a->in[0];
	const size_t n = matrix_cols(x);

	(void)k;
	(void)e;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			matrix_set(x, i * n + j, i == j || j + 1 == n ? 1 :
			           i > j ? -1 : 0);
	return 0;
}

/* A matrix whose rows are diagonally dominant, so that none needs to move. */
static int fill_dominant(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *x = &a->in[0];
	const size_t m = matrix_rows(x), n = matrix_cols(x);

	fill_random(k, a, e);
	for (size_t i = 0; i < size_min(m, n); i++)
		matrix_set(x, i * n + i, (double)(m + n));
	return 0;
}

static const struct kind wilkinson[] = {
	KIND("wilkinson", fill_wilkinson), { 0 }
};
static const struct kind dominant[] = {
	KIND("dominant diagonal", fill_dominant), { 0 }
};
static const struct kind examples[] = {
	KIND("4x4", fill_values, .values = example), { 0 }
};

static const struct judge pivoted[] = {
	{ "|PA - LU| / n|A|eps", ratio, 30 },
	{ "its own ratio", check_own_ratio, 30 },
	{ "|L| <= 1", multipliers, 1 },
	{ "singular, sign", told, 0 },
	{ 0 }
}, grown[] = {
	{ "|PA - LU| / n|A|eps", ratio, 30 },
	{ "|L| <= 1", multipliers, 1 },
	{ "growth / (n+1)", growth_by_n, 1 },
	{ 0 }
}, doubled[] = {
	{ "growth off 2^(n-1)", growth_off_bound, 0 }, { 0 }
}, unpivoted[] = {
	{ "|A - LU| / n|A|eps", ratio, 30 }, { "singular, sign", told, 0 },
	{ 0 }
}, exact[] = {
	{ "L, U exact", example_off, 0 }, { 0 }
};

static const size_t squares[][3] = {
	{ 1 }, { 2 }, { 3 }, { 5 }, { 10 }, { 50 }, { 127 }, { 128 }, { 129 },
	{ 300 }, CHECK_END
}, wide[][3] = {
	{ 0, 0 }, { 0, 3 }, { 3, 0 }, { 1, 5 }, { 5, 1 }, { 2, 3 }, { 3, 50 },
	{ 50, 3 }, { 64, 129 }, { 129, 64 }, { 127, 300 }, { 300, 128 },
	CHECK_END
}, small[][3] = {
	{ 1 }, { 2 }, { 3 }, { 10 }, { 24 }, CHECK_END
}, four[][3] = { { 4 }, CHECK_END };

#define SEEDS "seed"		/* these variants do not pivot */

const struct check_row check_lu_rows[] = {
	{ .what = "LAPACK's types", .op = "lu", .operands = { "mm" },
	  .sizes = squares, .kinds = check_lapack_kinds, .judges = pivoted,
	  .except = SEEDS },
	{ .what = "rectangles", .op = "lu", .operands = { "mn" },
	  .sizes = wide, .kinds = check_random_kinds, .judges = pivoted,
	  .except = SEEDS },
	{ .what = "random", .op = "lu", .operands = { "mm" },
	  .sizes = squares, .kinds = check_random_kinds, .judges = grown,
	  .except = SEEDS },
	{ .what = "worst growth", .op = "lu", .operands = { "mm" },
	  .sizes = small, .kinds = wilkinson, .judges = doubled,
	  .except = SEEDS },
	{ .what = "no pivoting", .op = "lu", .operands = { "mm" },
	  .params = { "pivot", "none" }, .sizes = squares, .kinds = dominant,
	  .judges = unpivoted },
	{ .what = "no pivoting", .op = "lu", .operands = { "mn" },
	  .params = { "pivot", "none" }, .sizes = wide, .kinds = dominant,
	  .judges = unpivoted },
	{ .what = "example", .op = "lu", .operands = { "mm" },
	  .params = { "pivot", "none" }, .sizes = four, .kinds = examples,
	  .judges = exact },
	{ 0 }
};
