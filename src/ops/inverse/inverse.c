/* inverse.c - the operation inverse: A^-1 of a square matrix, or of every one
 * of a stack. */
#include "ops/dense.h"
#include "ops/blas/trsm_blocks.h"
#include "ops/inverse/inverse.h"
#include "ops/lu/judged.h"

/* LAPACK's counts for getrf and getri are 2 n^3 together, but for smaller
 * terms. */
static double flops(const struct args *a)
{
	const double n = (double)matrix_rows(&a->in[0]);

	return (double)matrix_stack(&a->in[0]) * 2 * n * n * n;
}

static double bytes(const struct args *a)
{
	return 2.0 * (double)matrix_size(&a->in[0]);
}

#define KERNELS \
	" inverse_begin inverse_identity inverse_permute inverse_times " \
	"inverse_judge " LU_PERMUTATION_KERNELS \
	" solve_look solve_most " BLAS_TRSM_BLOCKS_KERNELS

const struct op op_inverse = {
	.name = "inverse",
	.summary = "the inverse of a square matrix, by LU",
	.details = "To solve A x = b, the operation solve is faster and more "
	           "accurate. An exactly singular matrix is answered with "
	           "422, kind singular; in a stack it fails alone. quality "
	           "contains rcond, which is 1 over the product of the "
	           "1-norms of A and of its inverse, and ill_conditioned "
	           "when rcond is below the machine epsilon: then the "
	           "inverse may have no correct digit.",
	.dtypes = DTYPE_REALS | DTYPE_COMPLEXES,
	.inputs = (const struct operand[]){
		{ "a", "the square matrix, or a stack of them", 2, false,
		  DENSE },
		{ 0 }
	},
	.params = (const struct param[]){ { 0 } },
	.outputs = (const struct output[]){
		{ "inverse", "the inverse, in a's shape", false },
		{ 0 }
	},
	.variants = (const struct variant[]){
		{ "host", 0, DEVICE_CPU, DTYPE_REALS, "", "LAPACK",
		  inverse_host, .need = NULL },
		{ "spread", NEEDS_SM80, DEVICE_GPU, DTYPE_REALS,
		  LU_SPREAD_KERNELS KERNELS, "linalgd", inverse_groups,
		  .need = inverse_groups_need, .how = &(const bool){ true } },
		{ "tiled", 0, DEVICE_GPU | DEVICE_OTHER, DTYPE_REALS,
		  LU_TILED_KERNELS KERNELS, "linalgd", inverse_groups,
		  .need = inverse_groups_need, .how = &(const bool){ false } },
		{ "complex", 0, DEVICE_CPU | DEVICE_GPU | DEVICE_OTHER,
		  DTYPE_COMPLEXES, "", "LAPACK", inverse_complex,
		  .need = NULL },
		{ 0 }
	},
	.check = dense_check_square,
	.shape = dense_shape_same,
	.flops = flops,
	.bytes = bytes,
	.residual = inverse_residual,
	.describe = inverse_describe,
	.sample = dense_sample,
};
