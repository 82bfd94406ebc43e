/* reduce.c - sums, the largest element, and a norm. */
#include <math.h>

#include "bench/error.h"
#include "bench/rows.h"

static double error_rowsums(const struct matrix *in, const struct matrix *out)
{
	return bench_error_rowsums(&in[0], &out[0]);
}

static double error_sum(const struct matrix *in, const struct matrix *out)
{
	long double sum = -matrix_get(&out[0], 0), size = 0;

	for (size_t i = 0; i < matrix_elements(&in[0]); i++) {
		sum += matrix_get(&in[0], i);
		size += fabs(matrix_get(&in[0], i));
	}
	return bench_ratio(sum, size);
}

static double error_max(const struct matrix *in, const struct matrix *out)
{
	double max = -INFINITY;

	for (size_t i = 0; i < matrix_elements(&in[0]); i++)
		max = fmax(max, matrix_get(&in[0], i));
	return bench_ratio(max - matrix_get(&out[0], 0), fabs(max));
}

static double error_norm2(const struct matrix *in, const struct matrix *out)
{
	long double sum = 0;

	for (size_t i = 0; i < matrix_elements(&in[0]); i++) {
		long double x = matrix_get(&in[0], i);

		sum += x * x;
	}
	return bench_ratio(sqrtl(sum) - matrix_get(&out[0], 0), sqrtl(sum));
}

const struct bench_row bench_reduce_rows[] = {
	{
		.op = "reduce", .work = "rowsums",
		.params = { "op", "sum", "axis", "1" },
		.operands = { "mn" }, .results = { "values" },
		.peer = { "rowsums" }, .error = error_rowsums,
		.dim = { { 1024, 1024 }, { 4096, 4096 }, { 8192, 8192 } },
		.on_gpus = { { 16384, 16384 } },
	}, {
		.op = "reduce", .params = { "op", "sum" },
		.operands = { "mn" }, .results = { "value" },
		.peer = { "sum" }, .error = error_sum,
		.dim = { { 1024, 1024 }, { 4096, 8192 } },
		.on_gpus = { { 16384, 16384 } },
	}, {
		.op = "reduce", .work = "reduce max",
		.params = { "op", "max" },
		.operands = { "mn" }, .results = { "value" },
		.peer = { "max" }, .error = error_max,
		.dim = { { 1024, 1024 }, { 4096, 8192 } },
		.on_gpus = { { 16384, 16384 } },
	}, {
		.op = "reduce", .work = "reduce norm2",
		.params = { "op", "norm2" },
		.operands = { "mn" }, .results = { "value" },
		.peer = { "norm2" }, .error = error_norm2,
		.dim = { { 1024, 1024 }, { 4096, 8192 } },
		.on_gpus = { { 16384, 16384 } },
	}, { 0 }
};
