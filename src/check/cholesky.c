/* cholesky.c - the rows for A = L L^T: the symmetric positive definite test
 * matrices of LAPACK (its working note 41, table 4), and matrices that are not
 * positive definite. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "check/host.h"
#include "check/rows.h"

/* Returns |A - L L^T| / (n |A| eps), the ratio of LAPACK's xPOT01. */
static double ratio(const struct args *a)
{
	const size_t n = matrix_rows(&a->in[0]);
	long double *of_a = host_values(&a->in[0], 0);
	long double *l = host_values(&a->out[0], 0);
	long double *error = host_values(&a->in[0], 0);
	double value = NAN;

	if (of_a && l && error) {
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				for (size_t k = 0; k < n; k++)
					error[i * n + j] -= l[i * n + k] *
					                    l[j * n + k];
		value = host_ratio(host_norm1(error, n, n), (double)n *
		    dtype_epsilon(a->dtype) * host_norm1(of_a, n, n));
	}
	free(of_a);
	free(l);
	free(error);
	return value;
}

/* Returns 0 if L is lower triangular with a positive diagonal, else
 * infinity. */
static double shape_of_l(const struct args *a)
{
	const struct matrix *l = &a->out[0];
	const size_t n = matrix_rows(l);

	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++)
			if (i == j ? !(matrix_get(l, i * n + j) > 0) :
			             matrix_get(l, i * n + j) != 0)
				return INFINITY;
	return 0;
}

/* This matrix has L = [2 0 0; 6 1 0; -8 5 3], in whole numbers. */
static const double example[] = { 4, 12, -16, 12, 37, -43, -16, -43, 98 };

static double example_off(const struct args *a)
{
	static const double l[] = { 2, 0, 0, 6, 1, 0, -8, 5, 3 };
	double most = 0;

	for (size_t i = 0; i < COUNT(l); i++)
		most = host_worse(fabs(matrix_get(&a->out[0], i) - l[i]),
		                  most);
	return most;
}

static const struct kind definite[] = {
	KIND("diagonal", fill_spectral, .shape = SYMMETRIC_DIAGONAL),
	KIND("condition 2", fill_spectral),
	KIND("condition (0.1/eps)^1/2", fill_spectral, .hardness = 0.5),
	KIND("condition (0.1/eps)^0.9", fill_spectral, .hardness = 0.9),
	KIND("near underflow", fill_spectral, .range = -1),
	KIND("near overflow", fill_spectral, .range = 1),
	{ 0 }
}, examples[] = {
	KIND("3x3", fill_values, .values = example), { 0 }
};

static const struct judge judges[] = {
	{ "|A - LL'| / n|A|eps", ratio, 30 },
	{ "its own ratio", check_own_ratio, 30 },
	{ "L lower, diagonal > 0", shape_of_l, 0 },
	{ 0 }
}, exact[] = { { "L exact", example_off, 0 }, { 0 } };

static const size_t sizes[][3] = {
	{ 0 }, { 1 }, { 2 }, { 3 }, { 5 }, { 10 }, { 50 }, { 63 }, { 64 },
	{ 65 }, { 129 }, { 200 }, CHECK_END
}, zeroed[][3] = { { 1 }, { 2 }, { 10 }, { 65 }, { 130 }, CHECK_END },
three[][3] = { { 3 }, CHECK_END };

const struct check_row check_cholesky_rows[] = {
	{ .what = "LAPACK's types", .op = "cholesky", .operands = { "mm" },
	  .sizes = sizes, .kinds = definite, .judges = judges },
	{ .what = "not definite", .op = "cholesky", .operands = { "mm" },
	  .sizes = zeroed, .kinds = check_zeroed_kinds,
	  .refusal = ERR_NOT_POSITIVE },
	{ .what = "example", .op = "cholesky", .operands = { "mm" },
	  .sizes = three, .kinds = examples, .judges = exact },
	{ 0 }
};
