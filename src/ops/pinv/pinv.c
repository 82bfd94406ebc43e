/* pinv.c - the operation pinv: the pseudoinverse A^+ = V S^+ U^T (Moore 1920,
 * Penrose 1955) of any m x n matrix, or of every matrix of a stack. */
#include "ops/pinv/pinv.h"

#include "ops/dense.h"
#include "ops/polar/polar.h"
#include "ops/qr/judge.h"
#include "ops/svd/lapack.h"

static const struct operand inputs[] = {
	{ "a", "the matrix, of any shape, or a stack of them", 2, false,
	  DENSE },
	{ 0 }
};

static const struct param params[] = {
	[PINV_RCOND] = {
		.name = "rcond", .type = PARAM_REAL, .fallback = NAN,
		.min = 0, .max = 1,
		.help = "singular values of at most rcond times the largest "
		        "one count as 0; the default is the machine epsilon "
		        "times the larger dimension of a",
	},
	{ 0 }
};

static const struct output outputs[] = {
	{ "pinv", "the pseudoinverse, n x m for an m x n a", false },
	{ 0 }
};

static int check(const struct args *a, struct err *e)
{
	return dense_check(a, true, e);
}

static int shape(struct args *a, struct err *e)
{
	const struct matrix *m = &a->in[0];

	(void)e;
	dense_shape(a, 0, a->dtype, 2, matrix_cols(m), matrix_rows(m));
	return 0;
}

/* The operations of the singular value decomposition (see svd), and of the
 * product of V S^+ with U^T. */
static double flops(const struct args *a)
{
	const struct matrix *x = &a->in[0];
	const double m = (double)matrix_rows(x), n = (double)matrix_cols(x);
	const double k = fmin(m, n);

	return (double)matrix_stack(x) * (14 * fmax(m, n) * k * k +
	                                  8 * k * k * k + 2 * m * n * k);
}

static double bytes(const struct args *a)
{
	return 2.0 * (double)matrix_size(&a->in[0]);
}

static void need_polar(const struct args *a, const struct variant *v,
                       const struct sheet *d, struct need *n)
{
	(void)v;
	if (!pinv_polar_fits(a, d))
		return;
	need_matrices(n, d, a);
	pinv_polar_need(n, d, a);
}

static const struct variant variants[] = {
	{ "polar", 0, DEVICE_GPU, DTYPE_REALS,
	  "pinv_weigh " POLAR_KERNELS JUDGE_KERNELS, "linalgd", pinv_polar,
	  .need = need_polar },
	{ "host", 0, DEVICE_CPU | DEVICE_GPU | DEVICE_OTHER, DTYPE_REALS, "",
	  "LAPACK", pinv_host, .need = NULL },
	{ 0 }
};

const struct op op_pinv = {
	.name = "pinv",
	.summary = "the pseudoinverse of any matrix, by its singular value "
	           "decomposition",
	.dtypes = DTYPE_REALS,
	.inputs = inputs,
	.params = params,
	.outputs = outputs,
	.variants = variants,
	.check = check,
	.shape = shape,
	.flops = flops,
	.bytes = bytes,
	.describe = svd_describe,
	.sample = dense_sample,
};
