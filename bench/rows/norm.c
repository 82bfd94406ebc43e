/* norm.c - norm of square matrices. */
#include "bench/rows.h"

const struct bench_row bench_norm_rows[] = {
	{
		.op = "norm", .operands = { "mm" },
		.dim = { { 512 }, { 1024 }, { 2048 } },
	}, { 0 }
};
