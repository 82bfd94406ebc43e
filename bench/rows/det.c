/* det.c - det of square matrices. */
#include "bench/rows.h"

const struct bench_row bench_det_rows[] = {
	{
		.op = "det", .operands = { "mm" },
		.dim = { { 512 }, { 1024 }, { 2048 }, { 4096 } },
	}, { 0 }
};
