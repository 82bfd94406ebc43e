/* cholesky.c - cholesky of square matrices. */
#include "bench/rows.h"

const struct bench_row bench_cholesky_rows[] = {
	{
		.op = "cholesky", .operands = { "mm" },
		.generator = "spd",
		.dim = { { 512 }, { 1024 }, { 2048 }, { 4096 } },
	}, { 0 }
};
