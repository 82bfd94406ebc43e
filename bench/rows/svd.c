/* svd.c - singular value decompositions, and singular values alone. */
#include <math.h>

#include "base/size.h"
#include "bench/error.h"
#include "bench/rows.h"

enum { U, S, VH };

/* The error of a_ij = sum_k u_ik s_k v_jk for one matrix of the stack. */
static double error_at(const struct matrix *in, const struct matrix *out,
                       size_t which, size_t i, size_t j)
{
	const size_t m = matrix_rows(&in[0]), n = matrix_cols(&in[0]);
	const size_t least = size_min(m, n);
	long double sum = -matrix_get(&in[0], (which * m + i) * n + j);
	long double size = 0;

	for (size_t k = 0; k < least; k++) {
		const size_t at = which * least + k;
		long double x = matrix_get(&out[S], at);

		x *= matrix_get(&out[U], (which * m + i) * least + k);
		x *= matrix_get(&out[VH], at * n + j);
		sum += x;
		size += fabsl(x);
	}
	return bench_ratio(sum, size);
}

static double error_of_one(const struct matrix *in, const struct matrix *out,
                           size_t which)
{
	const size_t m = matrix_rows(&in[0]), n = matrix_cols(&in[0]);
	double most = 0;

	for (size_t r = 0; r < bench_sample(m); r++)
		for (size_t c = 0; c < bench_sample(n); c++)
			most = bench_worse(error_at(in, out, which,
			    bench_sampled(r, m), bench_sampled(c, n)), most);
	return most;
}

static double error(const struct matrix *in, const struct matrix *out)
{
	return bench_error_stack(in, out, error_of_one);
}

const struct bench_row bench_svd_rows[] = {
	{
		.op = "svd", .operands = { "mn" },
		.results = { "u", "s", "vh" }, .peer = { "gesdd" },
		.error = error,
		.dim = { { 512, 512 }, { 1024, 1024 }, { 2048, 2048 } },
		.on_gpus = { { 4096, 4096 } },
	}, {
		.op = "svd", .work = "svd values",
		.params = { "vectors", "none" }, .operands = { "mn" },
		.peer = { "gesdd_n" },
		.dim = { { 512, 512 }, { 1024, 1024 }, { 2048, 2048 } },
		.on_gpus = { { 4096, 4096 } },
	}, {
		.op = "svd", .work = "svd stack", .operands = { "kmn" },
		.results = { "u", "s", "vh" }, .peer = { "gesdd_stack" },
		.error = error,
		.dim = { { 16, 16, 10000 }, { 32, 32, 2000 },
		         { 128, 128, 500 } },
	}, { 0 }
};
