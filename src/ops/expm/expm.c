/* expm.c - the operation expm: the exponential of a square matrix, or of every
 * matrix of a stack, by scaling and squaring of a Pade approximant. */
#include "base/size.h"
#include "ops/dense.h"
#include "ops/blas/gemm.h"
#include "ops/expm/expm.h"
#include "ops/lapack/stack.h"
#include "ops/lu/substitute.h"
#include "ops/need.h"

static int shape(struct args *a, struct err *e)
{
	const size_t n = matrix_rows(&a->in[0]);

	(void)e;
	dense_shape(a, 0, a->dtype, 2, n, n);
	return 0;
}

/* Counts the highest degree: six products and a solution with n right-hand
 * sides. How many squarings follow depends on the elements. */
static double flops(const struct args *a)
{
	const double n = (double)matrix_cols(&a->in[0]);

	return (double)matrix_stack(&a->in[0]) * (6 * 2 + 8.0 / 3) * n * n * n;
}

static double bytes(const struct args *a)
{
	return 2.0 * (double)matrix_size(&a->in[0]);
}

static void describe(const struct args *a, const struct failure *f,
                     struct err *e)
{
	char which[LAPACK_WHICH_TEXT];

	if (f->detail.code == ERR_NONFINITE)
		lapack_describe_nonfinite(a, f, e);
	else
		err_set_at(e, ERR_MATHEMATICS, "/a", "expm: %s: the "
		           "approximant's denominator is singular",
		           lapack_which(a, f, which));
}

/* Fills the operand with a circulant matrix, whose norm is about 1. */
static int sample(struct args *a, size_t n, struct memory_pool *pool,
                  struct err *e)
{
	struct matrix *m = &a->in[0];

	*m = (struct matrix){ .dtype = a->dtype, .ndim = 2, .dim = { n, n } };
	if (matrix_alloc(m, pool, e) < 0)
		return -1;
	for (size_t i = 0; i < n * n; i++)
		matrix_set(m, i, (double)((i % n + n - i / n) % n % 5) / 2 /
		                 (double)n);
	return 0;
}

const struct op op_expm = {
	.name = "expm",
	.summary = "the exponential of a square matrix, or of every matrix of "
	           "a stack",
	.details = "Scaling and squaring of Pade approximants of degree 3 to "
	           "13 (to 7 in float32), as Al-Mohy and Higham (2009) choose "
	           "them. Matrices whose norm balancing makes much smaller "
	           "are balanced first. Diagonal matrices are exponentiated "
	           "element by element; of triangular ones the diagonal and "
	           "the elements beside it are computed by themselves. A "
	           "matrix of a stack gives the same bits as alone. Complex "
	           "matrices are computed in complex128 on the host.",
	.dtypes = DTYPE_REALS | DTYPE_COMPLEXES,
	.iterative = true,
	.inputs = (const struct operand[]){
		{ "a", "the matrix, square, or a stack of them", 2, false,
		  DENSE },
		{ 0 }
	},
	.params = (const struct param[]){ { 0 } },
	.outputs = (const struct output[]){
		{ "expm", "the exponential", false },
		{ 0 }
	},
	.variants = (const struct variant[]){
		{ "host", 0, DEVICE_CPU, DTYPE_REALS, "", "LAPACK", expm_host,
		  .need = NULL },
		{ "spread", NEEDS_SM80, DEVICE_GPU, DTYPE_REALS,
		  EXPM_KERNELS " " BLAS_GEMM_KERNELS " " LU_SPREAD_KERNELS " "
		  SUBSTITUTE_SPREAD_KERNELS, "linalgd", expm_device,
		  .need = expm_device_need, .how = &(const bool){ true } },
		{ "tiled", 0, DEVICE_GPU | DEVICE_OTHER, DTYPE_REALS,
		  EXPM_KERNELS " " BLAS_GEMM_KERNELS " " LU_TILED_KERNELS " "
		  SUBSTITUTE_TILED_KERNELS, "linalgd", expm_device,
		  .need = expm_device_need, .how = &(const bool){ false } },
		{ "complex", 0, DEVICE_CPU | DEVICE_GPU | DEVICE_OTHER,
		  DTYPE_COMPLEXES, "", "LAPACK", expm_complex, .need = NULL },
		{ 0 }
	},
	.check = dense_check_square,
	.shape = shape,
	.flops = flops,
	.bytes = bytes,
	.describe = describe,
	.sample = sample,
};
