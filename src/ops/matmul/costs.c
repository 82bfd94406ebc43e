/* costs.c - see costs.h. */
#include "ops/matmul/costs.h"
#include "shared/matmul_tensor.h"

/* The constants of a float64 kernel: launch_ns, tile_ns, step_ns. */
#define F64(launch, tile, step)                                               \
	launch, tile, 1, step, step, false, 256, 0, 0, 0, 0

/* The fields: launch_ns, tile_ns; step, step_ns, alone_ns; sum_bytes;
 * least_split; shares; a_bytes, b_bytes, c_bytes. */
const struct gemm_cost gemm_costs[] = {
	[GEMM_3XTF32] = { 12000, 4200, TENSOR_DEPTH, 1200, 1200, true, 128,
	                  0, 8, 12, 0 },
	[GEMM_TF32] = { 12000, 4200, TENSOR_DEPTH, 760, 760, true, 256,
	                0, 8, 8, 0 },
	[GEMM_DIRECT] = { 5000, 1200, 16, 370, 450, true, 0, 0, 0, 0, 0 },
	[GEMM_PAIRS] = { 20000, 10200, PAIRS_DEPTH, 1550, 1550, true, 256,
	                 0, 12, 12, 0 },
	[GEMM_HALVES] = { 20000, 7500, PAIRS_DEPTH, 600, 800, true, 256,
	                  0, 10, 10, 0 },
	[GEMM_F64_128X128] = { F64(5800, 3400, 70) },
	[GEMM_F64_128X64] = { F64(2400, 3700, 35.6) },
	[GEMM_F64_64X64] = { F64(5600, 1330, 19.2) },
	[GEMM_F64_32X64] = { F64(3400, 1580, 14.5) },
	[GEMM_F64_32X32] = { F64(2500, 300, 8) },
	[GEMM_RESIDUES] = { 45000, 15000, RESIDUES_SLAB, 9900, 9900, false,
	                    0, RESIDUES_LEAST, 33, 33, 38 },
};
