/* seeds_error.c - judges the results of the articles' algorithms, by computing
 * them again on the host in double or long double. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "bench/error.h"
#include "bench/seeds_tables.h"

double seed_error_row_sums(const struct matrix *in, const struct matrix *out)
{
	return bench_error_rowsums(&in[0], &out[0]);
}

double seed_error_matmul(const struct matrix *in, const struct matrix *out)
{
	return bench_error_product(in, &out[0], false, false, 0);
}

/* The larger of two errors, or NaN if one of them is NaN, so that a maximum
 * never hides a NaN. */
static double worse(double a, double b)
{
	return isnan(a) || a > b ? a : b;
}

static double relative(double x, double right)
{
	return x == right ? 0 : fabs(x - right) / fabs(right);
}

static double max_of(const struct matrix *m)
{
	double max = -INFINITY;

	for (size_t i = 0; i < matrix_elements(m); i++)
		max = fmax(max, matrix_get(m, i));
	return max;
}

double seed_error_max(const struct matrix *in, const struct matrix *out)
{
	return fabs(matrix_get(&out[0], 0) - max_of(&in[0]));
}

double seed_error_sum(const struct matrix *in, const struct matrix *out)
{
	long double sum = 0;

	for (size_t i = 0; i < matrix_elements(&in[0]); i++)
		sum += matrix_get(&in[0], i);
	return (double)fabsl(matrix_get(&out[0], 0) - sum);
}

double seed_error_update(const struct matrix *in, const struct matrix *out)
{
	const double max = matrix_get(&in[2], 0);
	double most = 0;

	for (size_t i = 0; i < matrix_elements(&in[0]); i++)
		most = worse(relative(matrix_get(&out[0], i),
		    matrix_get(&in[0], i) * matrix_get(&in[1], i) / max),
		    most);
	return most;
}

double seed_error_next(const struct matrix *in, const struct matrix *out)
{
	const size_t n = matrix_rows(&in[0]);
	double most = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			most = worse(relative(matrix_get(&out[0], i * n + j),
			    matrix_get(&in[0], i * n + j) *
			    matrix_get(&in[1], j) / matrix_get(&in[1], i)),
			    most);
	return most;
}

double seed_error_stop(const struct matrix *in, const struct matrix *out)
{
	const size_t n = matrix_elements(&in[0]);
	bool alike = true;

	for (size_t i = 0; i < n && alike; i++)
		alike = fabs(matrix_get(&in[0], i) -
		             matrix_get(&in[0], (i + 1) % n)) <= SEED_ALIKE;
	return fabs(matrix_get(&out[0], 0) - alike);
}

double seed_error_eigen(const struct matrix *in, const struct matrix *out)
{
	const size_t n = matrix_rows(&in[0]);
	const double lambda = matrix_get(&out[0], 0);
	double most = 0, longest = 0;

	for (size_t i = 0; i < n; i++) {
		double sum = -lambda * matrix_get(&out[1], i);

		for (size_t j = 0; j < n; j++)
			sum += matrix_get(&in[0], i * n + j) *
			       matrix_get(&out[1], j);
		most = worse(fabs(sum), most);
		longest = fmax(longest, fabs(matrix_get(&out[1], i)));
	}
	return most / longest;
}

/* Row i of L U, from the packed factors. */
static void row_of_product(const double *lu, size_t n, size_t i, double *row)
{
	for (size_t j = 0; j < n; j++)
		row[j] = j < i ? 0 : lu[i * n + j];
	for (size_t k = 0; k < i; k++)
		for (size_t j = k; j < n; j++)
			row[j] += lu[i * n + k] * lu[k * n + j];
}

/* Applies the interchange of row i with the row that its pivot names. */
static void exchange(size_t *order, size_t n, const struct matrix *pivots)
{
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	for (size_t i = 0; i < matrix_elements(pivots); i++) {
		const size_t with = (size_t)matrix_get(pivots, i) % n;
		const size_t row = order[i];

		order[i] = order[with];
		order[with] = row;
	}
}

double seed_error_lu(const struct matrix *in, const struct matrix *out)
{
	const size_t n = matrix_rows(&in[0]);
	double *lu = malloc(n * n * sizeof *lu);
	double *row = malloc(n * sizeof *row);
	size_t *order = malloc(n * sizeof *order);
	double most = lu && row && order ? 0 : NAN;

	if (most == 0)
		exchange(order, n, &out[1]);
	for (size_t i = 0; lu && i < n * n; i++)
		lu[i] = matrix_get(&out[0], i);
	for (size_t i = 0; most >= 0 && i < n; i++) {
		row_of_product(lu, n, i, row);
		for (size_t j = 0; j < n; j++)
			most = worse(fabs(row[j] - matrix_get(&in[0],
			                  order[i] * n + j)), most);
	}
	free(order);
	free(row);
	free(lu);
	return most;
}
