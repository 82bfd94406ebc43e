/* lstsq.c - least squares, with one right-hand side. */
#include <math.h>
#include <stdlib.h>

#include "bench/error.h"
#include "bench/rows.h"

/* b_i - sum a_ij x_j, and the sum of the magnitudes of its terms. */
struct rest { long double value, size; };

static struct rest rest_of(const struct matrix *in, const struct matrix *x,
                           size_t i)
{
	const size_t n = matrix_cols(&in[0]);
	struct rest r = { .value = matrix_get(&in[1], i) };

	r.size = fabsl(r.value);
	for (size_t j = 0; j < n; j++) {
		long double term = matrix_get(&in[0], i * n + j);

		term *= matrix_get(x, j);
		r.value -= term;
		r.size += fabsl(term);
	}
	return r;
}

/* The error of the normal equations A^T (b - A x) = 0. A has full rank. */
static double error(const struct matrix *in, const struct matrix *out)
{
	const size_t m = matrix_rows(&in[0]), n = matrix_cols(&in[0]);
	struct rest *sums = calloc(n, sizeof *sums);
	double most = sums ? 0 : NAN;

	for (size_t i = 0; sums && i < m; i++) {
		const struct rest r = rest_of(in, &out[0], i);

		for (size_t j = 0; j < n; j++) {
			const double a = matrix_get(&in[0], i * n + j);

			sums[j].value += a * r.value;
			sums[j].size += fabs(a) * r.size;
		}
	}
	for (size_t j = 0; sums && j < n; j++)
		most = bench_worse(bench_ratio(sums[j].value, sums[j].size),
		                   most);
	free(sums);
	return most;
}

const struct bench_row bench_lstsq_rows[] = {
	{
		.op = "lstsq", .operands = { "mn", "mk" }, .shape = "mn",
		.results = { "x" }, .peer = { "gelsd" }, .error = error,
		.dim = { { 512, 512, 1 }, { 1024, 1024, 1 },
		         { 2048, 2048, 1 }, { 20000, 256, 1 },
		         { 100000, 64, 1 } },
		.on_gpus = { { 4096, 4096, 1 } },
	}, {
		/* Without the singular values, which gels does not compute. */
		.op = "lstsq", .work = "lstsq x", .operands = { "mn", "mk" },
		.shape = "mn", .results = { "x" }, .named = true,
		.peer = { "gels" }, .error = error,
		.dim = { { 512, 512, 1 }, { 1024, 1024, 1 },
		         { 2048, 2048, 1 }, { 20000, 256, 1 },
		         { 100000, 64, 1 } },
		.on_gpus = { { 4096, 4096, 1 } },
	}, { 0 }
};
