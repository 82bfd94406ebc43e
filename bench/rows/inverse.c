/* inverse.c - inverse of square matrices. */
#include "bench/rows.h"

const struct bench_row bench_inverse_rows[] = {
	{
		.op = "inverse", .operands = { "mm" },
		.dim = { { 512 }, { 1024 }, { 2048 }, { 4096 } },
	}, { 0 }
};
