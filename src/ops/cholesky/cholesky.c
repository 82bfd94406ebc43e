/* cholesky.c - the operation cholesky: A = L L^T of a symmetric positive
 * definite matrix, or of a stack of them. */
#include "ops/dense.h"
#include "ops/cholesky/columns.h"
#include "ops/cholesky/gang.h"
#include "ops/cholesky/streamed.h"
#include "ops/gang/columns.h"
#include "ops/gang/devices.h"
#include "ops/blas/trsm.h"
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

static int check(const struct args *a, struct err *e)
{
	return dense_check_square(a, e) < 0 ? -1 :
	       gang_check(a, "one real matrix of 64 rows or more for each "
	                  "device, with a quality of estimate or none", e);
}

static int run(struct seq *s, struct args *a)
{
	return a->gang.parts ? cholesky_gang(s, a) :
	       a->variant->how ? cholesky_groups(s, a) : cholesky_host(s, a);
}

/* LAPACK needs no memory of the device. */
static void need(const struct args *a, const struct variant *v,
                 const struct sheet *d, struct need *n)
{
	if (a->gang.parts)
		cholesky_gang_need(a, d, n);
	else if (v->how)
		cholesky_groups_need(a, v, d, n);
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
	.params = (const struct param[]){
		[CHOLESKY_DEVICES] = GANG_DEVICES,
		{ 0 }
	},
	.outputs = (const struct output[]){
		{ "l", "L: lower triangular, with a positive diagonal", false },
		{ 0 }
	},
	.variants = (const struct variant[]){
		{ "host", 0, DEVICE_CPU, DTYPE_REALS, CHOLESKY_COLUMNS_KERNELS,
		  "LAPACK", run, .need = need },
		{ "tensor", NEEDS_SM90, DEVICE_GPU, DTYPE_REALS,
		  CHOLESKY_KERNELS " cholesky_tensor_tiles "
		  CHOLESKY_COLUMNS_KERNELS " " BLAS_TENSOR_KERNELS,
		  "linalgd", run, .need = need,
		  .how = &(const struct cholesky_how){ true, true } },
		{ "dataflow", 0, 0, DTYPE_REALS, CHOLESKY_KERNELS " "
		  CHOLESKY_COLUMNS_KERNELS, "linalgd", run, .need = need,
		  .how = &(const struct cholesky_how){ false, true } },
		{ "tiled", 0, DEVICE_GPU | DEVICE_OTHER, DTYPE_REALS,
		  CHOLESKY_KERNELS " " CHOLESKY_COLUMNS_KERNELS, "linalgd",
		  run, .need = need,
		  .how = &(const struct cholesky_how){ false, false } },
		{ "streamed", 0, DEVICE_CPU | DEVICE_GPU | DEVICE_OTHER,
		  DTYPE_REALS, CHOLESKY_COLUMNS_KERNELS, "linalgd",
		  cholesky_streamed, .need = cholesky_streamed_need,
		  .takes = cholesky_streamed_takes, .streams = true },
		{ "complex", 0, DEVICE_CPU | DEVICE_GPU | DEVICE_OTHER,
		  DTYPE_COMPLEXES, "", "LAPACK", cholesky_complex,
		  .need = NULL },
		{ 0 }
	},
	.check = check,
	.shape = dense_shape_same,
	.flops = flops,
	.bytes = bytes,
	.gang = cholesky_gang_plan,
	.residual = cholesky_residual,
	.describe = cholesky_describe,
	.sample = sample,
};
