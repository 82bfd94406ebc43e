/* launch.h - the functions that launch the kernels of a plan (plan.h) panel by
 * panel. */
#ifndef OPS_MATMUL_LAUNCH_H
#define OPS_MATMUL_LAUNCH_H

#include "ops/matmul/tensor.h"

/* The plan of a whole product, and the buffers that its panels share. */
struct gemm_call {
	struct gemm_on on;
	const struct gemm_plan *plan;
	struct buf from;		/* the part of B that was packed last */
	struct tensor_room room;	/* packed operands; on a CPU only packed
					   B */
};

/* The launch functions in gemm_kernels. Their last argument points to a struct
 * gemm_call. */
panel_launch gemm_launch_small, gemm_launch_packed, gemm_launch_matvec,
             gemm_launch_tile, gemm_launch_tensor, gemm_launch_direct;

/* The is_right functions in gemm_kernels: does that kernel multiply
 * correctly? */
bool gemm_tf32_is_right(struct seq *s, const char *kernel);
bool gemm_pairs_is_right(struct seq *s, const char *kernel);
bool gemm_residues_is_right(struct seq *s, const char *kernel);
bool gemm_direct_is_right(struct seq *s, const char *kernel);
bool gemm_f64_is_right(struct seq *s, const char *kernel);

/* Returns the kernel with that name, which must exist. */
enum gemm_kernel_id gemm_kernel_find(const char *name);

#endif
