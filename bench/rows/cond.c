/* cond.c - cond of square matrices. */
#include "bench/rows.h"

const struct bench_row bench_cond_rows[] = {
	{
		.op = "cond", .operands = { "mm" },
		.dim = { { 512 }, { 1024 }, { 2048 } },
	}, { 0 }
};
