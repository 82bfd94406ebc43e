/* det.c - determinants, which are not judged: a better one takes a
 * factorization of higher precision. */
#include "bench/rows.h"

const struct bench_row bench_det_rows[] = {
	{
		.op = "det", .operands = { "mm" }, .peer = { "det" },
		.dim = { { 512 }, { 1024 }, { 2048 }, { 4096 } },
	}, { 0 }
};
