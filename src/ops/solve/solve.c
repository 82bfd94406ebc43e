/* solve.c - the operation solve: A X = B by P A = L U, with at least one step
 * of iterative refinement, and more while they reduce the backward error. The
 * residual is summed in a higher precision: in twice the working precision, or,
 * for float64 with many right-hand sides on CPUs, with 20 more bits where the
 * sums cancel (kernels/solve/cpu/remainder.cl). */
#include "ops/blas/trsm.h"
#include "ops/cholesky/cholesky.h"
#include "ops/gang/devices.h"
#include "ops/krylov/krylov.h"
#include "ops/scalapack.h"
#include "ops/solve/gang.h"
#include "ops/solve/iterative.h"
#include "ops/solve/streamed.h"

static const struct operand inputs[] = {
	[SOLVE_A] = { "a", "the square matrix, dense or sparse, or a stack "
	  "of dense ones", 2, true,
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
	[SOLVE_P_METHOD] = {
		.name = "method", .type = PARAM_CHOICE,
		.fallback = METHOD_AUTO,
		.choices = (const char *const[]){
			[METHOD_AUTO] = "auto", [METHOD_DIRECT] = "direct",
			[METHOD_JACOBI] = "jacobi", [METHOD_CG] = "cg",
			[METHOD_MINRES] = "minres", [METHOD_GMRES] = "gmres",
			[METHOD_BICGSTAB] = "bicgstab", NULL },
		.help = "whether a is factored (direct) or an iteration "
		        "multiplies by it. cg is for symmetric positive "
		        "definite matrices, minres for symmetric ones. auto "
		        "factors dense matrices and small sparse ones; for "
		        "others it takes cg if a is symmetric with a positive "
		        "diagonal (and minres once a proves not to be positive "
		        "definite), minres if a is symmetric, else gmres",
	},
	[SOLVE_P_PRECONDITIONER] = {
		.name = "preconditioner", .type = PARAM_CHOICE,
		.fallback = PRECONDITION_AUTO,
		.choices = (const char *const[]){
			[PRECONDITION_AUTO] = "auto",
			[PRECONDITION_NONE] = "none",
			[PRECONDITION_JACOBI] = "jacobi",
			[PRECONDITION_ILU0] = "ilu0",
			[PRECONDITION_ICHOL0] = "ichol0", NULL },
		.help = "M, with which an iteration works on M^-1 A: the "
		        "diagonal of a (jacobi), or incomplete factors with "
		        "the pattern of a (ilu0; ichol0 of a symmetric a, "
		        "whose diagonal is enlarged where pivots are not "
		        "positive). "
		        "auto takes ilu0 for gmres and bicgstab, jacobi for cg "
		        "and minres, or none where these do not exist",
	},
	[SOLVE_P_TOL] = {
		.name = "tol", .type = PARAM_REAL, .fallback = NAN, .min = 0,
		.max = INFINITY, .above_min = true,
		.help = "an iteration ends when |b - A x| <= tol |b|, in "
		        "2-norms; by default 1e-8, or 1e-5 for float32",
	},
	[SOLVE_P_ATOL] = {
		.name = "atol", .type = PARAM_REAL, .fallback = NAN, .min = 0,
		.max = INFINITY,
		.help = "or when |b - A x| <= atol; by default 0",
	},
	[SOLVE_P_MAX_ITERATIONS] = {
		.name = "max_iterations", .type = PARAM_INTEGER,
		.fallback = NAN, .min = 1, .max = 1e9,
		.help = "the largest number of iterations for a right-hand "
		        "side; by default ten times the rows of a, but at "
		        "least 1000 and at most 10000",
	},
	[SOLVE_P_RESTART] = {
		.name = "restart", .type = PARAM_INTEGER, .fallback = NAN,
		.min = 1, .max = 1000,
		.help = "the iterations after which gmres begins again, which "
		        "it has memory for; by default 30",
	},
	[SOLVE_P_ALLOW_PARTIAL] = {
		.name = "allow_partial", .type = PARAM_BOOLEAN,
		.help = "return 200 with the last x and converged false, "
		        "instead of 422, when an iteration does not converge",
	},
	[SOLVE_P_DEVICES] = GANG_DEVICES,
	{ 0 }
};

static const struct output outputs[] = {
	[SOLVE_X] = { "x", "the solution, with the shape of b", false },
	[SOLVE_ITERATIONS] = { "iterations", "the number of iterations, of "
	  "each right-hand side; absent if a was factored", false },
	[SOLVE_CONVERGED] = { "converged", "whether the bound on |b - A x| was "
	  "met, for each right-hand side; absent if a was factored", false },
	[SOLVE_HISTORY] = { "history", "the relative residual before the first "
	  "iteration and after each one, as the method's recurrence has it, "
	  "for each right-hand side; absent if a was factored", true },
	{ 0 }
};

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
	if (solve_is_iterative(a))
		solve_iterative_shape(a);
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

	return solve_is_iterative(a) ? solve_iterative_flops(a) :
	       (double)y.a_stack * factor +
	       sides * (kind == KIND_LOWER || kind == KIND_UPPER ? n :
	                2 * n - 1);
}

static double bytes(const struct args *a)
{
	if (solve_is_iterative(a))
		return solve_iterative_bytes(a);
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

/* How a variant that computes on the device factors A, and what that needs. */
struct way {
	lu_factor_fn *factor;
	lu_need_fn *need;
};

static struct way way_of(const struct variant *v)
{
	const bool *spread = v->how;

	return !spread ? (struct way){ lu_factor_blocked, lu_need_blocked } :
	       *spread ? (struct way){ lu_factor_spread, lu_need_spread } :
	                 (struct way){ lu_factor_tiled, lu_need_tiled };
}

static void need(const struct args *a, const struct variant *v,
                 const struct sheet *d, struct need *n)
{
	const struct systems y = systems_of(NULL, a);

	if (a->gang.parts) {
		solve_gang_need(a, d, way_of(v).need, n);
	} else if (solve_is_iterative(a)) {
		solve_iterative_need(a, v, d, n);
	} else if (solve_kind_in(a, v) == KIND_GENERAL) {
		need_common(a, d, &y, n);
		solve_again_need(n, &y, a->dtype);
		if (v->how)
			solve_groups_need(n, d, a, &y, *(const bool *)v->how);
		else
			solve_blocked_need(n, d, a, &y);
	}
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
	enum solve_kind kind;
	bool done = false;

	if (a->gang.parts)
		return solve_gang_run(s, a, way_of(a->variant).factor);
	if (solve_is_iterative(a))
		return solve_iterative(s, a);
	kind = solve_kind_of(a, seq_sheet(s));
	if (kind != KIND_GENERAL && solve_host(s, a, kind, &done) < 0)
		return -1;
	if (done)
		return 0;
	return a->variant->how ? solve_groups(s, a) : solve_blocked(s, a);
}

static const struct variant variants[] = {
	{ "blocked", NEEDS_CPU, DEVICE_CPU, DTYPE_REALS,
	  SOLVE_BLOCKED_KERNELS " lu_narrow lu_order lu_store"
	  SOLVE_GANG_KERNELS SOLVE_RESIDUAL_KERNELS KRYLOV_KERNELS
	  SPMV_SHARES_KERNELS, "linalgd", run,
	  .need = need },
	{ "spread", NEEDS_SM80, DEVICE_GPU, DTYPE_REALS,
	  LU_SPREAD_KERNELS " " SOLVE_SPREAD_KERNELS SOLVE_STRUCTURED_KERNELS
	  SOLVE_GANG_KERNELS SOLVE_RESIDUAL_KERNELS KRYLOV_KERNELS
	  KRYLOV_RESIDENT_KERNELS SPMV_OTHER_KERNELS, "linalgd",
	  run, .need = need, .how = &(const bool){ true } },
	{ "tiled", 0, DEVICE_GPU | DEVICE_OTHER, DTYPE_REALS,
	  LU_TILED_KERNELS " " SOLVE_TILED_KERNELS SOLVE_STRUCTURED_KERNELS
	  SOLVE_GANG_KERNELS SOLVE_RESIDUAL_KERNELS KRYLOV_KERNELS
	  SPMV_OTHER_KERNELS, "linalgd",
	  run, .need = need, .how = &(const bool){ false } },
	{ "streamed", 0, DEVICE_CPU | DEVICE_GPU | DEVICE_OTHER, DTYPE_REALS,
	  SOLVE_STREAMED_KERNELS, "linalgd", solve_streamed,
	  .need = solve_streamed_need, .takes = solve_streamed_takes,
	  .streams = true },
	{ "complex", 0, DEVICE_CPU | DEVICE_GPU | DEVICE_OTHER,
	  DTYPE_COMPLEXES, "", "LAPACK", solve_complex,
	  .need = NULL },
	SCALAPACK_VARIANT(scalapack_takes_solve, scalapack_need_solve),
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
	.sparse_too = 1u << SOLVE_A,
	.booleans = 1u << SOLVE_CONVERGED,
	.shorter_too = 1u << SOLVE_HISTORY,
	.inputs = inputs,
	.params = params,
	.outputs = outputs,
	.variants = variants,
	.stays_sparse = solve_stays_sparse,
	.becomes_sparse = solve_becomes_sparse,
	.check = solve_check,
	.shape = shape,
	.flops = flops,
	.bytes = bytes,
	.gang = solve_gang_plan,
	.residual = solve_residual,
	.residual_launches = true,
	.describe = solve_describe,
	.sample = sample,
};
