/* lu.c - LU factorizations with partial pivoting. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "bench/error.h"
#include "bench/rows.h"

/* Returns the order of A's rows after the n row interchanges that begin at
 * element `first` of the pivots. */
static size_t *exchanged(const struct matrix *pivots, size_t first, size_t n,
                         size_t rows)
{
	size_t *p = malloc(rows * sizeof *p);

	for (size_t i = 0; p && i < rows; i++)
		p[i] = i;
	for (size_t i = 0; p && i < n; i++) {
		size_t with = (size_t)matrix_get(pivots, first + i);
		size_t row = p[i];

		if (with >= rows)
			continue;
		p[i] = p[with];
		p[with] = row;
	}
	return p;
}

/* The error of P A = L U for one matrix of the stack. */
static double error_of_one(const struct matrix *in, const struct matrix *out,
                           size_t which)
{
	size_t m = matrix_rows(&in[0]), n = matrix_cols(&in[0]);
	size_t least = size_min(m, n), first = which * m * n;
	size_t *p = exchanged(&out[1], which * least, least, m);
	double most = p ? 0 : NAN;

	for (size_t r = 0; p && r < bench_sample(m); r++)
		for (size_t i = bench_sampled(r, m), j = 0; j < n; j++) {
			long double sum = 0, size = 0;

			for (size_t k = 0; k <= size_min(i, j); k++) {
				long double x = k == i ? 1 :
				    matrix_get(&out[0], first + i * n + k);

				x *= matrix_get(&out[0], first + k * n + j);
				sum += x;
				size += fabsl(x);
			}
			sum -= matrix_get(&in[0], first + p[i] * n + j);
			most = bench_worse(bench_ratio(sum, size), most);
		}
	free(p);
	return most;
}

static double error(const struct matrix *in, const struct matrix *out)
{
	return bench_error_stack(in, out, error_of_one);
}

const struct bench_row bench_lu_rows[] = {
	{
		.op = "lu", .operands = { "mn" },
		.results = { "lu", "pivots" },
		.peer = { "getrf" }, .error = error,
		.dim = { { 64, 64 }, { 256, 256 }, { 512, 512 }, { 777, 777 },
		         { 1024, 1024 }, { 1999, 1999 }, { 2048, 2048 },
		         { 4096, 4096 } },
		.on_gpus = { { 8192, 8192 } },
	}, {
		.op = "lu", .work = "lu stack", .devices = DEVICE_GPU,
		.operands = { "kmn" }, .results = { "lu", "pivots" },
		.peer = { "getrf_stack" }, .error = error,
		.dim = { { 16, 16, 10000 }, { 64, 64, 10000 },
		         { 256, 256, 10000 } },
	}, { 0 }
};
