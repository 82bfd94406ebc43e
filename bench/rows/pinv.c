/* pinv.c - pseudoinverses. */
#include "bench/error.h"
#include "bench/rows.h"

/* The error of I = X A, where the columns of A are independent. */
static double error(const struct matrix *in, const struct matrix *out)
{
	return bench_error_identity(&out[0], &in[0], 0);
}

const struct bench_row bench_pinv_rows[] = {
	{
		.op = "pinv", .operands = { "mn" }, .results = { "pinv" },
		.peer = { "pinv" }, .error = error,
		.dim = { { 512, 512 }, { 1024, 1024 }, { 2048, 2048 },
		         { 20000, 256 } },
	}, { 0 }
};
