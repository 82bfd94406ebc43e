/* expm.c - matrix exponentials. The results are not judged, because a reference
 * would need arithmetic of higher precision. */
#include "bench/rows.h"

const struct bench_row bench_expm_rows[] = {
	{
		.op = "expm", .operands = { "mm" }, .peer = { "expm" },
		.dim = { { 512 }, { 1024 }, { 2048 } },
		.on_gpus = { { 4096 } },
	}, { 0 }
};
