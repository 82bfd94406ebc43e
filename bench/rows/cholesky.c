/* cholesky.c - Cholesky factorizations. */
#include "bench/error.h"
#include "bench/rows.h"

/* The error of A = L L^T for one matrix of the stack. */
static double error_of_one(const struct matrix *in, const struct matrix *out,
                           size_t which)
{
	const struct matrix factors[] = { out[0], out[0] };

	return bench_error_product(factors, &in[0], false, true, which);
}

static double error(const struct matrix *in, const struct matrix *out)
{
	return bench_error_stack(in, out, error_of_one);
}

const struct bench_row bench_cholesky_rows[] = {
	{
		.op = "cholesky", .operands = { "mm" }, .generator = "spd",
		.results = { "l" }, .peer = { "potrf" }, .error = error,
		.dim = { { 512 }, { 1024 }, { 2048 }, { 4096 } },
		.on_gpus = { { 8192 } },
	}, {
		.op = "cholesky", .work = "cholesky stack",
		.operands = { "kmm" }, .generator = "spd",
		.results = { "l" }, .peer = { "potrf_stack" },
		.error = error,
		.dim = { { 16, 0, 10000 }, { 32, 0, 2000 }, { 128, 0, 500 } },
	}, { 0 }
};
