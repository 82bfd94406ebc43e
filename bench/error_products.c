/* error_products.c - the errors of products with transposed factors and of
 * stacks; error.c has that of C = A B. */
#include <math.h>

#include "base/size.h"
#include "bench/rows.h"

enum { SAMPLE = 8 };

/* A factor: its first element, and the distances between its rows and
 * columns. */
struct factor {
	const struct matrix *of;
	size_t at, row, col;
};

static struct factor factor_of(const struct matrix *m, bool transposed,
                               size_t which)
{
	size_t rows = matrix_rows(m), cols = matrix_cols(m);

	return (struct factor){ m, which * rows * cols, transposed ? 1 : cols,
	                        transposed ? cols : 1 };
}

/* The error of element (i, j) of C, `got`, over the magnitudes that were
 * added. */
static double error_at(const struct factor *a, const struct factor *b,
                       size_t k, size_t i, size_t j, double got)
{
	long double sum = -got, size = 0;

	for (size_t p = 0; p < k; p++) {
		long double x = matrix_get(a->of, a->at + i * a->row +
		                           p * a->col);

		x *= matrix_get(b->of, b->at + p * b->row + j * b->col);
		sum += x;
		size += fabsl(x);
	}
	return size > 0 ? (double)(fabsl(sum) / size) :
	       sum == 0 ? 0 : INFINITY;
}

/* The largest error in a sample of the rows of one product of a stack. */
static double error_of(const struct matrix *in, const struct matrix *out,
                       bool ta, bool tb, size_t which)
{
	const struct factor a = factor_of(&in[0], ta, which);
	const struct factor b = factor_of(&in[1], tb, which);
	size_t m = matrix_rows(out), n = matrix_cols(out);
	size_t k = ta ? matrix_rows(&in[0]) : matrix_cols(&in[0]);
	size_t step = size_max(1, m / SAMPLE);
	double most = 0;

	for (size_t i = 0; i < m; i += step)
		for (size_t j = 0; j < n; j++) {
			size_t at = (which * m + i) * n + j;
			double x = error_at(&a, &b, k, i, j,
			                    matrix_get(out, at));

			most = isnan(x) || x > most ? x : most;
		}
	return most;
}

double bench_error_matmul_tn(const struct matrix *in, const struct matrix *out)
{
	return error_of(in, out, true, false, 0);
}

double bench_error_matmul_nt(const struct matrix *in, const struct matrix *out)
{
	return error_of(in, out, false, true, 0);
}

double bench_error_matmul_tt(const struct matrix *in, const struct matrix *out)
{
	return error_of(in, out, true, true, 0);
}

double bench_error_matmul_stack(const struct matrix *in,
                                const struct matrix *out)
{
	size_t stack = matrix_stack(out), step = size_max(1, stack / SAMPLE);
	double most = 0;

	for (size_t s = 0; s < stack; s += step) {
		double x = error_of(in, out, false, false, s);

		most = isnan(x) || x > most ? x : most;
	}
	return most;
}
