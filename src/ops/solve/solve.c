/* solve.c - the operation solve: A X = B by P A = L U, with at least one step
 * of iterative refinement, and more while they reduce the backward error. The
 * residual is summed in a higher precision: in twice the working precision, or,
 * for float64 with many right-hand sides on CPUs, with 20 more bits where the
 * sums cancel (kernels/solve/cpu/remainder.cl). */
#include "ops/blas/trsm.h"
#include "ops/cholesky/cholesky.h"
#include "ops/solve/structure.h"

static const struct operand inputs[] = {
	[SOLVE_A] = { "a", "the square matrix, or a stack of them", 2, true,
	  DENSE },
	[SOLVE_B] = { "b", "the right-hand side: a vector, or a matrix with "
	  "one right-hand side per column", 1, false, DENSE },
	[SOLVE_FACTORS] = { "factors", "the packed factors of a, in place of "
	  "a, as lu answers them in `lu`", 2, true, DENSE },
	[SOLVE_PIVOTS] = { "pivots", "the interchanges that belong to factors",
	  1, true, DENSE },
	{ 0 }
};

static const struct param params[] = {
	[SOLVE_P_STRUCTURE] = {
		.name = "structure", .type = PARAM_CHOICE,
		.fallback = STRUCTURE_AUTO,
		.choices = (const char *const[]){ "auto", "general",
			"symmetric", "spd", "lower", "upper", NULL },
		.help = "what is known of a. Systems with triangles (lower, "
		        "upper) and with symmetric matrices, positive definite "
		        "(spd) or not (symmetric), take fewer operations, and "
		        "only one triangle of a is read. With auto, large "
		        "triangles and spd matrices are recognized",
	},
	[SOLVE_P_TRANSPOSE_A] = {
		.name = "transpose_a", .type = PARAM_BOOLEAN, .fallback = 0,
		.help = "solve with the transpose of a",
	},
	{ 0 }
};

static const struct output outputs[] = {
	{ "x", "the solution, with the shape of b", false },
	{ 0 }
};

static bool is_given(const struct args *a, int operand)
{
	return a->in[operand].ndim != MATRIX_ABSENT;
}

static int check_pivots(const struct args *a, struct err *e)
{
	const struct matrix *f = &a->in[SOLVE_FACTORS];
	const struct matrix *p = &a->in[SOLVE_PIVOTS];
	char s[MATRIX_SHAPE_TEXT], t[MATRIX_SHAPE_TEXT];
	bool fits = p->ndim == f->ndim - 1;

	for (int i = 0; fits && i < p->ndim; i++)
		fits = p->dim[i] == f->dim[i];
	if (fits)
		return 0;
	return err_set_at(e, ERR_SHAPE, "/pivots", "solve: factors is %.100s "
	                  "and pivots is %.100s: there must be one pivot for "
	                  "each row", matrix_shape_text(f, s),
	                  matrix_shape_text(p, t));
}

/* Checks that the client gave either a, or factors and pivots. */
static int check_given(const struct args *a, struct err *e)
{
	const bool factors = is_given(a, SOLVE_FACTORS);
	const double structure = a->param[SOLVE_P_STRUCTURE];

	if (!is_given(a, SOLVE_A) && !factors)
		return err_set_at(e, ERR_REQUEST, "/a", "solve: operand a is "
		                  "missing");
	if (is_given(a, SOLVE_A) && (factors || is_given(a, SOLVE_PIVOTS)))
		return err_set_at(e, ERR_REQUEST, "/factors", "solve: factors "
		                  "and pivots take the place of a: send one "
		                  "or the other");
	if (!factors)
		return 0;
	if (!is_given(a, SOLVE_PIVOTS))
		return err_set_at(e, ERR_REQUEST, "/pivots", "solve: factors "
		                  "came without their pivots");
	if (structure != STRUCTURE_AUTO && structure != STRUCTURE_GENERAL)
		return err_set_at(e, ERR_PARAMETER, "/structure", "solve: "
		                  "factors have no structure");
	return check_pivots(a, e);
}

static int check_stacks(const struct args *a, struct err *e)
{
	const struct systems y = systems_of(NULL, a);
	char s[MATRIX_SHAPE_TEXT], t[MATRIX_SHAPE_TEXT];

	if (!systems_stacks_agree(a))
		return err_set(e, ERR_SHAPE, "solve: a is %.100s and b is "
		               "%.100s: leading dimensions differ",
		               matrix_shape_text(solve_matrices(a), s),
		               matrix_shape_text(&a->in[1], t));
	if (y.n > LU_MAX || y.sides > LU_MAX || y.stack > LU_MAX)
		return err_set(e, ERR_TOO_LARGE, "solve: %zu systems of %zu "
		               "equations, %zu right-hand sides: none of "
		               "these numbers may exceed %zu", y.stack, y.n,
		               y.sides, LU_MAX);
	return 0;
}

static int check(const struct args *a, struct err *e)
{
	const struct matrix *m = solve_matrices(a), *b = &a->in[SOLVE_B];
	const size_t rows = b->dim[b->ndim > 1 ? b->ndim - 2 : 0];
	char s[MATRIX_SHAPE_TEXT], t[MATRIX_SHAPE_TEXT];

	if (check_given(a, e) < 0)
		return -1;
	if (matrix_rows(m) != matrix_cols(m))
		return err_set_at(e, ERR_SHAPE, is_given(a, SOLVE_A) ? "/a" :
		                  "/factors", "solve: matrix is %s, must be "
		                  "square", matrix_shape_text(m, s));
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

/* LAPACK counts these operations for getrf, potrf or sytrf, and for getrs or
 * trtrs. */
static double flops(const struct args *a)
{
	const struct systems y = systems_of(NULL, a);
	const enum solve_kind kind = solve_named(a);
	const double n = (double)y.n;
	const double sides = (double)y.stack * (double)y.sides * n;
	const double factor = kind == KIND_GENERAL ? lu_flops(n, n) :
	                      kind == KIND_SPD || kind == KIND_SYMMETRIC ?
	                      n * n * n / 3 : 0;

	return (double)y.a_stack * factor +
	       sides * (kind == KIND_LOWER || kind == KIND_UPPER ? n :
	                2 * n - 1);
}

static double bytes(const struct args *a)
{
	return (double)matrix_size(solve_matrices(a)) +
	       (double)matrix_size(&a->in[SOLVE_B]) +
	       (double)matrix_size(&a->out[0]);
}

/* Adds the memory that every variant takes for systems y. */
static void need_common(const struct args *a, const struct sheet *d,
                        const struct systems *y, struct need *n)
{
	need_matrices(n, d, a);
	systems_need(n, a, y);
	if (a->quality != QUALITY_NONE)
		solve_residual_need(n, d, a, y);
}

static void need_blocked(const struct args *a, const struct variant *v,
                         const struct sheet *d, struct need *n)
{
	const struct systems y = systems_of(NULL, a);

	if (solve_kind_in(a, v) != KIND_GENERAL)
		return;
	need_common(a, d, &y, n);
	solve_blocked_need(n, d, a, &y);
}

static void need_groups(const struct args *a, const struct variant *v,
                        const struct sheet *d, struct need *n)
{
	const struct systems y = systems_of(NULL, a);

	if (solve_kind_in(a, v) != KIND_GENERAL)
		return;
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

/* LAPACK solves systems of known structure on CPUs, and systems with given
 * factors on all devices. */
static int run(struct seq *s, struct args *a)
{
	const enum solve_kind kind = solve_kind_of(a, seq_sheet(s));
	bool done = false;

	if (kind != KIND_GENERAL && solve_host(s, a, kind, &done) < 0)
		return -1;
	if (done)
		return 0;
	return a->variant->how ? solve_groups(s, a) : solve_blocked(s, a);
}

static const struct variant variants[] = {
	{ "blocked", NEEDS_CPU, DEVICE_CPU, DTYPE_REALS,
	  SOLVE_BLOCKED_KERNELS " " SOLVE_RESIDUAL_KERNELS, "linalgd", run,
	  .need = need_blocked },
	{ "spread", NEEDS_SM80, DEVICE_GPU, DTYPE_REALS,
	  LU_SPREAD_KERNELS " " SOLVE_SPREAD_KERNELS SOLVE_STRUCTURED_KERNELS
	  SOLVE_RESIDUAL_KERNELS, "linalgd", run,
	  .need = need_groups, .how = &(const bool){ true } },
	{ "tiled", 0, DEVICE_GPU | DEVICE_OTHER, DTYPE_REALS,
	  LU_TILED_KERNELS " " SOLVE_TILED_KERNELS SOLVE_STRUCTURED_KERNELS
	  SOLVE_RESIDUAL_KERNELS, "linalgd", run,
	  .need = need_groups, .how = &(const bool){ false } },
	{ "complex", 0, DEVICE_CPU | DEVICE_GPU | DEVICE_OTHER,
	  DTYPE_COMPLEXES, "", "LAPACK", solve_complex,
	  .need = NULL },
	{ 0 }
};

const struct op op_solve = {
	.name = "solve",
	.summary = "systems of linear equations, A x = b, by LU "
	           "factorization, with iterative refinement in higher "
	           "precision while it improves the solution",
	.details = "structure=lower and structure=upper read that triangle of "
	           "a; spd and symmetric read the lower one. Triangles are "
	           "solved by substitution, spd by Cholesky's factorization, "
	           "and symmetric on CPUs by LDL^T with Bunch and Kaufman's "
	           "pivoting, on GPUs by LU. With auto, CPUs look for "
	           "lower, upper and spd in matrices so large that it saves "
	           "time. All other matrices are solved by LU. factors and "
	           "pivots are what lu answered for a: a solve with them "
	           "takes O(n^2) operations, and its rcond comes from "
	           "estimates of both norms. If a CPU solves for a named "
	           "structure, or factors are given, residual and "
	           "forward_error are those of the first 16 right-hand sides, "
	           "and with more than 16 none is refined.",
	.dtypes = DTYPE_REALS | DTYPE_COMPLEXES,
	.indices = 1u << SOLVE_PIVOTS,
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
