/* spmv.c - products of sparse matrices with vectors. */
#include "bench/error.h"
#include "bench/rows.h"

static double error(const struct matrix *in, const struct matrix *out)
{
	return bench_error_sparse(&in[0], &in[1], &out[0]);
}

const struct bench_row bench_spmv_rows[] = {
	{
		.op = "spmv", .work = "spmv stencil",
		.operands = { "mm", "m" }, .make = bench_make_stencil,
		.results = { "y" }, .peer = { "spmv" }, .error = error,
		.dim = { { 1000000 } }, .on_gpus = { { 8000000 } },
	}, {
		.op = "spmv", .work = "spmv plane",
		.operands = { "mm", "m" }, .make = bench_make_plane,
		.results = { "y" }, .peer = { "spmv" }, .error = error,
		.dim = { { 1000000 } }, .on_gpus = { { 9000000 } },
	}, {
		.op = "spmv", .work = "spmv power",
		.operands = { "mm", "m" }, .make = bench_make_power_law,
		.results = { "y" }, .peer = { "spmv" }, .error = error,
		.dim = { { 1000000 } },
	}, { 0 }
};
