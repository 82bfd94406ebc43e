/* cond.c - condition numbers: the 1-norm's, beside LAPACK's gecon, which
 * estimates it, and the 2-norm's, which is computed from singular values. */
#include "bench/rows.h"

const struct bench_row bench_cond_rows[] = {
	{
		.op = "cond", .operands = { "mm" }, .peer = { "gecon" },
		.dim = { { 512 }, { 1024 }, { 2048 }, { 4096 } },
	}, {
		.op = "cond", .work = "cond 2", .params = { "ord", "2" },
		.operands = { "mm" }, .peer = { "cond_2" },
		.dim = { { 512 }, { 1024 }, { 2048 } },
	}, { 0 }
};
