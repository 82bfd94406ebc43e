/* solve.c - linear systems, with one right-hand side and with many. */
#include <math.h>

#include "bench/error.h"
#include "bench/rows.h"

/* The error of A X = B, computed from B - A X for a sample of the columns. */
static double error(const struct matrix *in, const struct matrix *out)
{
	size_t m = matrix_rows(&in[0]), n = matrix_cols(&in[1]);
	double most = 0;

	for (size_t i = 0; i < m; i++)
		for (size_t c = 0; c < bench_sample(n); c++) {
			const size_t j = bench_sampled(c, n);
			long double sum = -matrix_get(&in[1], i * n + j);
			long double size = fabsl(sum);

			for (size_t k = 0; k < m; k++) {
				long double x = matrix_get(&in[0], i * m + k);

				x *= matrix_get(&out[0], k * n + j);
				sum += x;
				size += fabsl(x);
			}
			most = bench_worse(bench_ratio(sum, size), most);
		}
	return most;
}

const struct bench_row bench_solve_rows[] = {
	{
		.op = "solve", .operands = { "mm", "mn" }, .shape = "mn",
		.results = { "x" }, .peer = { "gesv" }, .error = error,
		.dim = { { 256, 1 }, { 777, 1 }, { 1024, 1 }, { 1024, 64 },
		         { 1999, 1 }, { 2048, 1 }, { 4096, 1 } },
	}, { 0 }
};
