/* reduce.c - the operation reduce: its tables, checks and shapes. */
#include "base/size.h"
#include "ops/need.h"
#include "ops/reduce/reduce.h"

/* The kind of answer of each operation. */
static const struct rule {
	const char *name;
	bool needs_elements;		/* undefined for no elements */
	bool index;			/* answers an index, not a value */
	bool needs_order;		/* undefined for complex elements */
	enum dtype of_integers;		/* its type for integer operands */
} rules[] = {
	[REDUCE_SUM] = { "sum", false, false, false, INT64 },
	[REDUCE_PROD] = { "prod", false, false, false, INT64 },
	[REDUCE_MIN] = { "min", true, false, true, INT64 },
	[REDUCE_MAX] = { "max", true, false, true, INT64 },
	[REDUCE_MEAN] = { "mean", true, false, false, FLOAT64 },
	[REDUCE_NORM1] = { "norm1", false, false, false, FLOAT64 },
	[REDUCE_NORM2] = { "norm2", false, false, false, FLOAT64 },
	[REDUCE_NORMINF] = { "norminf", false, false, false, FLOAT64 },
	[REDUCE_ARGMIN] = { "argmin", true, true, true, INT64 },
	[REDUCE_ARGMAX] = { "argmax", true, true, true, INT64 },
};

static const struct rule *rule_of(const struct args *a)
{
	return &rules[(int)a->param[REDUCE_PARAM_OP]];
}

static bool has_axis(const struct args *a)
{
	return !isnan(a->param[REDUCE_PARAM_AXIS]);
}

/* A scalar is taken as a vector of one element, as NumPy does. */
static int dimensions(const struct args *a)
{
	return a->in[0].ndim > 0 ? a->in[0].ndim : 1;
}

/* Returns the axis, from 0 to dimensions - 1. */
static int axis_of(const struct args *a)
{
	int axis = (int)a->param[REDUCE_PARAM_AXIS];

	return axis < 0 ? axis + dimensions(a) : axis;
}

/* Returns the index of the one of the four outputs that this call has. */
static int output_of(const struct args *a)
{
	return 2 * rule_of(a)->index + has_axis(a);
}

struct reduction reduction_of(const struct args *a)
{
	const struct matrix *in = &a->in[0];
	struct reduction r = {
		.op = (enum reduce_op)a->param[REDUCE_PARAM_OP],
		.outer = 1, .n = 1, .inner = 1, .out = &a->out[output_of(a)],
	};

	if (!has_axis(a)) {
		r.n = matrix_elements(in);
		return r;
	}
	for (int i = 0; i < in->ndim; i++)
		*(i < axis_of(a) ? &r.outer : i > axis_of(a) ? &r.inner :
		  &r.n) *= in->dim[i];
	return r;
}

bool reduction_may_overflow(const struct reduction *r, enum dtype t)
{
	return dtype_is_integer(t) &&
	       (r->op == REDUCE_SUM || r->op == REDUCE_PROD);
}

struct reduction_cut reduction_cut(const struct reduction *r, enum dtype t,
                                   size_t most)
{
	const size_t size = dtype_bytes(t), line = r->n * r->inner * size;
	const size_t blocks = reduction_blocks(r->n);
	/* The answers and parts of a line must fit a buffer as well. */
	const size_t each = size_max(line, r->inner * blocks * 2 *
	                                   sizeof(double));

	if (line > most)
		return (struct reduction_cut){ 1, size_max(1,
		    most / (REDUCE_BLOCK * r->inner * size)) };
	return (struct reduction_cut){
		size_max(1, size_min(r->outer, most / size_max(each, 1))),
		blocks,
	};
}

static int reduce_check(const struct args *a, struct err *e)
{
	char text[MATRIX_SHAPE_TEXT];
	int n = dimensions(a);

	if (dtype_is_complex(a->dtype) && rule_of(a)->needs_order)
		return err_set_at(e, ERR_PARAMETER, "/op", "reduce: complex "
		                  "numbers have no order: op=%s takes only "
		                  "real elements", rule_of(a)->name);
	matrix_shape_text(&a->in[0], text);
	if (has_axis(a) && (axis_of(a) < 0 || axis_of(a) >= n))
		return err_set_at(e, ERR_SHAPE, "/axis", "reduce: axis is %d, "
		                  "must be %d to %d for a (%s)",
		                  (int)a->param[REDUCE_PARAM_AXIS], -n, n - 1,
		                  text);
	if (rule_of(a)->needs_elements && reduction_of(a).n == 0)
		return err_set_at(e, ERR_MATHEMATICS, "/a", "reduce: %s of 0 "
		                  "elements does not exist (a is %s)",
		                  rule_of(a)->name, text);
	return 0;
}

static enum dtype answer_dtype(const struct args *a)
{
	return rule_of(a)->index ? INT64 :
	       reduction_is_norm(reduction_of(a).op) &&
	       dtype_is_complex(a->dtype) ? dtype_part(a->dtype) :
	       dtype_is_integer(a->dtype) ? rule_of(a)->of_integers :
	       a->dtype;
}

static int reduce_shape(struct args *a, struct err *e)
{
	const struct matrix *in = &a->in[0];
	struct matrix *out = &a->out[output_of(a)];

	(void)e;
	if (!args_wants(a, output_of(a)))
		return 0;
	*out = (struct matrix){ .dtype = answer_dtype(a) };
	for (int i = 0; has_axis(a) && i < in->ndim; i++)
		if (i != axis_of(a))
			out->dim[out->ndim++] = in->dim[i];
	return 0;
}

static double reduce_flops(const struct args *a)
{
	return (double)matrix_elements(&a->in[0]);
}

static double reduce_bytes(const struct args *a)
{
	struct reduction r = reduction_of(a);

	return (double)matrix_elements(&a->in[0]) *
	       (double)dtype_bytes(a->dtype) +
	       (double)r.outer * (double)r.inner *
	       (double)dtype_bytes(answer_dtype(a));
}

/* The memory for a 2-norm of float64 is that for squares that overflow, so that
 * the norm is computed again (run.c). */
static void need_for(const struct args *a, const struct variant *v,
                     const struct sheet *d, struct need *n, bool seed)
{
	const struct reduction r = reduction_of(a);
	const bool again = r.op == REDUCE_NORM2 && a->dtype == FLOAT64;
	const struct reduction_cut c = reduction_cut(&r, a->dtype, seed ?
	    SIZE_MAX : d->max_allocation_bytes);
	const size_t size = dtype_bytes(a->dtype), lines = r.outer * r.inner;
	const size_t of_answer = size_max(dtype_bytes(r.out->dtype),
	                                  sizeof(float));
	const size_t piece = c.outer * size_min(c.blocks * REDUCE_BLOCK, r.n);

	if (r.out->ndim == MATRIX_ABSENT || lines == 0)
		return;
	need_pieces(n, d, lines * r.n * size, piece * r.inner * size, false);
	need_pieces(n, d, lines * of_answer, c.outer * r.inner * of_answer,
	            false);
	for (int i = 0; i < (again ? 3 : 1); i++)
		if (seed)
			reduce_seed_need(n, &r, a->dtype, v, d);
		else
			reduce_canonical_need(n, &r, &c, d,
			                      *(const bool *)v->how);
	if (reduction_may_overflow(&r, a->dtype))
		need_buffer(n, sizeof(int32_t));
	if (again)
		need_scratch(n, lines * sizeof(double), c.outer * r.inner *
		                                        sizeof(double));
}

/* *v->how is a bool: do work-groups share a line? */
static void need_canonical(const struct args *a, const struct variant *v,
                           const struct sheet *d, struct need *n)
{
	if (dtype_is_complex(a->dtype))
		reduce_complex_need(a, v, d, n);
	else
		need_for(a, v, d, n, false);
}

static void need_seed(const struct args *a, const struct variant *v,
                      const struct sheet *d, struct need *n)
{
	need_for(a, v, d, n, true);
}

/* An n x n matrix of unordered values around zero. */
static int reduce_sample(struct args *a, size_t n, struct memory_pool *pool,
                         struct err *e)
{
	struct matrix *in = &a->in[0];

	*in = (struct matrix){ .dtype = a->dtype, .ndim = 2, .dim = { n, n } };
	if (matrix_alloc(in, pool, e) < 0)
		return -1;
	for (size_t i = 0; i < n * n; i++)
		matrix_set(in, i, (double)(i * 7919 % 1009) - 504);
	return 0;
}

static const struct operand inputs[] = {
	{ .name = "a", .help = "the elements to reduce, of any shape" },
	{ 0 }
};

static const char *const choices[] = {
	"sum", "prod", "min", "max", "mean", "norm1", "norm2", "norminf",
	"argmin", "argmax", NULL
};

static const struct param params[] = {
	[REDUCE_PARAM_OP] = {
		.name = "op", .type = PARAM_CHOICE, .choices = choices,
		.fallback = REDUCE_SUM, .help = "the reduction; for "
		        "integers, sums, products and extremes are int64, "
		        "and means and norms float64",
	},
	[REDUCE_PARAM_AXIS] = {
		.name = "axis", .type = PARAM_INTEGER, .fallback = NAN,
		.min = -MATRIX_DIMS, .max = MATRIX_DIMS - 1,
		.help = "the dimension to reduce, as in NumPy; negative "
		        "values count from the end; by default all "
		        "elements are reduced",
	},
	{ 0 }
};

/* In the order of output_of(). */
static const struct output outputs[] = {
	{ .name = "value", .help = "the result for all elements" },
	{ .name = "values", .help = "the results along the axis" },
	{ .name = "index", .help = "the position in the flattened operand, "
	                            "counted from 0; among equal elements "
	                            "the first" },
	{ .name = "indices", .help = "the positions along the axis, "
	                              "counted from 0; among equal "
	                              "elements the first" },
	{ 0 }
};

enum { ANY = DTYPE_REALS | DTYPE_INTEGERS };

/* The names of the kernels of all rows, and of all folds. */
#define EACH(k)                                                          \
	"reduce_sum" k " reduce_norm1" k " reduce_norm2" k               \
	" reduce_prod" k " reduce_max" k " reduce_norminf" k             \
	" reduce_arg" k
#define GROUPS                                                           \
	EACH("_line") " " EACH("_group")                                 \
	" reduce_sum_group_fold reduce_norm2_group_fold"                 \
	" reduce_prod_group_fold reduce_max_group_fold"                  \
	" reduce_arg_group_fold"

/* The names of the kernels of all rows, and of all folds, of the seed
 * variants. */
#define ROWS(k)                                                          \
	"seed_reduce_sum_" k " seed_reduce_norm1_" k                     \
	" seed_reduce_norm2_" k " seed_reduce_prod_" k                   \
	" seed_reduce_max_" k " seed_reduce_norminf_" k                  \
	" seed_reduce_arg_" k
#define FOLDS(k)                                                         \
	"seed_reduce_sum_" k " seed_reduce_norm2_" k " seed_reduce_prod_" k \
	" seed_reduce_max_" k " seed_reduce_arg_" k

/* The seed variants, which seed.c launches and which are never the fastest. */
#define SEED(variant, needs, its_kernels) {                              \
	.name = variant, .requires = needs, .dtypes = ANY,               \
	.origin = "Reduction, oneAPI GPU Optimization Guide",            \
	.kernels = its_kernels " " FOLDS("finish"),                      \
	.run = reduce_seed_run, .need = need_seed,                       \
}

static const struct variant variants[] = {
	{
		.name = "canonical", .requires = NEEDS_CPU,
		.auto_for = DEVICE_CPU, .dtypes = ANY | DTYPE_COMPLEXES,
		.origin = "linalgd",
		.kernels = EACH("") " " EACH("_axis"),
		.run = reduce_canonical_run, .need = need_canonical,
		.how = &(const bool){ false },
		.more_kernels = "complex_moduli",
	}, {
		.name = "canonical-bulk", .requires = NEEDS_SM90,
		.auto_for = DEVICE_GPU, .dtypes = ANY | DTYPE_COMPLEXES,
		.origin = "linalgd",
		.kernels = EACH("_bulk") " " GROUPS,
		.run = reduce_canonical_bulk_run, .need = need_canonical,
		.how = &(const bool){ true },
		.more_kernels = "complex_moduli",
	}, {
		.name = "canonical-group",
		.auto_for = DEVICE_GPU | DEVICE_OTHER,
		.dtypes = ANY | DTYPE_COMPLEXES,
		.origin = "linalgd",
		.kernels = GROUPS,
		.run = reduce_canonical_group_run, .need = need_canonical,
		.how = &(const bool){ true },
		.more_kernels = "complex_moduli",
	},
	SEED("serial", 0, ROWS("chunk")),
	SEED("atomic", NEEDS_ATOMICS64, ROWS("atomic")
	     " seed_reduce_arg_atomic_index seed_reduce_prod_atomic_sign "
	     ROWS("chunk")),
	SEED("chunk", 0, ROWS("chunk")),
	SEED("strided", 0, ROWS("strided")),
	SEED("strided-many", 0, ROWS("strided")),
	SEED("tree-1", 0, ROWS("tree")),
	SEED("tree-2", 0, ROWS("tree") " " FOLDS("tree_fold")),
	SEED("builtin", 0, ROWS("builtin") " " FOLDS("builtin_fold")),
	SEED("blocked-serial", 0, ROWS("blocked_serial")),
	SEED("blocked-tree", 0, ROWS("blocked_tree")),
	SEED("blocked-builtin", 0, ROWS("blocked_builtin") " "
	     FOLDS("builtin_fold")),
	SEED("subgroup-load", 0, ROWS("subgroup_load")),
	{ 0 }
};

const struct op op_reduce = {
	.name = "reduce",
	.summary = "a sum, product, extremum, mean or norm of all elements "
	           "or along an axis, with the same bits on every run and "
	           "device",
	.details = "Variants serial, atomic, chunk, strided, strided-many, "
	           "tree-1, tree-2, builtin, blocked-serial, blocked-tree, "
	           "blocked-builtin and subgroup-load combine the elements "
	           "in other orders; their sums are less accurate and "
	           "differ between devices.\n\n"
	           "For int32 and int64 operands, sums, products and extremes "
	           "are exact and have type int64; a result beyond the range "
	           "of int64 is refused with 422. Means and norms are float64, "
	           "argmin and argmax int64. Sums and products of whole "
	           "numbers in JSON are int64 where float64 could not "
	           "represent them and int64 can.\n\n"
	           "Complex elements have sums, products, means and, by their "
	           "moduli, norms, which are real; they have no order, so that "
	           "extremes and their positions are refused.",
	.dtypes = ANY | DTYPE_COMPLEXES,
	.halves = true,
	.inputs = inputs,
	.params = params,
	.outputs = outputs,
	.variants = variants,
	.exact = reduce_exact_dtype,
	.check = reduce_check,
	.shape = reduce_shape,
	.flops = reduce_flops,
	.bytes = reduce_bytes,
	.sample = reduce_sample,
};
