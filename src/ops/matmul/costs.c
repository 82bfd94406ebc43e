/* costs.c - see costs.h. */
#include "ops/matmul/costs.h"
#include "shared/matmul_tensor.h"

/* The fields: launch_ns, tile_ns; step, step_ns, alone_ns; sum_bytes;
 * least_split. */
const struct gemm_cost gemm_costs[] = {
	[GEMM_3XTF32] = { 12000, 4200, TENSOR_DEPTH, 1200, 1200, true, 128 },
	[GEMM_TF32] = { 12000, 4200, TENSOR_DEPTH, 760, 760, true, 256 },
	[GEMM_DIRECT] = { 5000, 1200, 16, 370, 450, true, 0 },
	[GEMM_PAIRS] = { 20000, 10200, PAIRS_DEPTH, 1550, 1550, true, 256 },
	[GEMM_F64_128X128] = { 5800, 3400, 1, 70, 70, false, 256 },
	[GEMM_F64_128X64] = { 2400, 3700, 1, 35.6, 35.6, false, 256 },
	[GEMM_F64_64X64] = { 5600, 1330, 1, 19.2, 19.2, false, 256 },
	[GEMM_F64_32X64] = { 3400, 1580, 1, 14.5, 14.5, false, 256 },
	[GEMM_F64_32X32] = { 2500, 300, 1, 8, 8, false, 256 },
};
