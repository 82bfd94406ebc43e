/* matmul.c - products of matrices, transposed or not, of stacks of matrices,
 * and of matrices with vectors. */
#include "bench/error.h"
#include "bench/rows.h"

static double error(const struct matrix *in, const struct matrix *out)
{
	return bench_error_product(in, &out[0], false, false, 0);
}

static double error_tn(const struct matrix *in, const struct matrix *out)
{
	return bench_error_product(in, &out[0], true, false, 0);
}

static double error_nt(const struct matrix *in, const struct matrix *out)
{
	return bench_error_product(in, &out[0], false, true, 0);
}

static double error_tt(const struct matrix *in, const struct matrix *out)
{
	return bench_error_product(in, &out[0], true, true, 0);
}

static double error_stack(const struct matrix *in, const struct matrix *out)
{
	const size_t stack = matrix_stack(out);
	double most = 0;

	for (size_t i = 0; i < bench_sample(stack); i++)
		most = bench_worse(bench_error_product(in, &out[0], false,
		    false, bench_sampled(i, stack)), most);
	return most;
}

const struct bench_row bench_matmul_rows[] = {
	{
		.op = "matmul", .operands = { "mk", "kn" }, .shape = "mnk",
		.results = { "c" }, .peer = { "gemm" }, .error = error,
		.dim = { { 64, 64, 64 }, { 128, 128, 128 }, { 256, 256, 256 },
		         { 512, 512, 512 }, { 1000, 1000, 1000 },
		         { 1024, 1024, 1024 }, { 2048, 2048, 2048 },
		         { 4096, 4096, 4096 } },
		.on_gpus = { { 4097, 4097, 4097 }, { 8192, 8192, 8192 } },
	}, {
		.op = "matmul", .work = "matmul shapes",
		.operands = { "mk", "kn" }, .shape = "mnk",
		.results = { "c" }, .peer = { "gemm" }, .error = error,
		.dim = { { 1000, 3000, 37 }, { 1000, 37, 3000 },
		         { 17, 17, 4096 }, { 17, 4096, 17 },
		         { 64, 64, 100000 }, { 64, 100000, 64 },
		         { 3000, 3000, 3 }, { 3000, 3, 3000 } },
		.on_gpus = { { 8192, 512, 512 }, { 512, 8192, 512 },
		             { 4096, 4096, 64 }, { 10000, 100, 1000 } },
	}, {
		.op = "matmul", .work = "matmul tf32", .devices = DEVICE_GPU,
		.params = { "precision", "tf32" },
		.dtypes = DTYPE_BIT(FLOAT32),
		.operands = { "mk", "kn" }, .shape = "mnk",
		.results = { "c" }, .peer = { "gemm_tf32" }, .error = error,
		.dim = { { 1024, 1024, 1024 }, { 2048, 2048, 2048 },
		         { 4096, 4096, 4096 }, { 8192, 8192, 8192 } },
	}, {
		.op = "matmul", .work = "matmul complex",
		.dtypes = DTYPE_COMPLEXES,
		.operands = { "mk", "kn" }, .shape = "mnk",
		.results = { "c" }, .peer = { "gemm_c" }, .error = error,
		.dim = { { 64, 64, 64 }, { 256, 256, 256 }, { 512, 512, 512 },
		         { 1024, 1024, 1024 }, { 2048, 2048, 2048 } },
		.on_gpus = { { 4096, 4096, 4096 } },
	}, {
		.op = "matmul", .work = "matmul tn",
		.params = { "transpose_a", "true" },
		.operands = { "km", "kn" }, .shape = "mnk",
		.results = { "c" }, .peer = { "gemm_tn" }, .error = error_tn,
		.dim = { { 100, 100, 100 }, { 400, 400, 400 },
		         { 1000, 1000, 1000 }, { 2048, 2048, 2048 } },
		.on_gpus = { { 4096, 4096, 4096 } },
	}, {
		.op = "matmul", .work = "matmul nt",
		.params = { "transpose_b", "true" },
		.operands = { "mk", "nk" }, .shape = "mnk",
		.results = { "c" }, .peer = { "gemm_nt" }, .error = error_nt,
		.dim = { { 100, 100, 100 }, { 400, 400, 400 },
		         { 1000, 1000, 1000 }, { 2048, 2048, 2048 } },
		.on_gpus = { { 4096, 4096, 4096 } },
	}, {
		.op = "matmul", .work = "matmul tt",
		.params = { "transpose_a", "true", "transpose_b", "true" },
		.operands = { "km", "nk" }, .shape = "mnk",
		.results = { "c" }, .peer = { "gemm_tt" }, .error = error_tt,
		.dim = { { 100, 100, 100 }, { 400, 400, 400 },
		         { 1000, 1000, 1000 }, { 2048, 2048, 2048 } },
		.on_gpus = { { 4096, 4096, 4096 } },
	}, {
		.op = "matmul", .work = "matmul stack",
		.operands = { "mnn", "mnn" }, .results = { "c" },
		.peer = { "gemm_stack" }, .error = error_stack,
		.dim = { { 1000, 16 }, { 200, 64 } },
	}, {
		.op = "matmul", .work = "matvec", .operands = { "mk", "k" },
		.results = { "c" }, .peer = { "gemv", "matvec" },
		.error = error,
		.dim = { { 1024, 1, 1024 }, { 4096, 1, 4096 },
		         { 8192, 1, 8192 } },
		.on_gpus = { { 16384, 1, 16384 } },
	}, { 0 }
};
