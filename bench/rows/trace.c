/* trace.c - sums of diagonals. */
#include <math.h>

#include "bench/error.h"
#include "bench/rows.h"

static double error(const struct matrix *in, const struct matrix *out)
{
	const size_t n = matrix_rows(&in[0]);
	long double sum = -matrix_get(&out[0], 0), size = 0;

	for (size_t i = 0; i < n; i++) {
		const double x = matrix_get(&in[0], i * (n + 1));

		sum += x;
		size += fabs(x);
	}
	return bench_ratio(sum, size);
}

const struct bench_row bench_trace_rows[] = {
	{
		.op = "trace", .operands = { "mm" }, .results = { "trace" },
		.peer = { "trace" }, .error = error,
		.dim = { { 1024 }, { 4096 } },
	}, { 0 }
};
