/* lstsq.c - the operation lstsq: of all x with the least |b - A x| the shortest
 * one, for an m x n matrix A of any rank. Stacks of A and b broadcast as they
 * do in solve. */
#include "ops/lstsq/lstsq.h"

#include "ops/blas/gemm.h"
#include "ops/dense.h"
#include "ops/need.h"
#include "ops/polar/polar.h"
#include "ops/qr/normal.h"
#include "ops/solve/solve.h"
#include "ops/svd/lapack.h"

static const struct operand inputs[] = {
	[LSTSQ_A] = { "a", "the matrix, of any shape, or a stack of them", 2,
	  false, DENSE },
	[LSTSQ_B] = { "b", "the right-hand side, a vector, or several of them "
	  "as a matrix's columns", 1, false, DENSE },
	{ 0 }
};

static const struct param params[] = {
	[LSTSQ_RCOND] = {
		.name = "rcond", .type = PARAM_REAL, .fallback = NAN,
		.min = 0, .max = 1, .below_max = true,
		.help = "singular values of at most rcond times the largest "
		        "one count as 0; the default is the machine epsilon "
		        "times the larger dimension of a",
	},
	{ 0 }
};

static const struct output outputs[] = {
	[LSTSQ_X] = { "x", "the solution of minimum norm, n x k for an m x n "
	  "a and an m x k b, and a vector if b is one", false },
	[LSTSQ_RANK] = { "rank", "the number of singular values that do not "
	  "count as 0", false },
	[LSTSQ_S] = { "s", "the singular values of a, descending", false },
	{ 0 }
};

static int check(const struct args *a, struct err *e)
{
	const struct matrix *m = &a->in[LSTSQ_A], *b = &a->in[LSTSQ_B];
	const size_t rows = b->dim[b->ndim > 1 ? b->ndim - 2 : 0];
	char s[MATRIX_SHAPE_TEXT], t[MATRIX_SHAPE_TEXT];

	if (rows != matrix_rows(m))
		return err_set_at(e, ERR_SHAPE, "/b", "lstsq: a is %.100s and "
		                  "b is %.100s: their numbers of rows, %zu and "
		                  "%zu, must be equal",
		                  matrix_shape_text(m, s),
		                  matrix_shape_text(b, t), matrix_rows(m),
		                  rows);
	if (!systems_stacks_agree(a))
		return err_set(e, ERR_SHAPE, "lstsq: a is %.100s and b is "
		               "%.100s: their leading dimensions differ",
		               matrix_shape_text(m, s),
		               matrix_shape_text(b, t));
	if (matrix_cols(b) > LU_MAX)
		return err_set_at(e, ERR_TOO_LARGE, "/b", "lstsq: b has %zu "
		                  "right-hand sides, at most %zu are allowed",
		                  matrix_cols(b), LU_MAX);
	return dense_check(a, true, e);
}

/* Sets the shape of an output that is wanted: the leading dimensions that a and
 * b have together, followed by `dims` of rows and cols. */
static void set_shape(struct args *a, int output, enum dtype t, int dims,
                      size_t rows, size_t cols)
{
	const size_t own[] = { rows, cols };
	struct matrix *o = &a->out[output];
	int leading;

	if (!args_wants(a, output))
		return;
	*o = (struct matrix){ .dtype = t };
	leading = systems_leading(a, o->dim);
	o->ndim = leading + dims;
	for (int i = 0; i < dims; i++)
		o->dim[leading + i] = own[i];
}

static int shape(struct args *a, struct err *e)
{
	const struct systems y = systems_of(NULL, a);
	const int own = a->in[LSTSQ_B].ndim > 1 ? 2 : 1;

	(void)e;
	a->stack = y.stack;
	set_shape(a, LSTSQ_X, a->dtype, own, y.n, y.sides);
	set_shape(a, LSTSQ_RANK, INT64, 0, 0, 0);
	set_shape(a, LSTSQ_S, dtype_part(a->dtype), 1, dense_least(a), 0);
	return 0;
}

/* The operations of the singular values by bidiagonalization (Golub and Van
 * Loan, Matrix Computations, 2013, table 8.6.1), and of its transformations of
 * B. */
static double flops(const struct args *a)
{
	const struct systems y = systems_of(NULL, a);
	const double m = (double)matrix_rows(&a->in[LSTSQ_A]);
	const double n = (double)y.n, k = fmin(m, n);

	return (double)y.stack * (4 * fmax(m, n) * k * k - 4 * k * k * k / 3 +
	                          4 * (m + n) * k * (double)y.sides);
}

static double bytes(const struct args *a)
{
	return (double)matrix_size(&a->in[LSTSQ_A]) +
	       (double)matrix_size(&a->in[LSTSQ_B]) +
	       (double)matrix_size(&a->out[LSTSQ_X]);
}

/* The sample of solve: b is A times the vector of ones. */
static int sample(struct args *a, size_t n, struct memory_pool *pool,
                  struct err *e)
{
	return op_solve.sample(a, n, pool, e);
}

static void need_normal(const struct args *a, const struct variant *v,
                        const struct sheet *d, struct need *n)
{
	(void)v;
	if (!lstsq_normal_fits(a, d))
		return;
	need_matrix(n, d, &a->in[LSTSQ_A]);
	need_matrix(n, d, &a->in[LSTSQ_B]);
	need_matrix(n, d, &a->out[LSTSQ_X]);
	lstsq_normal_need(n, d, a);
}

static const struct variant variants[] = {
	{ "normal", 0, DEVICE_GPU | DEVICE_OTHER, DTYPE_REALS,
	  LSTSQ_NORMAL_KERNELS, "linalgd", lstsq_normal,
	  .need = need_normal },
	{ "host", 0, DEVICE_CPU | DEVICE_GPU | DEVICE_OTHER, DTYPE_REALS, "",
	  "LAPACK", lstsq_host, .need = NULL },
	{ "complex", 0, DEVICE_CPU | DEVICE_GPU | DEVICE_OTHER,
	  DTYPE_COMPLEXES, "", "LAPACK", lstsq_complex,
	  .need = NULL },
	{ 0 }
};

const struct op op_lstsq = {
	.name = "lstsq",
	.summary = "least squares: of all x with the least |b - A x| the "
	           "shortest one, for matrices of any shape and rank",
	.dtypes = DTYPE_REALS | DTYPE_COMPLEXES,
	.inputs = inputs,
	.params = params,
	.outputs = outputs,
	.variants = variants,
	.check = check,
	.shape = shape,
	.flops = flops,
	.bytes = bytes,
	.describe = svd_describe,
	.sample = sample,
};
