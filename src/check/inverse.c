/* inverse.c - the rows for A^-1: LAPACK's ratio and rcond, for LAPACK's types
 * of matrices. */
#include <math.h>
#include <stdlib.h>

#include "check/host.h"
#include "check/rows.h"

/* Returns |A X - I| / (n |A| |X| eps), the ratio of LAPACK's xGET03. */
static double ratio(const struct args *a)
{
	const size_t n = matrix_rows(&a->in[0]);
	long double *of_a = host_values(&a->in[0], 0);
	long double *x = host_values(&a->out[0], 0);
	long double *error = calloc(n * n + 1, sizeof *error);
	double value = NAN;

	if (of_a && x && error) {
		for (size_t i = 0; i < n; i++)
			for (size_t k = 0; k < n; k++)
				for (size_t j = 0; j < n; j++)
					error[i * n + j] += of_a[i * n + k] *
					                    x[k * n + j];
		for (size_t i = 0; i < n; i++)
			error[i * (n + 1)] -= 1;
		value = host_ratio(host_norm1(error, n, n), (double)n *
		    dtype_epsilon(a->dtype) * host_norm1(of_a, n, n) *
		    host_norm1(x, n, n));
	}
	free(of_a);
	free(x);
	free(error);
	return value;
}

/* Returns the relative distance of rcond from 1 / (|A| |X|), which is not zero
 * because both norms are rounded. */
static double rcond_off(const struct args *a)
{
	const size_t n = matrix_rows(&a->in[0]);
	long double *of_a = host_values(&a->in[0], 0);
	long double *x = host_values(&a->out[0], 0);
	double value = NAN;

	if (of_a && x) {
		const long double want = 1 / (host_norm1(of_a, n, n) *
		                              host_norm1(x, n, n));

		value = host_ratio(fabsl(a->verdict.rcond - want), want);
	}
	free(of_a);
	free(x);
	return value;
}

static const struct judge judges[] = {
	{ "|AX - I| / n|A||X|eps", ratio, 30 },
	{ "its own ratio", check_own_ratio, 30 },
	{ "rcond, relatively", rcond_off, 1e-4 },
	{ 0 }
};

static const size_t sizes[][3] = {
	{ 1 }, { 2 }, { 3 }, { 5 }, { 10 }, { 50 }, { 63 }, { 64 }, { 65 },
	{ 129 }, CHECK_END
}, some[][3] = { { 1 }, { 2 }, { 10 }, { 65 }, CHECK_END };

const struct check_row check_inverse_rows[] = {
	{ .what = "LAPACK's types", .op = "inverse", .operands = { "mm" },
	  .sizes = sizes, .kinds = check_regular_kinds, .judges = judges },
	/* A matrix with a column of zeros is exactly singular, and rounding
	 * does not change that. */
	{ .what = "singular", .op = "inverse", .operands = { "mm" },
	  .sizes = some, .kinds = check_singular_kinds,
	  .refusal = ERR_SINGULAR },
	{ 0 }
};
