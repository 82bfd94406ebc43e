/* error.c - the errors of results, computed in long double.
 *
 * Each is a ratio: an element's error over the sum of the magnitudes that were
 * added to get it. So a good result has eps times a modest number, and
 * cancellation in the data does not count against it. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "bench/rows.h"
#include "matrix/sparse.h"

enum { SAMPLE_ROWS = 8 };

/* Row r of the sample, whose rows are spread from the first to the last. */
static size_t sample_row(size_t r, size_t rows)
{
	return rows <= SAMPLE_ROWS ? r :
	       r * (rows - 1) / (SAMPLE_ROWS - 1);
}

static double ratio(long double error, long double size)
{
	return size > 0 ? (double)(fabsl(error) / size) :
	       error == 0 ? 0 : INFINITY;
}

/* The larger; NaN if one is, so that it is not hidden. */
static double worse(double a, double b)
{
	return isnan(a) || a > b ? a : b;
}

double bench_error_matmul(const struct matrix *in, const struct matrix *out)
{
	size_t m = matrix_rows(&in[0]), k = matrix_cols(&in[0]);
	size_t n = matrix_cols(&in[1]);
	double most = 0;

	for (size_t r = 0; r < size_min(m, SAMPLE_ROWS); r++)
		for (size_t i = sample_row(r, m), j = 0; j < n; j++) {
			long double sum = 0, size = 0;

			for (size_t p = 0; p < k; p++) {
				long double x = matrix_get(&in[0], i * k + p);

				x *= matrix_get(&in[1], p * n + j);
				sum += x;
				size += fabsl(x);
			}
			sum -= matrix_get(&out[0], i * n + j);
			most = worse(ratio(sum, size), most);
		}
	return most;
}

/* The order of A's rows after the row interchanges; the n interchanges begin at
 * element `first` of the pivots. */
static size_t *exchanged(const struct matrix *pivots, size_t first, size_t n,
                         size_t rows)
{
	size_t *p = malloc(rows * sizeof *p);

	for (size_t i = 0; p && i < rows; i++)
		p[i] = i;
	for (size_t i = 0; p && i < n; i++) {
		size_t with = (size_t)matrix_get(pivots, first + i);
		size_t row = p[i];

		if (with >= rows)
			continue;
		p[i] = p[with];
		p[with] = row;
	}
	return p;
}

/* The error of P A = L U for one matrix of the stack, in a sample of rows. */
static double error_of_factors(const struct matrix *in,
                               const struct matrix *out, size_t which)
{
	size_t m = matrix_rows(&in[0]), n = matrix_cols(&in[0]);
	size_t least = size_min(m, n), first = which * m * n;
	size_t *p = exchanged(&out[1], which * least, least, m);
	double most = p ? 0 : NAN;

	for (size_t r = 0; p && r < size_min(m, SAMPLE_ROWS); r++)
		for (size_t i = sample_row(r, m), j = 0; j < n; j++) {
			long double sum = 0, size = 0;

			for (size_t k = 0; k <= size_min(i, j); k++) {
				long double x = k == i ? 1 :
				    matrix_get(&out[0], first + i * n + k);

				x *= matrix_get(&out[0], first + k * n + j);
				sum += x;
				size += fabsl(x);
			}
			sum -= matrix_get(&in[0], first + p[i] * n + j);
			most = worse(ratio(sum, size), most);
		}
	free(p);
	return most;
}

/* The largest error over a sample of the stack. */
double bench_error_lu(const struct matrix *in, const struct matrix *out)
{
	const size_t stack = matrix_stack(&in[0]);
	double most = 0;

	for (size_t s = 0; s < size_min(stack, SAMPLE_ROWS); s++)
		most = worse(error_of_factors(in, out, sample_row(s, stack)),
		             most);
	return most;
}

/* The error of A X = B, from B - A X. */
double bench_error_solve(const struct matrix *in, const struct matrix *out)
{
	size_t m = matrix_rows(&in[0]), n = matrix_cols(&in[1]);
	double most = 0;

	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < size_min(n, SAMPLE_ROWS); j++) {
			long double sum = -matrix_get(&in[1], i * n + j);
			long double size = fabsl(sum);

			for (size_t k = 0; k < m; k++) {
				long double x = matrix_get(&in[0], i * m + k);

				x *= matrix_get(&out[0], k * n + j);
				sum += x;
				size += fabsl(x);
			}
			most = worse(ratio(sum, size), most);
		}
	return most;
}

double bench_error_rowsums(const struct matrix *in, const struct matrix *out)
{
	size_t m = matrix_rows(&in[0]), n = matrix_cols(&in[0]);
	double most = 0;

	for (size_t i = 0; i < m; i++) {
		long double sum = -matrix_get(&out[0], i), size = 0;

		for (size_t j = 0; j < n; j++) {
			long double x = matrix_get(&in[0], i * n + j);

			sum += x;
			size += fabsl(x);
		}
		most = worse(ratio(sum, size), most);
	}
	return most;
}

double bench_error_transpose(const struct matrix *in,
                             const struct matrix *out)
{
	size_t m = matrix_rows(&in[0]), n = matrix_cols(&in[0]);
	double most = 0;

	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++)
			most = worse(fabs(matrix_get(&in[0], i * n + j) -
			                  matrix_get(&out[0], j * m + i)),
			             most);
	return most;
}

double bench_error_sum(const struct matrix *in, const struct matrix *out)
{
	long double sum = -matrix_get(&out[0], 0), size = 0;

	for (size_t i = 0; i < matrix_elements(&in[0]); i++) {
		sum += matrix_get(&in[0], i);
		size += fabs(matrix_get(&in[0], i));
	}
	return ratio(sum, size);
}

double bench_error_max(const struct matrix *in, const struct matrix *out)
{
	double max = -INFINITY;

	for (size_t i = 0; i < matrix_elements(&in[0]); i++)
		max = fmax(max, matrix_get(&in[0], i));
	return ratio(max - matrix_get(&out[0], 0), fabs(max));
}

double bench_error_norm2(const struct matrix *in, const struct matrix *out)
{
	long double sum = 0;

	for (size_t i = 0; i < matrix_elements(&in[0]); i++) {
		long double x = matrix_get(&in[0], i);

		sum += x * x;
	}
	return ratio(sqrtl(sum) - matrix_get(&out[0], 0), sqrtl(sum));
}

double bench_error_spmv(const struct matrix *in, const struct matrix *out)
{
	const int64_t *starts = sparse_starts(&in[0]);
	const int32_t *columns = sparse_columns(&in[0]);
	double most = 0;

	for (size_t i = 0; i < in[0].dim[0]; i++) {
		long double sum = -matrix_get(&out[0], i), size = 0;

		for (int64_t k = starts[i]; k < starts[i + 1]; k++) {
			long double x = matrix_get(&in[0], (size_t)k);

			x *= matrix_get(&in[1], (size_t)columns[k]);
			sum += x;
			size += fabsl(x);
		}
		most = worse(ratio(sum, size), most);
	}
	return most;
}

double bench_error_eigen(const struct matrix *in, const struct matrix *out)
{
	const size_t n = matrix_rows(&in[0]);
	const double lambda = matrix_get(&out[0], 0);
	double most = 0;

	for (size_t i = 0; i < n; i++) {
		long double sum = -lambda * matrix_get(&out[1], i), size = 0;

		for (size_t j = 0; j < n; j++) {
			long double x = matrix_get(&in[0], i * n + j);

			x *= matrix_get(&out[1], j);
			sum += x;
			size += fabsl(x);
		}
		most = worse(ratio(sum, size), most);
	}
	return most;
}
