/* jacobi.c - the operation jacobi: its tables and shapes; see jacobi.h. */
#include <math.h>

#include "base/size.h"
#include "matrix/sparse.h"
#include "ops/jacobi/jacobi.h"
#include "ops/need.h"
#include "shared/jacobi_state.h"

enum { MOST = INT32_MAX / 2 };		/* equations */

static int check_params(const struct args *a, struct err *e)
{
	int64_t steps[STAGES], sum = 0;

	jacobi_steps(a, steps);
	for (int i = 0; i < STAGES; i++)
		sum += steps[i];
	return sum > 0 ? 0 : err_set_at(e, ERR_PARAMETER, "/schedule",
	    "jacobi: schedule has no steps");
}

static int check(const struct args *a, struct err *e)
{
	const struct matrix *m = &a->in[JACOBI_A], *b = &a->in[JACOBI_B];
	char s[MATRIX_SHAPE_TEXT], t[MATRIX_SHAPE_TEXT];

	if (m->ndim != 2 || m->dim[0] != m->dim[1])
		return err_set_at(e, ERR_SHAPE, "/a", "jacobi: matrix is %s, "
		                  "must be square", matrix_shape_text(m, s));
	if (m->dim[0] > MOST)
		return err_set_at(e, ERR_SHAPE, "/a", "jacobi: %zu equations, "
		                  "at most %d", m->dim[0], MOST);
	if (b->ndim > 2 || matrix_cols(b) != 1 || matrix_rows(b) != m->dim[0])
		return err_set_at(e, ERR_SHAPE, "/b", "jacobi: a is %.100s and "
		                  "b is %.100s: %zu equations, one right-hand "
		                  "value for each", matrix_shape_text(m, s),
		                  matrix_shape_text(b, t), m->dim[0]);
	return check_params(a, e);
}

/* x has the shape of b. */
static int shape(struct args *a, struct err *e)
{
	(void)e;
	if (args_wants(a, JACOBI_X)) {
		a->out[JACOBI_X] = a->in[JACOBI_B];
		a->out[JACOBI_X].memory = NULL;
		a->out[JACOBI_X].dtype = a->dtype;
	}
	if (args_wants(a, JACOBI_ITERATIONS))
		a->out[JACOBI_ITERATIONS] = (struct matrix){ .dtype = INT64 };
	if (args_wants(a, JACOBI_CONVERGED))
		a->out[JACOBI_CONVERGED] = (struct matrix){ .dtype = BOOL };
	return 0;
}

static double entries(const struct args *a)
{
	const struct matrix *m = &a->in[JACOBI_A];

	return (double)(m->layout == CSR ? m->nnz : matrix_elements(m));
}

/* Returns the floating-point operations of one round, because the number of
 * rounds is not known in advance. */
static double flops(const struct args *a)
{
	return 2 * entries(a);
}

static double bytes(const struct args *a)
{
	return entries(a) * (double)(dtype_bytes(a->dtype) + sizeof(int32_t));
}

/* The kernels in which a work-item takes a block of rows, and those in which a
 * work-group does. */
static const struct jacobi_kernels rows = {
	"jacobi_rows", "jacobi_rows_float32", "jacobi_rows_fold", 1, 4096, 8192
}, lanes = {
	"jacobi_round", "jacobi_round_float32", "jacobi_fold", 128, 128, 1024
};

/* Adds the buffers that only stages which multiply in float32 have. */
static void need_single(struct need *need, size_t n, size_t nnz)
{
	need_buffer(need, (n + 1) * sizeof(int64_t));
	need_buffer(need, nnz * sizeof(float));
	for (int i = 0; i < 2; i++)
		need_buffer(need, n * sizeof(float));
}

/* Counts every entry except the diagonal's, as if there were no stored zeros. A
 * block ends when it is full or when the next row would make it exceed its
 * limit, which happens at most twice for every k->entries entries. */
static void need(const struct args *a, const struct variant *v,
                 const struct sheet *d, struct need *need)
{
	const struct jacobi_kernels *k = v->how;
	const size_t n = a->in[JACOBI_A].dim[0], all = a->in[JACOBI_A].nnz;
	const size_t nnz = all > n ? all - n : 0;
	const size_t blocks = size_min(n, n / k->rows + 2 * nnz / k->entries +
	                                  1);
	const bool moved = a->param[JACOBI_P_PERMUTATION] != PERMUTE_NONE ||
	                   a->param[JACOBI_P_SELECTION] == SELECT_COMPOSITE;
	int64_t steps[STAGES];

	jacobi_steps(a, steps);
	need_buffer(need, (n + 1) * sizeof(int64_t));
	need_buffer(need, nnz * sizeof(int32_t));
	need_buffer(need, nnz * sizeof(double));
	for (int i = 0; i < 4; i++)	/* b, the diagonal, x twice */
		need_buffer(need, n * sizeof(double));
	need_buffer(need, (blocks + 1) * sizeof(int32_t));
	need_buffer(need, blocks * sizeof(double));
	need_buffer(need, STATE_LENGTH * sizeof(double));
	if (moved)
		need_buffer(need, n * sizeof(int32_t));
	if (steps[STAGE_FLOAT32] + steps[STAGE_MIXED] > 0)
		need_single(need, n, nnz);
	need_matrix(need, d, &a->out[JACOBI_X]);
}

static int run(struct seq *s, struct args *a)
{
	return jacobi_run(s, a, a->variant->how);
}

/* Makes a tridiagonal system. Two elements of one row exceed the range for
 * float32, and an odd n goes through all three precisions. */
static int sample(struct args *a, size_t n, struct memory_pool *pool,
                  struct err *e)
{
	struct matrix *m = &a->in[JACOBI_A], *b = &a->in[JACOBI_B];

	*m = (struct matrix){ .dtype = a->dtype, .ndim = 2, .dim = { n, n } };
	*b = (struct matrix){ .dtype = a->dtype, .ndim = 1, .dim = { n } };
	if (matrix_alloc(m, pool, e) < 0 || matrix_alloc(b, pool, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++)
			matrix_set(m, i * n + j, i == j ? 40 :
			           i + 1 != j && j + 1 != i ? 0 :
			           i == 1 ? 10 : -1);
		matrix_set(b, i, 1 + (double)(i % 7));
	}
	for (int i = 0; i < STAGES && n % 2; i++)
		a->param[JACOBI_P_SCHEDULE + i] = i == STAGE_FLOAT64 ? 200 : 3;
	return sparse_convert(m, CSR, pool, e);
}

static const char *const permutations[] = {
	[PERMUTE_NONE] = "none", [PERMUTE_ROW] = "row",
	[PERMUTE_SYMMETRIC] = "symmetric", NULL
};

static const char *const precisions[] = {
	[STAGE_FLOAT32] = "float32", [STAGE_MIXED] = "mixed",
	[STAGE_FLOAT64] = "float64", NULL
};

static const char *const selections[] = {
	[SELECT_ROW] = "row", [SELECT_ENTRY] = "entry",
	[SELECT_COMPOSITE] = "composite", NULL
};

static const char *const swap_names[] = {
	[SWAP_COPY] = "copy", [SWAP_CAST] = "cast",
	[SWAP_WRITE_BOTH] = "write-both", [SWAP_HYBRID] = "hybrid", NULL
};

static const struct param params[] = {
	[JACOBI_P_PERMUTATION] = { .name = "permutation",
		.type = PARAM_CHOICE, .choices = permutations,
		.help = "whether the rows (row), or the rows and columns "
			"(symmetric), are reordered so that those "
			"multiplied in float32 come first, then those in "
			"float64, then those without off-diagonal "
			"elements; x is returned in the original order" },
	[JACOBI_P_PRECISION] = { .name = "precision", .type = PARAM_CHOICE,
		.choices = precisions, .fallback = STAGE_FLOAT64,
		.help = "the precision of the arithmetic; mixed multiplies "
			"selected entries in float32 and adds the products "
			"in float64. Convergence is always judged in "
			"float64" },
	[JACOBI_P_SELECTION] = { .name = "selection", .type = PARAM_CHOICE,
		.choices = selections,
		.help = "how entries are selected for float32 in mixed "
			"precision: by whole rows, by single entries, or "
			"by rows that are also reordered as permutation "
			"row does (composite)" },
	[JACOBI_P_SWAP] = { .name = "swap", .type = PARAM_CHOICE,
		.choices = swap_names, .fallback = SWAP_HYBRID,
		.help = "how mixed precision updates x and its float32 "
			"copy: both are copied after an iteration (copy), "
			"x is converted at each use (cast), both are "
			"written by the iteration (write-both), or the "
			"float64 buffers are swapped and the float32 copy "
			"is made from them (hybrid)" },
	[JACOBI_P_OMEGA] = { .name = "omega", .type = PARAM_REAL,
		.fallback = 1, .min = 0, .max = 2, .above_min = true,
		.below_max = true, .help = "the relaxation factor of an "
			"update" },
	[JACOBI_P_TOL] = { .name = "tol", .type = PARAM_REAL,
		.fallback = NAN, .min = 0, .max = INFINITY, .above_min = true,
		.help = "the bound on |b - A x| / |b|, in 2-norms; by "
			"default 1e-8, or 1e-5 for float32 and where no "
			"iteration is in float64" },
	[JACOBI_P_MAX_ITERATIONS] = { .name = "max_iterations",
		.type = PARAM_INTEGER, .fallback = NAN, .min = 1, .max = 1e9,
		.help = "the largest number of iterations; by default "
			"1000, or as many as schedule names" },
	[JACOBI_P_RANGE] = { .name = "range", .type = PARAM_REAL,
		.fallback = NAN, .min = 0, .max = INFINITY,
		.help = "entries with a smaller modulus than this may be "
			"multiplied in float32; by default twice the mean "
			"modulus" },
	[JACOBI_P_SHARE] = { .name = "share", .type = PARAM_REAL,
		.fallback = 0.9, .min = 0, .max = 1,
		.help = "the fraction of a row's entries that must be "
			"below range for the row to be multiplied in "
			"float32" },
	[JACOBI_P_ALLOW_PARTIAL] = { .name = "allow_partial",
		.type = PARAM_BOOLEAN,
		.help = "return 200 with the last x and converged false, "
			"instead of 422, when max_iterations is reached or "
			"x overflows" },
	[JACOBI_P_DETECT_DIVERGENCE] = { .name = "detect_divergence",
		.type = PARAM_BOOLEAN, .fallback = 1,
		.help = "stop with 422 when the residual is large and has "
			"grown over as many iterations as there are "
			"equations; if false, stop only when it is not "
			"finite" },
	[JACOBI_P_SCHEDULE] = { .name = "schedule", .type = PARAM_LIST,
		.fallback = NAN, .min = 0, .max = 1e9,
		.help = "the numbers of iterations in float32, mixed and "
			"float64, run in this order in place of precision, "
			"as in 100,100,50" },
	{ 0 }
};

#define AROUND " jacobi_copy jacobi_widen jacobi_end"

const struct op op_jacobi = {
	.name = "jacobi",
	.summary = "a sparse system of linear equations, A x = b, by "
	           "Jacobi's method",
	.dtypes = DTYPE_REALS,
	.booleans = 1u << JACOBI_CONVERGED,
	.iterative = true,
	.inputs = (const struct operand[]){
		[JACOBI_A] = { "a", "the square matrix, dense or sparse", 2,
			false, CSR },
		[JACOBI_B] = { "b", "the right-hand side, a vector", 1, false,
			DENSE },
		{ 0 }
	},
	.params = params,
	.outputs = (const struct output[]){
		[JACOBI_X] = { "x", "the solution, with the shape of b",
			false },
		[JACOBI_ITERATIONS] = { "iterations", "the number of "
			"iterations", false },
		[JACOBI_CONVERGED] = { "converged", "whether the bound tol "
			"was reached", false },
		{ 0 }
	},
	.variants = (const struct variant[]){
		{ "rows", NEEDS_CPU, DEVICE_CPU, DTYPE_REALS,
		  "jacobi_rows jacobi_rows_float32 jacobi_rows_fold" AROUND,
		  "linalgd", run, .need = need, .how = &rows },
		{ "lanes", 0, DEVICE_GPU | DEVICE_OTHER, DTYPE_REALS,
		  "jacobi_round jacobi_round_float32 jacobi_fold" AROUND,
		  "linalgd", run, .need = need, .how = &lanes },
		{ 0 }
	},
	.check = check,
	.shape = shape,
	.flops = flops,
	.bytes = bytes,
	.residual = jacobi_residual,
	.sample = sample,
};
