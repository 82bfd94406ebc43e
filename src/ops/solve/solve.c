/* solve.c - the operation solve: A X = B by P A = L U, with at least one step
 * of iterative refinement, and more while they reduce the backward error. The
 * residual is summed in a higher precision: in twice the working precision, or,
 * for float64 with many right-hand sides on CPUs, with 20 more bits where the
 * sums cancel (kernels/solve/cpu/remainder.cl). */
#include "ops/solve/solve.h"

static const struct operand inputs[] = {
	{ "a", "the square matrix, or a stack of them", 2, false, DENSE },
	{ "b", "the right-hand side: a vector, or a matrix with one "
	  "right-hand side per column", 1,
	  false, DENSE },
	{ 0 }
};

static const struct param params[] = {
	{ 0 }
};

static const struct output outputs[] = {
	{ "x", "the solution, with the shape of b", false },
	{ 0 }
};

static int check_stacks(const struct args *a, struct err *e)
{
	const struct systems y = systems_of(NULL, a);
	char s[MATRIX_SHAPE_TEXT], t[MATRIX_SHAPE_TEXT];

	if (!systems_stacks_agree(a))
		return err_set(e, ERR_SHAPE, "solve: a is %.100s and b is "
		               "%.100s: leading dimensions differ",
		               matrix_shape_text(&a->in[0], s),
		               matrix_shape_text(&a->in[1], t));
	if (y.n > LU_MAX || y.sides > LU_MAX || y.stack > LU_MAX)
		return err_set(e, ERR_TOO_LARGE, "solve: %zu systems of %zu "
		               "equations, %zu right-hand sides: sizes end at "
		               "%zu", y.stack, y.n, y.sides, LU_MAX);
	return 0;
}

static int check(const struct args *a, struct err *e)
{
	const struct matrix *m = &a->in[0], *b = &a->in[1];
	const size_t rows = b->dim[b->ndim > 1 ? b->ndim - 2 : 0];
	char s[MATRIX_SHAPE_TEXT], t[MATRIX_SHAPE_TEXT];

	if (matrix_rows(m) != matrix_cols(m))
		return err_set_at(e, ERR_SHAPE, "/a", "solve: matrix is %s, "
		                  "must be square", matrix_shape_text(m, s));
	if (rows != matrix_rows(m))
		return err_set_at(e, ERR_SHAPE, "/b", "solve: a is %.100s and "
		                  "b is %.100s: %zu equations, %zu right-hand "
		                  "values", matrix_shape_text(m, s),
		                  matrix_shape_text(b, t), matrix_rows(m),
		                  rows);
	return check_stacks(a, e);
}

static int shape(struct args *a, struct err *e)
{
	const struct matrix *b = &a->in[1];
	struct matrix *x = &a->out[0];
	const int own = b->ndim > 1 ? 2 : 1;

	(void)e;
	a->stack = systems_of(NULL, a).stack;
	*x = (struct matrix){ .dtype = a->dtype };
	x->ndim = systems_leading(a, x->dim) + own;
	for (int i = 1; i <= own; i++)
		x->dim[x->ndim - i] = b->dim[b->ndim - i];
	return 0;
}

/* LAPACK's operation counts of getrf and getrs. */
static double flops(const struct args *a)
{
	const struct systems y = systems_of(NULL, a);

	return y.a_stack * lu_flops(y.n, y.n) +
	       (double)y.stack * y.sides * y.n * (2.0 * y.n - 1);
}

static double bytes(const struct args *a)
{
	return (double)matrix_size(&a->in[0]) + matrix_size(&a->in[1]) +
	       matrix_size(&a->out[0]);
}

/* What every variant takes, for systems y. */
static void need_common(const struct args *a, const struct sheet *d,
                        const struct systems *y, struct need *n)
{
	need_matrices(n, d, a);
	systems_need(n, y);
	if (a->quality != QUALITY_NONE)
		solve_residual_need(n, d, a, y);
}

static void need_blocked(const struct args *a, const struct variant *v,
                         const struct sheet *d, struct need *n)
{
	const struct systems y = systems_of(NULL, a);

	(void)v;
	need_common(a, d, &y, n);
	solve_blocked_need(n, d, a, &y);
}

static void need_groups(const struct args *a, const struct variant *v,
                        const struct sheet *d, struct need *n)
{
	const struct systems y = systems_of(NULL, a);

	need_common(a, d, &y, n);
	solve_groups_need(n, d, a, &y, *(const bool *)v->how);
}

/* b is A times the vector of ones, so that x is known. */
static int sample(struct args *a, size_t n, struct memory_pool *pool,
                  struct err *e)
{
	if (lu_sample(&a->in[0], a->dtype, n, pool, e) < 0)
		return -1;
	a->in[1] = (struct matrix){ .dtype = a->dtype, .ndim = 1,
	                            .dim = { n } };
	if (matrix_alloc(&a->in[1], pool, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		double sum = 0;

		for (size_t j = 0; j < n; j++)
			sum += matrix_get(&a->in[0], i * n + j);
		matrix_set(&a->in[1], i, sum);
	}
	return 0;
}

static const struct variant variants[] = {
	{ "blocked", NEEDS_CPU, DEVICE_CPU, DTYPE_REALS,
	  SOLVE_BLOCKED_KERNELS " " SOLVE_RESIDUAL_KERNELS, "linalgd",
	  solve_blocked, .need = need_blocked },
	{ "spread", NEEDS_SM80, DEVICE_GPU, DTYPE_REALS,
	  LU_SPREAD_KERNELS " " SOLVE_SPREAD_KERNELS " "
	  SOLVE_RESIDUAL_KERNELS, "linalgd", solve_groups,
	  .need = need_groups, .how = &(const bool){ true } },
	{ "tiled", 0, DEVICE_GPU | DEVICE_OTHER, DTYPE_REALS,
	  LU_TILED_KERNELS " " SOLVE_TILED_KERNELS " "
	  SOLVE_RESIDUAL_KERNELS, "linalgd", solve_groups,
	  .need = need_groups, .how = &(const bool){ false } },
	{ 0 }
};

const struct op op_solve = {
	.name = "solve",
	.summary = "systems of linear equations, A x = b, by LU "
	           "factorization, with iterative refinement in higher "
	           "precision while it improves the solution",
	.dtypes = DTYPE_REALS,
	.inputs = inputs,
	.params = params,
	.outputs = outputs,
	.variants = variants,
	.check = check,
	.shape = shape,
	.flops = flops,
	.bytes = bytes,
	.residual = solve_residual,
	.residual_launches = true,
	.describe = solve_describe,
	.sample = sample,
};
