/* lu.c - the operation lu: P A = L U of any m x n matrix, or of a stack. */
#include "ops/lu/complex.h"
#include "ops/gang/devices.h"
#include "ops/lu/factor.h"
#include "ops/lu/gang.h"
#include "ops/lu/residual.h"
#include "ops/lu/streamed.h"
#include "ops/lu/zero_pivot.h"
#include "ops/scalapack.h"

enum { PIVOT = LU_PIVOT, DEVICES = LU_DEVICES };
enum { PARTIAL = LU_PARTIAL, NO_PIVOT = LU_NONE };
enum { LU = LU_LU, PIVOTS = LU_PIVOTS, SINGULAR = LU_SINGULAR, SIGN = LU_SIGN,
       P = LU_P, L = LU_L, U = LU_U };
enum { LANES = 64 };

#define LU_FINISH_KERNELS \
	" lu_finish lu_permutation lu_lower lu_upper " \
	LU_ZERO_PIVOT_KERNELS " " LU_RESIDUAL_KERNELS

#define LU_GANG_FINISH LU_FINISH_KERNELS " " LU_GANG_KERNELS

#define SEED_ORIGIN \
	"Improving Parallel LU Decomposition by ~20x (2021), without pivoting"

static const struct operand inputs[] = {
	{ "a", "the matrix, of any shape, or a stack of them", 2, false,
	  DENSE },
	{ 0 }
};

static const struct param params[] = {
	[PIVOT] = {
		.name = "pivot", .type = PARAM_CHOICE, .fallback = PARTIAL,
		.choices = (const char *const[]){ "partial", "none", NULL },
		.help = "swap rows so that every multiplier is at most 1 "
		        "(partial), or never (none); where a zero pivot then "
		        "leaves no L U = A, the answer is 422, kind "
		        "zero-pivot",
	},
	[DEVICES] = GANG_DEVICES,
	{ 0 }
};

static const struct output outputs[] = {
	[LU] = { "lu", "U, and below it L without its unit diagonal", false },
	[PIVOTS] = { "pivots", "row i was swapped with row pivots[i], in "
	  "order", false },
	[SINGULAR] = { "singular", "has U a zero on its diagonal?", false },
	[SIGN] = { "sign", "the sign of the determinant of a square matrix",
	  false },
	[P] = { "p", "the permutation: A[p] = L U; SciPy's p_indices are its "
	  "inverse", true },
	[L] = { "l", "L, m x min(m,n)", true },
	[U] = { "u", "U, min(m,n) x n", true },
	{ 0 }
};

static int check(const struct args *a, struct err *e)
{
	const struct matrix *m = &a->in[0];
	char text[MATRIX_SHAPE_TEXT];

	if (matrix_rows(m) <= LU_MAX && matrix_cols(m) <= LU_MAX &&
	    matrix_stack(m) <= LU_MAX)
		return gang_check(a, "one real matrix of 64 rows and columns "
		                  "or more for each device, answered as lu, "
		                  "with partial pivoting, and with a quality "
		                  "of estimate or none", e);
	return err_set(e, ERR_TOO_LARGE, "lu: matrix is %s: sizes end at %zu",
	               matrix_shape_text(m, text), LU_MAX);
}

/* The operand's stack of `dims` more dimensions. */
static void set_shape(struct args *a, int output, enum dtype t, int dims,
                      size_t rows, size_t cols)
{
	const struct matrix *m = &a->in[0];
	struct matrix *o = &a->out[output];

	if (!args_wants(a, output))
		return;
	*o = (struct matrix){ .dtype = t, .ndim = m->ndim - 2 + dims };
	for (int i = 0; i < m->ndim - 2; i++)
		o->dim[i] = m->dim[i];
	if (dims > 0)
		o->dim[m->ndim - 2] = rows;
	if (dims > 1)
		o->dim[m->ndim - 1] = cols;
}

static int shape(struct args *a, struct err *e)
{
	const size_t m = matrix_rows(&a->in[0]), n = matrix_cols(&a->in[0]);
	const size_t k = size_min(m, n);

	(void)e;
	set_shape(a, LU, a->dtype, 2, m, n);
	set_shape(a, PIVOTS, INT64, 1, k, 0);
	set_shape(a, SINGULAR, BOOL, 0, 0, 0);
	if (m == n)
		set_shape(a, SIGN, dtype_is_complex(a->dtype) ? COMPLEX128 :
		          FLOAT64, 0, 0, 0);
	set_shape(a, P, INT64, 1, m, 0);
	set_shape(a, L, a->dtype, 2, m, k);
	set_shape(a, U, a->dtype, 2, k, n);
	return 0;
}

static double flops(const struct args *a)
{
	const struct matrix *m = &a->in[0];

	return matrix_stack(m) * lu_flops(matrix_rows(m), matrix_cols(m));
}

static double bytes(const struct args *a)
{
	return 2.0 * matrix_size(&a->in[0]);
}

/* The output if the client wants it, else scratch memory of that size. */
static struct buf output_or_scratch(struct seq *s, const struct args *a,
                                    int output, size_t size)
{
	const struct matrix *m = &a->out[output];

	return m->ndim != MATRIX_ABSENT ? seq_output(s, m)
	                                : seq_scratch(s, size);
}

/* p, with A[p] = L U, from the interchanges in their order */
static void permute(struct seq *s, const struct factors *f,
                    struct buf pivots, struct buf p)
{
	const size_t lanes = seq_sheet(s)->type == DEVICE_CPU ? 1 : LANES;
	const size_t rows = lanes > 1 ? f->m : 1;

	seq_launch(s, "lu_permutation", GRID2(rows, f->stack, lanes, 1),
	           ARG_BUF(pivots), ARG_INT(f->m), ARG_INT(factors_pivots(f)),
	           ARG_BUF(p));
}

static void finish(struct seq *s, const struct args *a,
                   const struct factors *f)
{
	const size_t k = factors_pivots(f), word = sizeof(int64_t);
	const struct sheet *d = seq_sheet(s);
	const size_t lanes = d->type == DEVICE_CPU ? 1 :
	    size_min(size_round_up(size_max(k, 1), LANES),
	             size_max(d->max_work_group_size, 1));
	const struct buf pivots = output_or_scratch(s, a, PIVOTS,
	                                            f->stack * k * word);

	seq_launch(s, "lu_finish", GRID1(f->stack * lanes, lanes),
	           ARG_BUF(f->lu),
	           ARG_INT(f->m), ARG_INT(f->n), ARG_BUF(f->swaps),
	           ARG_BUF(pivots),
	           ARG_BUF(output_or_scratch(s, a, SINGULAR, f->stack)),
	           ARG_BUF(output_or_scratch(s, a, SIGN, f->stack * word)));
	if (args_wants(a, P))
		permute(s, f, pivots, seq_output(s, &a->out[P]));
	if (args_wants(a, L))
		seq_launch(s, "lu_lower",
		           GRID2(k, f->stack * f->m, LANES, 1),
		           ARG_BUF(f->lu), ARG_INT(f->m), ARG_INT(f->n),
		           ARG_BUF(seq_output(s, &a->out[L])));
	if (args_wants(a, U))
		seq_launch(s, "lu_upper",
		           GRID2(f->n, f->stack * k, LANES, 1),
		           ARG_BUF(f->lu), ARG_INT(f->m), ARG_INT(f->n),
		           ARG_BUF(seq_output(s, &a->out[U])));
}

/* How a variant factors. The articles' kernels interchange no rows, whatever
 * the parameter `pivot` says. */
struct way {
	lu_factor_fn *factor;
	lu_need_fn *need;
	bool pivots;
};

static bool is_pivoting(const struct args *a, const struct variant *v)
{
	const struct way *way = v->how;

	return way->pivots && a->param[PIVOT] == PARTIAL;
}

static int run(struct seq *s, struct args *a)
{
	const struct way *way = a->variant->how;
	const struct matrix *m = &a->in[0];
	struct factors f;

	if (a->gang.parts)
		return lu_gang_run(s, a, way->factor);
	f = (struct factors){
		.stack = matrix_stack(m),
		.m = matrix_rows(m), .n = matrix_cols(m),
		.pivoting = is_pivoting(a, a->variant),
		.a = seq_input(s, m),
	};

	if (args_wants(a, LU))
		f.lu = seq_output(s, &a->out[LU]);
	factors_alloc(s, &f);
	way->factor(s, &f);
	if (!f.pivoting && lu_check_pivots(s, a, &f) < 0)
		return -1;
	finish(s, a, &f);
	return seq_finish(s);
}

/* Memory for output i, or for scratch in its place. */
static void need_output(struct need *n, const struct sheet *d,
                        const struct args *a, int i, size_t bytes)
{
	if (a->out[i].ndim == MATRIX_ABSENT)
		need_buffer(n, bytes);
	else
		need_matrix(n, d, &a->out[i]);
}

static void need_residual(struct need *n, const struct sheet *d,
                          const struct args *a, const struct factors *f)
{
	const bool lu = args_wants(a, LU);

	if (a->quality == QUALITY_NONE)
		return;
	if (!args_wants(a, P) && args_wants(a, PIVOTS))
		need_buffer(n, f->stack * f->m * sizeof(int64_t));
	if ((lu || (args_wants(a, L) && args_wants(a, U))) &&
	    (args_wants(a, P) || args_wants(a, PIVOTS)))
		lu_residual_need(n, d, f->stack, f->m, f->n,
		                 a->quality == QUALITY_FULL);
}

static void need(const struct args *a, const struct variant *v,
                 const struct sheet *d, struct need *n)
{
	const struct way *way = v->how;
	const struct matrix *m = &a->in[0];
	const struct factors f = { .stack = matrix_stack(m),
	                           .m = matrix_rows(m),
	                           .n = matrix_cols(m) };
	const size_t word = sizeof(int64_t);

	if (a->gang.parts) {
		lu_gang_need(a, d, way->need, n);
		return;
	}
	need_matrix(n, d, m);
	need_output(n, d, a, LU, matrix_size(m));
	need_output(n, d, a, PIVOTS, f.stack * factors_pivots(&f) * word);
	need_output(n, d, a, SINGULAR, f.stack);
	need_output(n, d, a, SIGN, f.stack * word);
	for (int i = P; i <= U; i++)
		need_matrix(n, d, &a->out[i]);
	need_buffer(n, factors_swaps(&f));
	way->need(n, d, a->dtype, &f);
	if (!is_pivoting(a, v))
		lu_need_pivots(n, &f);
	need_residual(n, d, a, &f);
}

/* p from the answer, or made of its pivots; { 0 } if it has neither. */
static struct buf permutation(struct seq *s, const struct args *a)
{
	const struct matrix *m = &a->in[0];
	const struct factors f = { .stack = matrix_stack(m),
	                           .m = matrix_rows(m),
	                           .n = matrix_cols(m) };
	struct buf p;

	if (a->out[P].ndim != MATRIX_ABSENT)
		return seq_input(s, &a->out[P]);
	if (a->out[PIVOTS].ndim == MATRIX_ABSENT)
		return (struct buf){ 0 };
	p = seq_scratch(s, f.stack * f.m * sizeof(int64_t));
	permute(s, &f, seq_input(s, &a->out[PIVOTS]), p);
	return p;
}

/* The factor from its own output, or from the packed ones. */
static struct buf factor_of(struct seq *s, const struct args *a, int own,
                            size_t *step, size_t *ld)
{
	const struct matrix *m = &a->out[a->out[own].ndim == MATRIX_ABSENT ?
	                                 LU : own];

	if (m->ndim == MATRIX_ABSENT)
		return (struct buf){ 0 };
	*ld = matrix_cols(m);
	*step = matrix_rows(m) * *ld;
	return seq_input(s, m);
}

/* The residual of the factors in the answer; NAN if one of them is not in
 * it. */
static int residual(struct seq *s, struct args *a)
{
	const struct matrix *m = &a->in[0];
	struct lu_check c;

	if (a->gang.parts || a->variant->streams)
		return seq_finish(s);
	c = (struct lu_check){
		.stack = matrix_stack(m),
		.m = matrix_rows(m), .n = matrix_cols(m),
		.a = seq_input(s, m),
		.p = permutation(s, a),
	};
	c.l = factor_of(s, a, L, &c.l_step, &c.ldl);
	c.u = factor_of(s, a, U, &c.u_step, &c.ldu);
	if (!c.l.id || !c.u.id || !c.p.id)
		return seq_finish(s);
	return lu_residual(s, a, &c);
}

static int sample(struct args *a, size_t n, struct memory_pool *pool,
                  struct err *e)
{
	return lu_sample(&a->in[0], a->dtype, n, pool, e);
}

#define WAY(name, pivots) \
	&(const struct way){ lu_factor_##name, lu_need_##name, pivots }

static const struct variant variants[] = {
	{ "blocked", NEEDS_CPU, DEVICE_CPU, DTYPE_REALS,
	  LU_BLOCKED_KERNELS LU_GANG_FINISH " " BLAS_CPU_KERNELS, "linalgd",
	  run, .need = need,
	  .how = WAY(blocked, true) },
	{ "spread", NEEDS_SM80, DEVICE_GPU, DTYPE_REALS,
	  LU_SPREAD_KERNELS LU_GANG_FINISH, "linalgd", run, .need = need,
	  .how = WAY(spread, true) },
	{ "tiled", 0, DEVICE_GPU | DEVICE_OTHER, DTYPE_REALS,
	  LU_TILED_KERNELS LU_GANG_FINISH, "linalgd", run, .need = need,
	  .how = WAY(tiled, true) },
	{ "streamed", 0, DEVICE_CPU | DEVICE_GPU | DEVICE_OTHER, DTYPE_REALS,
	  LU_STREAMED_KERNELS, "linalgd", lu_streamed_run,
	  .need = lu_streamed_need, .takes = lu_streamed_takes,
	  .streams = true },
	{ "seed-v0", 0, 0, DTYPE_REALS,
	  LU_SEED_V0_KERNELS LU_FINISH_KERNELS, SEED_ORIGIN, run, .need = need,
	  .how = WAY(seed_v0, false) },
	{ "seed-v1", 0, 0, DTYPE_REALS,
	  LU_SEED_V1_KERNELS LU_FINISH_KERNELS, SEED_ORIGIN, run, .need = need,
	  .how = WAY(seed_v1, false) },
	{ "complex", 0, DEVICE_CPU | DEVICE_GPU | DEVICE_OTHER,
	  DTYPE_COMPLEXES, "", "LAPACK", lu_complex,
	  .need = NULL },
	SCALAPACK_VARIANT(scalapack_takes_lu, scalapack_need_lu),
	{ 0 }
};

const struct op op_lu = {
	.name = "lu",
	.summary = "LU factorization with partial pivoting, P A = L U, of "
	           "rectangular matrices and stacks too",
	.details = "pivots are those of SciPy's lu_factor: row i was swapped "
	           "with row pivots[i], in order, from 0 on. p is a vector of "
	           "indices with A[p] = L U, NumPy's notation; SciPy's "
	           "lu(A, p_indices=True) answers its inverse, argsort(p), "
	           "with A = (L U)[p_indices].",
	.dtypes = DTYPE_REALS | DTYPE_COMPLEXES,
	.booleans = 1u << SINGULAR,
	.inputs = inputs,
	.params = params,
	.outputs = outputs,
	.variants = variants,
	.check = check,
	.shape = shape,
	.flops = flops,
	.bytes = bytes,
	.gang = lu_gang_plan,
	.residual = residual,
	.residual_launches = true,
	.describe = lu_describe_zero_pivot,
	.sample = sample,
};
