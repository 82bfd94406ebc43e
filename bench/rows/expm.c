/* expm.c - expm of square matrices. */
#include "bench/rows.h"

const struct bench_row bench_expm_rows[] = {
	{
		.op = "expm", .operands = { "mm" },
		.dim = { { 512 }, { 1024 }, { 2048 } },
	}, { 0 }
};
