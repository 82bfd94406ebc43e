/* qr.c - QR factorizations, of square and tall matrices and of stacks. */
#include "bench/error.h"
#include "bench/rows.h"

/* The error of A = Q R for one matrix of the stack. */
static double error_of_one(const struct matrix *in, const struct matrix *out,
                           size_t which)
{
	return bench_error_product(out, &in[0], false, false, which);
}

static double error(const struct matrix *in, const struct matrix *out)
{
	return bench_error_stack(in, out, error_of_one);
}

const struct bench_row bench_qr_rows[] = {
	{
		.op = "qr", .operands = { "mn" }, .results = { "q", "r" },
		.peer = { "geqrf" }, .error = error,
		.dim = { { 512, 512 }, { 1024, 1024 }, { 2048, 2048 },
		         { 4096, 4096 } },
	}, {
		.op = "qr", .work = "qr tall", .operands = { "mn" },
		.results = { "q", "r" }, .peer = { "geqrf" }, .error = error,
		.dim = { { 20000, 256 }, { 100000, 64 } },
	}, {
		.op = "qr", .work = "qr stack", .operands = { "kmn" },
		.results = { "q", "r" }, .peer = { "geqrf_stack" },
		.error = error,
		.dim = { { 16, 16, 10000 }, { 32, 32, 2000 },
		         { 128, 128, 500 } },
	}, { 0 }
};
