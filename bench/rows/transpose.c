/* transpose.c - transposes. */
#include <math.h>

#include "bench/error.h"
#include "bench/rows.h"

static double error(const struct matrix *in, const struct matrix *out)
{
	const size_t m = matrix_rows(&in[0]), n = matrix_cols(&in[0]);
	double most = 0;

	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++)
			most = bench_worse(
			    fabs(matrix_get(&in[0], i * n + j) -
			         matrix_get(&out[0], j * m + i)), most);
	return most;
}

const struct bench_row bench_transpose_rows[] = {
	{
		.op = "transpose", .operands = { "mn" }, .results = { "a" },
		.peer = { "transpose" }, .error = error,
		.dim = { { 1024, 1024 }, { 4096, 4096 } },
	}, { 0 }
};
