/* kron.c - Kronecker products of an m x m and an n x n matrix. */
#include "bench/error.h"
#include "bench/rows.h"

/* The error of c(i p + k, j p + l) = a(i, j) b(k, l), where B is p x p. */
static double error(const struct matrix *in, const struct matrix *out)
{
	const size_t n = matrix_rows(&in[0]), p = matrix_rows(&in[1]);
	const size_t rows = matrix_rows(&out[0]);
	double most = 0;

	for (size_t s = 0; s < bench_sample(rows); s++)
		for (size_t r = bench_sampled(s, rows), c = 0; c < rows; c++) {
			const struct bench_line x = {
				&in[0], r / p * n + c / p, 1
			};
			const struct bench_line y = {
				&in[1], r % p * p + c % p, 1
			};

			most = bench_worse(bench_error_dot(x, y, 1,
			    matrix_get(&out[0], r * rows + c)), most);
		}
	return most;
}

const struct bench_row bench_kron_rows[] = {
	{
		.op = "kron", .operands = { "mm", "nn" }, .shape = "mn",
		.results = { "kron" }, .peer = { "kron" }, .error = error,
		.dim = { { 32, 32 }, { 64, 64 }, { 512, 8 }, { 8, 512 } },
	}, { 0 }
};
