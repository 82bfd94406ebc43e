/* cholesky.c - the operation cholesky: A = L L^T of a symmetric positive
 * definite matrix, or of a stack of them. */
#include "ops/dense.h"
#include "ops/cholesky/cholesky.h"
#include "ops/lu/factor.h"

/* LAPACK counts this many operations for potrf. */
static double flops(const struct args *a)
{
	const double n = (double)matrix_rows(&a->in[0]);

	return (double)matrix_stack(&a->in[0]) *
	       (n * n * n / 3 + n * n / 2 + n / 6);
}

/* One triangle of A is read, and the whole of L is written. */
static double bytes(const struct args *a)
{
	return 1.5 * (double)matrix_size(&a->in[0]);
}

/* Makes a random symmetric matrix with a dominant diagonal. */
static int sample(struct args *a, size_t n, struct memory_pool *pool,
                  struct err *e)
{
	struct matrix *m = &a->in[0];

	if (lu_sample(m, a->dtype, n, pool, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < i; j++)
			matrix_set(m, j * n + i, matrix_get(m, i * n + j));
		matrix_set(m, i * (n + 1), (double)n);
	}
	return 0;
}

const struct op op_cholesky = {
	.name = "cholesky",
	.summary = "the Cholesky factor of a symmetric positive definite "
	           "matrix, A = L L^T",
	.details = "Only the lower triangle of A is read, as by NumPy: the "
	           "elements above the diagonal are taken to be those below "
	           "it. A matrix that is not positive definite is answered "
	           "with 422, kind not-positive-definite; detail names the "
	           "order of its first leading minor that is not positive. In "
	           "a stack such a matrix fails alone.",
	.dtypes = DTYPE_REALS | DTYPE_COMPLEXES,
	.inputs = (const struct operand[]){
		{ "a", "the symmetric positive definite matrix, or a stack of "
		  "them", 2, false, DENSE },
		{ 0 }
	},
	.params = (const struct param[]){ { 0 } },
	.outputs = (const struct output[]){
		{ "l", "L: lower triangular, with a positive diagonal", false },
		{ 0 }
	},
	.variants = (const struct variant[]){
		{ "host", 0, DEVICE_CPU, DTYPE_REALS, "", "LAPACK",
		  cholesky_host, .need = NULL },
		{ "tensor", NEEDS_SM90, DEVICE_GPU, DTYPE_REALS,
		  CHOLESKY_KERNELS " " BLAS_GEMM_KERNELS " "
		  BLAS_TENSOR_KERNELS, "linalgd", cholesky_groups,
		  .need = cholesky_groups_need,
		  .how = &(const struct cholesky_how){ true, true } },
		{ "dataflow", 0, 0, DTYPE_REALS, CHOLESKY_KERNELS " "
		  BLAS_GEMM_KERNELS, "linalgd", cholesky_groups,
		  .need = cholesky_groups_need,
		  .how = &(const struct cholesky_how){ false, true } },
		{ "tiled", 0, DEVICE_GPU | DEVICE_OTHER, DTYPE_REALS,
		  CHOLESKY_KERNELS " " BLAS_GEMM_KERNELS, "linalgd",
		  cholesky_groups, .need = cholesky_groups_need,
		  .how = &(const struct cholesky_how){ false, false } },
		{ "complex", 0, DEVICE_CPU | DEVICE_GPU | DEVICE_OTHER,
		  DTYPE_COMPLEXES, "", "LAPACK", cholesky_complex,
		  .need = NULL },
		{ 0 }
	},
	.check = dense_check_square,
	.shape = dense_shape_same,
	.flops = flops,
	.bytes = bytes,
	.residual = cholesky_residual,
	.describe = cholesky_describe,
	.sample = sample,
};
