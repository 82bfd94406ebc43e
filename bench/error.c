/* error.c - see error.h. */
#include <complex.h>
#include <math.h>

#include "base/size.h"
#include "bench/error.h"
#include "matrix/complex.h"
#include "matrix/sparse.h"

size_t bench_sample(size_t n)
{
	return size_min(n, BENCH_SAMPLE);
}

size_t bench_sampled(size_t i, size_t n)
{
	return n <= BENCH_SAMPLE ? i : i * (n - 1) / (BENCH_SAMPLE - 1);
}

double bench_ratio(long double error, long double size)
{
	return size > 0 ? (double)(fabsl(error) / size) :
	       error == 0 ? 0 : INFINITY;
}

double bench_worse(double a, double b)
{
	return isnan(a) || a > b ? a : b;
}

static double complex element(const struct matrix *m, size_t i)
{
	return complex_of(matrix_get(m, i), matrix_get_imaginary(m, i));
}

/* The larger error of the two parts, relative to the sum of the magnitudes of
 * all products of parts. */
static double error_complex_dot(struct bench_line x, struct bench_line y,
                                size_t n, double complex got)
{
	long double re = -creal(got), im = -cimag(got), size = 0;

	for (size_t i = 0; i < n; i++) {
		const double complex u = element(x.of, x.at + i * x.step);
		const double complex v = element(y.of, y.at + i * y.step);
		const long double a = creal(u), b = cimag(u);

		re += a * creal(v) - b * cimag(v);
		im += a * cimag(v) + b * creal(v);
		size += (fabsl(a) + fabsl(b)) *
		        (fabsl((long double)creal(v)) +
		         fabsl((long double)cimag(v)));
	}
	return bench_worse(bench_ratio(re, size), bench_ratio(im, size));
}

double bench_error_dot(struct bench_line x, struct bench_line y, size_t n,
                       double got)
{
	long double sum = -got, size = 0;

	for (size_t i = 0; i < n; i++) {
		long double term = matrix_get(x.of, x.at + i * x.step);

		term *= matrix_get(y.of, y.at + i * y.step);
		sum += term;
		size += fabsl(term);
	}
	return bench_ratio(sum, size);
}

/* Row i of matrix `which` of a stack, or column i of it. */
static struct bench_line line_of(const struct matrix *m, bool column,
                                 size_t which, size_t i)
{
	const size_t rows = matrix_rows(m), cols = matrix_cols(m);
	const size_t at = which * rows * cols;

	return column ? (struct bench_line){ m, at + i, cols } :
	                (struct bench_line){ m, at + i * cols, 1 };
}

double bench_error_product(const struct matrix in[2], const struct matrix *c,
                           bool ta, bool tb, size_t which)
{
	const size_t m = matrix_rows(c), n = matrix_cols(c);
	const size_t k = ta ? matrix_rows(&in[0]) : matrix_cols(&in[0]);
	const bool complexes = dtype_is_complex(c->dtype);
	double most = 0;

	for (size_t r = 0; r < bench_sample(m); r++)
		for (size_t i = bench_sampled(r, m), j = 0; j < n; j++) {
			const size_t at = (which * m + i) * n + j;
			const struct bench_line x = line_of(&in[0], ta, which,
			                                    i);
			const struct bench_line y = line_of(&in[1], !tb, which,
			                                    j);

			most = bench_worse(complexes ?
			    error_complex_dot(x, y, k, element(c, at)) :
			    bench_error_dot(x, y, k, matrix_get(c, at)), most);
		}
	return most;
}

double bench_error_identity(const struct matrix *a, const struct matrix *x,
                            size_t which)
{
	const size_t n = matrix_rows(a), k = matrix_cols(a);
	double most = 0;

	for (size_t r = 0; r < bench_sample(n); r++)
		for (size_t i = bench_sampled(r, n), j = 0; j < n; j++)
			most = bench_worse(bench_error_dot(
			    line_of(a, false, which, i),
			    line_of(x, true, which, j), k, i == j), most);
	return most;
}

double bench_error_stack(const struct matrix *in, const struct matrix *out,
                         double (*one)(const struct matrix *in,
                                       const struct matrix *out,
                                       size_t which))
{
	const size_t stack = matrix_stack(&in[0]);
	double most = 0;

	for (size_t i = 0; i < bench_sample(stack); i++)
		most = bench_worse(one(in, out, bench_sampled(i, stack)), most);
	return most;
}

double bench_error_sparse(const struct matrix *a, const struct matrix *x,
                          const struct matrix *y)
{
	const int64_t *starts = sparse_starts(a);
	const int32_t *columns = sparse_columns(a);
	double most = 0;

	for (size_t i = 0; i < a->dim[0]; i++) {
		long double sum = -matrix_get(y, i), size = 0;

		for (int64_t k = starts[i]; k < starts[i + 1]; k++) {
			long double term = matrix_get(a, (size_t)k);

			term *= matrix_get(x, (size_t)columns[k]);
			sum += term;
			size += fabsl(term);
		}
		most = bench_worse(bench_ratio(sum, size), most);
	}
	return most;
}

double bench_error_rowsums(const struct matrix *a, const struct matrix *y)
{
	const size_t m = matrix_rows(a), n = matrix_cols(a);
	double most = 0;

	for (size_t i = 0; i < m; i++) {
		long double sum = -matrix_get(y, i), size = 0;

		for (size_t j = 0; j < n; j++) {
			long double x = matrix_get(a, i * n + j);

			sum += x;
			size += fabsl(x);
		}
		most = bench_worse(bench_ratio(sum, size), most);
	}
	return most;
}
