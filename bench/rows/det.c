/* det.c - determinants. The results are not judged, because a reference would
 * need a factorization in higher precision. */
#include "bench/rows.h"

const struct bench_row bench_det_rows[] = {
	{
		.op = "det", .operands = { "mm" }, .peer = { "det" },
		.dim = { { 512 }, { 1024 }, { 2048 }, { 4096 } },
	}, { 0 }
};
