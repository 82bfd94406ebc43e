/* norm.c - the Frobenius norm, the 1-norm and the 2-norm of a matrix. */
#include <math.h>

#include "bench/error.h"
#include "bench/rows.h"

static double error_fro(const struct matrix *in, const struct matrix *out)
{
	long double sum = 0;

	for (size_t i = 0; i < matrix_elements(&in[0]); i++) {
		long double x = matrix_get(&in[0], i);

		sum += x * x;
	}
	return bench_ratio(sqrtl(sum) - matrix_get(&out[0], 0), sqrtl(sum));
}

static double error_1(const struct matrix *in, const struct matrix *out)
{
	const size_t m = matrix_rows(&in[0]), n = matrix_cols(&in[0]);
	long double norm = 0;

	for (size_t j = 0; j < n; j++) {
		long double sum = 0;

		for (size_t i = 0; i < m; i++)
			sum += fabs(matrix_get(&in[0], i * n + j));
		norm = fmaxl(norm, sum);
	}
	return bench_ratio(norm - matrix_get(&out[0], 0), norm);
}

const struct bench_row bench_norm_rows[] = {
	{
		.op = "norm", .operands = { "mn" }, .results = { "norm" },
		.peer = { "norm2" }, .error = error_fro,
		.dim = { { 1024, 1024 }, { 4096, 4096 } },
		.on_gpus = { { 16384, 16384 } },
	}, {
		.op = "norm", .work = "norm 1", .params = { "ord", "1" },
		.operands = { "mn" }, .results = { "norm" },
		.peer = { "norm_1" }, .error = error_1,
		.dim = { { 1024, 1024 }, { 4096, 4096 } },
		.on_gpus = { { 16384, 16384 } },
	}, {
		.op = "norm", .work = "norm 2", .params = { "ord", "2" },
		.operands = { "mn" }, .peer = { "norm_2" },
		.dim = { { 512, 512 }, { 1024, 1024 }, { 2048, 2048 } },
	}, { 0 }
};
