/* det.c - the rows for the determinant: its comparison with elimination in long
 * double, and the agreement of the three outputs. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "check/host.h"
#include "check/rows.h"

enum { DET, SIGN, LOGABSDET };

/* Returns sum_i log |u_ii|, and in *sign the sign of the determinant, by
 * Gaussian elimination with partial pivoting, which overwrites a. */
static long double eliminate(long double *a, size_t n, double *sign)
{
	long double sum = 0;

	*sign = 1;
	for (size_t k = 0; k < n; k++) {
		size_t top = k;

		for (size_t i = k + 1; i < n; i++)
			if (fabsl(a[i * n + k]) > fabsl(a[top * n + k]))
				top = i;
		for (size_t j = 0; j < n && top != k; j++) {
			const long double x = a[k * n + j];

			a[k * n + j] = a[top * n + j];
			a[top * n + j] = x;
		}
		*sign *= top != k ? -1 : 1;
		*sign *= a[k * n + k] < 0 ? -1 : 1;
		sum += logl(fabsl(a[k * n + k]));
		for (size_t i = k + 1; i < n; i++)
			for (size_t j = n; j-- > k; )
				a[i * n + j] -= a[i * n + k] /
				                a[k * n + k] * a[k * n + j];
	}
	return sum;
}

/* Returns the error of logabsdet, which is the determinant's relative error,
 * over n eps max(1, |logabsdet|) times n, the largest condition number of the
 * matrices below. */
static double error_of_log(const struct args *a)
{
	const size_t n = matrix_rows(&a->in[0]);
	long double *x = host_values(&a->in[0], 0);
	double sign, value;
	long double want;

	if (!x)
		return NAN;
	want = eliminate(x, n, &sign);
	free(x);
	if (matrix_get(&a->out[SIGN], 0) != sign)
		return INFINITY;
	value = (double)fabsl(matrix_get(&a->out[LOGABSDET], 0) - want);
	return n ? value / ((double)n * (double)n * dtype_epsilon(a->dtype) *
	                    fmax(1, (double)fabsl(want))) : value;
}

/* Returns |det - sign exp(logabsdet)| over |det| eps max(1, |logabsdet|), or 0
 * if det is infinite or subnormal. */
static double disagreement(const struct args *a)
{
	const double det = matrix_get(&a->out[DET], 0);
	const double log_det = matrix_get(&a->out[LOGABSDET], 0);
	const double other = matrix_get(&a->out[SIGN], 0) * exp(log_det);

	if (!isfinite(det) || !isfinite((float)det) ||
	    fabs(det) < 1.2e-38)
		return isnan(det) ? NAN : 0;
	return fabs(det - other) / (fabs(det) * dtype_epsilon(a->dtype) *
	                            fmax(1, fabs(log_det)));
}

/* Returns 0 for the answer of an exactly singular matrix, else infinity. */
static double zero(const struct args *a)
{
	return matrix_get(&a->out[DET], 0) == 0 &&
	       matrix_get(&a->out[SIGN], 0) == 0 &&
	       matrix_get(&a->out[LOGABSDET], 0) == -INFINITY ? 0 : INFINITY;
}

/* Makes a random matrix that row interchanges make diagonally dominant, so that
 * its condition number is small. */
static int fill_dominant(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *x = &a->in[0];
	const size_t n = matrix_rows(x);

	fill_random(k, a, e);
	for (size_t i = 0; i < n; i++)
		matrix_set(x, i * n + (i + 1) % n, i % 3 ? (double)n :
		                                           -(double)n);
	return 0;
}

static int fill_zero_column(const struct kind *k, struct args *a,
                            struct err *e)
{
	struct matrix *x = &a->in[0];
	const size_t n = matrix_rows(x);

	fill_random(k, a, e);
	for (size_t i = 0; i < n; i++)
		matrix_set(x, i * n + n / 2, 0);
	return 0;
}

static const struct kind dominant[] = {
	KIND("dominant, rows moved", fill_dominant), { 0 }
}, singular[] = {
	KIND("column of zeros", fill_zero_column), { 0 }
};

static const struct judge judges[] = {
	{ "log|det| / n^2 eps", error_of_log, 30 },
	{ "det = sign exp(log)", disagreement, 30 },
	{ "its own ratio", check_own_ratio, 30 },
	{ 0 }
}, zeros[] = { { "0, 0, -inf", zero, 0 }, { 0 } };

static const size_t sizes[][3] = {
	{ 0 }, { 1 }, { 2 }, { 3 }, { 5 }, { 10 }, { 50 }, { 64 }, { 65 },
	{ 130 }, CHECK_END
}, some[][3] = { { 1 }, { 2 }, { 17 }, { 100 }, CHECK_END };

const struct check_row check_det_rows[] = {
	{ .what = "well-conditioned", .op = "det", .operands = { "mm" },
	  .sizes = sizes, .kinds = dominant, .judges = judges },
	{ .what = "singular", .op = "det", .operands = { "mm" },
	  .sizes = some, .kinds = singular, .judges = zeros },
	{ 0 }
};
