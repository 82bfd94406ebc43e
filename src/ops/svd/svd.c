/* svd.c - the operation svd, the singular value decomposition A = U S V^T of
 * any m x n matrix, or of every matrix of a stack. */
#include "ops/svd/svd.h"

#include "ops/polar/polar.h"
#include "ops/qr/judge.h"
#include "ops/svd/lapack.h"

static const struct operand inputs[] = {
	{ "a", "the matrix, of any shape, or a stack of them", 2, false,
	  DENSE },
	{ 0 }
};

static const struct param params[] = {
	[SVD_VECTORS] = {
		.name = "vectors", .type = PARAM_CHOICE, .fallback = SVD_THIN,
		.choices = (const char *const[]){ "thin", "full", "none",
		                                  NULL },
		.help = "which singular vectors to compute: min(m,n) left and "
		        "right ones (thin), all m left and n right ones "
		        "(full), or none",
	},
	[SVD_K] = {
		.name = "k", .type = PARAM_INTEGER, .fallback = NAN,
		.min = 1, .max = INT32_MAX,
		.help = "how many singular values, beginning with the largest, "
		        "and their vectors the answer has: by default all; "
		        "not allowed with vectors=full",
	},
	{ 0 }
};

static const struct output outputs[] = {
	[SVD_U] = { "u", "U, the left singular vectors by columns", false },
	[SVD_S] = { "s", "the singular values, descending", false },
	[SVD_VH] = { "vh", "V^T, the right singular vectors by rows", false },
	{ 0 }
};

struct svd_sizes svd_sizes_of(const struct args *a)
{
	const struct matrix *x = &a->in[0];
	const bool full = a->param[SVD_VECTORS] == SVD_FULL;
	struct svd_sizes z = {
		.stack = matrix_stack(x), .m = matrix_rows(x),
		.n = matrix_cols(x), .all = dense_least(a),
		.vectors = a->param[SVD_VECTORS] != SVD_NONE,
	};

	z.k = (size_t)args_real(a, SVD_K, (double)z.all);
	z.columns = full ? z.m : z.k;
	z.rows = full ? z.n : z.k;
	return z;
}

static int check(const struct args *a, struct err *e)
{
	const double k = a->param[SVD_K];

	if (k > (double)dense_least(a))
		return err_set_at(e, ERR_PARAMETER, "/k", "svd: k is %.0f, "
		                  "but the lesser dimension of a is %zu", k,
		                  dense_least(a));
	if (!isnan(k) && a->param[SVD_VECTORS] == SVD_FULL)
		return err_set_at(e, ERR_PARAMETER, "/k", "svd: k is %.0f, "
		                  "but vectors=full does not allow k", k);
	return dense_check(a, true, e);
}

static int shape(struct args *a, struct err *e)
{
	const struct svd_sizes z = svd_sizes_of(a);

	(void)e;
	dense_shape(a, SVD_S, dtype_part(a->dtype), 1, z.k, 0);
	if (!z.vectors)
		return 0;
	dense_shape(a, SVD_U, a->dtype, 2, z.m, z.columns);
	dense_shape(a, SVD_VH, a->dtype, 2, z.rows, z.n);
	return 0;
}

/* The operations of an SVD by bidiagonalization, with thin U and V and without:
 * Golub and Van Loan, Matrix Computations (2013), table 8.6.1. */
static double flops(const struct args *a)
{
	const struct svd_sizes z = svd_sizes_of(a);
	const double k = (double)z.all, m = (double)size_max(z.m, z.n);

	return (double)z.stack * (z.vectors ? 14 * m * k * k + 8 * k * k * k :
	                          4 * m * k * k - 4 * k * k * k / 3);
}

static double bytes(const struct args *a)
{
	return (double)matrix_size(&a->in[0]) +
	       (double)matrix_size(&a->out[SVD_U]) +
	       (double)matrix_size(&a->out[SVD_S]) +
	       (double)matrix_size(&a->out[SVD_VH]);
}

static void need_host(const struct args *a, const struct variant *v,
                      const struct sheet *d, struct need *n)
{
	const struct matrix *const matrices[] = {
		&a->in[0], &a->out[SVD_U], &a->out[SVD_S], &a->out[SVD_VH]
	};

	(void)v;
	for (size_t i = 0; i < COUNT(matrices); i++)
		if (svd_is_judged(a, matrices[i]))
			need_matrix(n, d, matrices[i]);
	svd_residual_need(n, d, a);
}

static void need_jacobi(const struct args *a, const struct variant *v,
                        const struct sheet *d, struct need *n)
{
	if (!svd_jacobi_fits(a, d)) {
		need_host(a, v, d, n);
		return;
	}
	need_matrices(n, d, a);
	svd_jacobi_need(n, a);
	svd_residual_need(n, d, a);
}

static void need_bidiagonal(const struct args *a, const struct variant *v,
                            const struct sheet *d, struct need *n)
{
	if (!svd_bidiagonal_fits(a, d)) {
		need_host(a, v, d, n);
		return;
	}
	need_matrices(n, d, a);
	svd_bidiagonal_need(n, a, d);
	svd_residual_need(n, d, a);
}

static void need_polar(const struct args *a, const struct variant *v,
                       const struct sheet *d, struct need *n)
{
	if (!svd_polar_fits(a, d)) {
		need_bidiagonal(a, v, d, n);
		return;
	}
	need_matrices(n, d, a);
	svd_polar_need(n, d, a);
	svd_residual_need(n, d, a);
}

static const struct variant variants[] = {
	{ "host", 0, DEVICE_CPU, DTYPE_REALS, JUDGE_KERNELS, "LAPACK",
	  svd_host, .need = need_host },
	{ "polar", 0, DEVICE_GPU, DTYPE_REALS,
	  "svd_bidiagonal svd_bidiagonal_large svd_take svd_turn "
	  POLAR_KERNELS JUDGE_KERNELS, "linalgd", svd_polar,
	  .need = need_polar },
	{ "bidiagonal", 0, DEVICE_GPU | DEVICE_OTHER, DTYPE_REALS,
	  "svd_bidiagonal svd_bidiagonal_large " JUDGE_KERNELS, "linalgd",
	  svd_bidiagonal, .need = need_bidiagonal },
	{ "jacobi", 0, 0, DTYPE_REALS,
	  "svd_jacobi " JUDGE_KERNELS, "linalgd", svd_jacobi,
	  .need = need_jacobi },
	{ "complex", 0, DEVICE_CPU | DEVICE_GPU | DEVICE_OTHER,
	  DTYPE_COMPLEXES, "", "LAPACK", svd_complex,
	  .need = NULL },
	{ 0 }
};

const struct op op_svd = {
	.name = "svd",
	.summary = "the singular value decomposition, A = U S V^T, or its "
	           "largest part",
	.dtypes = DTYPE_REALS | DTYPE_COMPLEXES,
	.inputs = inputs,
	.params = params,
	.outputs = outputs,
	.variants = variants,
	.check = check,
	.shape = shape,
	.flops = flops,
	.bytes = bytes,
	.residual = svd_residual,
	.residual_launches = true,
	.describe = svd_describe,
	.sample = dense_sample,
};
