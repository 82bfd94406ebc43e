/* kron.c - Kronecker products of square matrices. */
#include "bench/rows.h"

const struct bench_row bench_kron_rows[] = {
	{
		.op = "kron", .operands = { "mm", "nn" },
		.dim = { { 32, 32 }, { 64, 64 } },
	}, { 0 }
};
