/* expm.c - exponentials, which are not judged: a better one takes arithmetic of
 * higher precision. */
#include "bench/rows.h"

const struct bench_row bench_expm_rows[] = {
	{
		.op = "expm", .operands = { "mm" }, .peer = { "expm" },
		.dim = { { 512 }, { 1024 }, { 2048 } },
		.on_gpus = { { 4096 } },
	}, { 0 }
};
