/* norm.c - the operation norm: a norm of a matrix, or of every matrix of a
 * stack. A vector is a matrix of one column, whose norms are the vector's.
 *
 * Norms of the elements are canonical reductions (ops/reduce): fro and max of
 * all elements, 1 and inf of the sums of columns and rows. They neither
 * overflow nor underflow on the way, and NaN wins. The norms 2 and nuc come
 * from the singular values, which the device computes for large matrices unless
 * it is a CPU, and else the host.
 */
#include <math.h>

#include "base/size.h"
#include "ops/need.h"
#include "ops/norm/singular.h"
#include "ops/polar/polar.h"
#include "ops/reduce/lines.h"
#include "ops/reduce/run.h"

enum { ORD };
enum { FRO, NUC, ONE, TWO, INF, MAX };

static const char *const ords[] = {
	[FRO] = "fro", [NUC] = "nuc", [ONE] = "1", [TWO] = "2", [INF] = "inf",
	[MAX] = "max", NULL
};

/* A variant's *how tells how a kind of device reduces the elements. */
struct way {
	reduce_launch *launch;
	bool groups, bulk;		/* may lines be read by bulk copies? */
};

/* The reductions of a norm. The first takes m x n elements of every matrix to
 * m, to n or to one number; the second, if there is one, these numbers to
 * one. */
struct steps {
	struct reduction first, second;
	bool two;
};

static struct steps steps_of(const struct args *a)
{
	const struct matrix *x = &a->in[0];
	const size_t stack = matrix_stack(x);
	const size_t m = matrix_rows(x), n = matrix_cols(x);

	switch ((int)a->param[ORD]) {
	case ONE:
		return (struct steps){
			{ REDUCE_NORM1, stack, m, n, NULL },
			{ REDUCE_NORMINF, stack, n, 1, NULL }, true };
	case INF:
		return (struct steps){
			{ REDUCE_NORM1, stack * m, n, 1, NULL },
			{ REDUCE_NORMINF, stack, m, 1, NULL }, true };
	case MAX:
		return (struct steps){
			.first = { REDUCE_NORMINF, stack, m * n, 1, NULL } };
	default:
		return (struct steps){
			.first = { REDUCE_NORM2, stack, m * n, 1, NULL } };
	}
}

static bool is_singular(const struct args *a)
{
	return a->param[ORD] == TWO || a->param[ORD] == NUC;
}

static int shape(struct args *a, struct err *e)
{
	const struct matrix *m = &a->in[0];
	struct matrix *x = &a->out[0];

	(void)e;
	*x = (struct matrix){ .dtype = a->dtype };
	while (x->ndim < m->ndim - 2) {
		x->dim[x->ndim] = m->dim[x->ndim];
		x->ndim++;
	}
	return 0;
}

static double flops(const struct args *a)
{
	const struct matrix *m = &a->in[0];

	if (is_singular(a))
		return (double)matrix_stack(m) *
		       singular_flops((double)matrix_rows(m),
		                      (double)matrix_cols(m));
	return (a->param[ORD] == FRO ? 2.0 : 1.0) * (double)matrix_elements(m);
}

static double bytes(const struct args *a)
{
	return (double)matrix_size(&a->in[0]) + (double)matrix_size(&a->out[0]);
}

/* --- of the singular values */

static double largest(const double *s, size_t n)
{
	return n ? s[0] : 0;
}

/* Adds the smallest values first, which gives the smallest rounding error. */
static double sum(const double *s, size_t n)
{
	double all = 0;

	while (n-- > 0)
		all += s[n];
	return all;
}

/* --- of the elements */

static void launch(struct seq *s, const struct way *way,
                   const struct reduction *r, struct buf x, struct buf out,
                   bool scaled)
{
	const bool bulk = way->bulk && reduction_bulk(s, r->op);
	const struct reduction_bufs b = {
		.x = x, .out = out, .peak = out,
		.blocks = reduction_blocks(r->n),
	};

	if (scaled)
		reduction_scaled(s, way->launch, &bulk, r, &b);
	else
		way->launch(s, &bulk, r, &b);
}

static size_t middle_size(const struct args *a, const struct steps *t)
{
	return t->first.outer * t->first.inner * dtype_bytes(a->dtype);
}

static int run_elements(struct seq *s, struct args *a)
{
	const struct way *way = a->variant->how;
	const struct steps t = steps_of(a);
	const struct buf x = seq_input(s, &a->in[0]);
	const struct buf norm = seq_output(s, &a->out[0]);
	const struct buf middle = t.two ? seq_scratch(s, middle_size(a, &t)) :
	                                  norm;

	if (t.first.outer * t.first.inner > 0)
		launch(s, way, &t.first, x, middle, false);
	if (t.two)
		launch(s, way, &t.second, middle, norm, false);
	if (t.first.op != REDUCE_NORM2 || a->dtype != FLOAT64)
		return seq_finish(s);
	if (seq_finish(s) < 0)
		return -1;
	if (reduction_is_doubtful(&a->out[0]))	/* download the norm again */
		launch(s, way, &t.first, x, seq_output(s, &a->out[0]), true);
	return seq_finish(s);
}

static int run(struct seq *s, struct args *a)
{
	static const struct singular two = { 0, largest, false };
	static const struct singular nuc = { 0, sum, false };
	const struct way *way = a->variant->how;
	const struct singular *how = a->param[ORD] == TWO ? &two : &nuc;

	if (matrix_stack(&a->in[0]) == 0)
		return seq_finish(s);
	return !is_singular(a) ? run_elements(s, a) :
	       way->groups ? singular_polar(s, a, how) :
	                     singular_run(s, a, how);
}

static void need_reduction(struct need *n, const struct reduction *r,
                           const struct sheet *d, const struct way *way)
{
	const struct reduction_cut all = { r->outer, reduction_blocks(r->n) };

	if (r->outer * r->inner > 0)
		reduce_canonical_need(n, r, &all, d, way->groups);
}

/* The memory of a Frobenius norm in float64 is counted as if its squares
 * overflowed. */
static void need(const struct args *a, const struct variant *v,
                 const struct sheet *d, struct need *n)
{
	const struct steps t = steps_of(a);
	const bool again = t.first.op == REDUCE_NORM2 && a->dtype == FLOAT64;
	const struct way *way = v->how;

	if (is_singular(a) && way->groups && singular_polar_fits(a, d))
		singular_polar_need(n, d, a);
	if (is_singular(a) || matrix_stack(&a->in[0]) == 0)
		return;
	need_matrices(n, d, a);
	for (int i = 0; i < (again ? 3 : 1); i++)
		need_reduction(n, &t.first, d, v->how);
	if (again)
		need_buffer(n, t.first.outer * sizeof(double));
	if (!t.two)
		return;
	need_buffer(n, middle_size(a, &t));
	need_reduction(n, &t.second, d, v->how);
}

/* Fills a matrix with whole numbers around zero. */
static int sample(struct args *a, size_t n, struct memory_pool *pool,
                  struct err *e)
{
	struct matrix *m = &a->in[0];

	*m = (struct matrix){ .dtype = a->dtype, .ndim = 2, .dim = { n, n } };
	if (matrix_alloc(m, pool, e) < 0)
		return -1;
	for (size_t i = 0; i < n * n; i++)
		matrix_set(m, i, (double)(i * 7919 % 1009) - 504);
	return 0;
}

#define EACH(k) "reduce_norm1" k " reduce_norm2" k " reduce_norminf" k
#define GROUPS EACH("_line") " " EACH("_group") " reduce_sum_group_fold " \
	"reduce_norm2_group_fold reduce_max_group_fold " POLAR_KERNELS

static const struct variant variants[] = {
	{ "items", NEEDS_CPU, DEVICE_CPU, DTYPE_REALS,
	  EACH("") " reduce_norm1_axis", "linalgd", run, .need = need,
	  .how = &(const struct way){ reduce_by_items, false, false } },
	{ "bulk", NEEDS_SM90, DEVICE_GPU, DTYPE_REALS,
	  EACH("_bulk") " " GROUPS, "linalgd", run, .need = need,
	  .how = &(const struct way){ reduce_by_groups, true, true } },
	{ "group", 0, DEVICE_GPU | DEVICE_OTHER, DTYPE_REALS, GROUPS,
	  "linalgd", run, .need = need,
	  .how = &(const struct way){ reduce_by_groups, true, false } },
	{ 0 }
};

const struct op op_norm = {
	.name = "norm",
	.summary = "a norm of a matrix, or of every matrix of a stack",
	.details = "fro is the root of the sum of squares, 1 and inf the "
	           "largest sum of magnitudes of a column and of a row, max "
	           "the largest magnitude, 2 the largest singular value, nuc "
	           "the sum of them. A vector is a matrix of one column. NaN "
	           "and infinity go through all but 2 and nuc, which refuse "
	           "such a matrix.",
	.dtypes = DTYPE_REALS,
	.inputs = (const struct operand[]){
		{ "a", "the matrix, of any shape, or a stack of them", 1, false,
		  DENSE },
		{ 0 }
	},
	.params = (const struct param[]){
		[ORD] = {
			.name = "ord", .type = PARAM_CHOICE, .fallback = FRO,
			.choices = ords, .help = "which norm",
		},
		{ 0 }
	},
	.outputs = (const struct output[]){
		{ "norm", "the norm, of every matrix", false },
		{ 0 }
	},
	.variants = variants,
	.shape = shape,
	.flops = flops,
	.bytes = bytes,
	.describe = singular_describe,
	.sample = sample,
};
