/* inverse.c - inverses by LU. */
#include "bench/error.h"
#include "bench/rows.h"

/* The error of I = A X. */
static double error(const struct matrix *in, const struct matrix *out)
{
	return bench_error_identity(&in[0], &out[0], 0);
}

const struct bench_row bench_inverse_rows[] = {
	{
		.op = "inverse", .operands = { "mm" },
		.results = { "inverse" }, .peer = { "getri" }, .error = error,
		.dim = { { 512 }, { 1024 }, { 2048 }, { 4096 } },
	}, { 0 }
};
