/* seed.c - the rows for the single kernels of "Optimizing Parallel Similarity
 * Transformation" (2021), in each of their versions. Each kernel is an
 * operation of its own here, because the variants of eigen that use them end
 * with linalgd's own rounds, which would hide a kernel's errors. */
#include <math.h>

#include "check/host.h"
#include "check/rows.h"
#include "check/seed_kernels.h"
#include "ops/eigen/seed.h"

/* A kernel's versions are the operation's variants, numbered by their index. */
#define RUN(kernel)                                                         \
	static int run_##kernel(struct seq *s, struct args *a)              \
	{                                                                   \
		seed_kernel_##kernel(s,                                     \
		    (int)(a->variant - a->op->variants), a->in, a->out);    \
		return seq_finish(s);                                       \
	}
RUN(row_sums)
RUN(max)
RUN(update)
RUN(next)
RUN(stop)

/* The shapes of the outputs. */
static int like_first(struct args *a, struct err *e)
{
	(void)e;
	a->out[0] = a->in[0];
	a->out[0].memory = NULL;
	return 0;
}

static int a_row(struct args *a, struct err *e)
{
	like_first(a, e);
	a->out[0].ndim = 1;
	return 0;
}

static int a_number(struct args *a, struct err *e)
{
	(void)e;
	a->out[0] = (struct matrix){ .dtype = a->dtype, .ndim = 1,
	                             .dim = { 1 } };
	return 0;
}

static int a_verdict(struct args *a, struct err *e)
{
	a_number(a, e);
	a->out[0].dtype = INT32;
	return 0;
}

static const struct param none[] = { { 0 } };
static const struct output answer[] = { { .name = "out" }, { 0 } };

#define SEED_VERSION(name_, kernel)                                         \
	{ .name = name_, .dtypes = DTYPE_REALS, .run = run_##kernel }
#define ONE(kernel) SEED_VERSION("seed-v0", kernel)
#define TWO(kernel) ONE(kernel), SEED_VERSION("seed-v1", kernel)
#define THREE(kernel) TWO(kernel), SEED_VERSION("seed-v2", kernel)

#define SEED_OP(kernel, title, versions, shape_, ...)                       \
	static const struct op op_##kernel = {                              \
		.name = title, .dtypes = DTYPE_REALS, .params = none,       \
		.outputs = answer, .shape = shape_,                         \
		.inputs = (const struct operand[]){ __VA_ARGS__, { 0 } },   \
		.variants = (const struct variant[]){                       \
			versions(kernel),                                   \
			{ 0 }                                               \
		},                                                          \
	};
SEED_OP(row_sums, "row sums", THREE, a_row, { .name = "a" })
SEED_OP(max, "max", THREE, a_number, { .name = "x" })
SEED_OP(update, "update", TWO, like_first, { .name = "v" },
        { .name = "sums" }, { .name = "max" })
SEED_OP(next, "next", ONE, like_first, { .name = "a" }, { .name = "sums" })
SEED_OP(stop, "stop", TWO, a_verdict, { .name = "sums" }, { .name = "max" })

/* |s_i - sum of row i| / (n eps sum of |a_ij|) */
static double sums_off(const struct args *a)
{
	const size_t n = matrix_rows(&a->in[0]);
	const double unit = (double)n * dtype_epsilon(a->dtype);
	double most = 0;

	for (size_t i = 0; i < n; i++) {
		long double sum = 0, size = 0;

		for (size_t j = 0; j < n; j++) {
			sum += matrix_get(&a->in[0], i * n + j);
			size += fabs(matrix_get(&a->in[0], i * n + j));
		}
		most = host_worse(host_ratio(matrix_get(&a->out[0], i) - sum,
		                             unit * size), most);
	}
	return most;
}

static double max_off(const struct args *a)
{
	double largest = -INFINITY;

	for (size_t i = 0; i < matrix_elements(&a->in[0]); i++)
		largest = fmax(largest, matrix_get(&a->in[0], i));
	return fabs(matrix_get(&a->out[0], 0) - largest);
}

/* The relative errors, in units of eps, of v_i s_i / max in the first function
 * and of a_ij s_j / s_i in the second. */
static double update_off(const struct args *a)
{
	const long double max = matrix_get(&a->in[2], 0);
	double most = 0;

	for (size_t i = 0; i < matrix_elements(&a->in[0]); i++) {
		const long double want = matrix_get(&a->in[0], i) *
		    matrix_get(&a->in[1], i) / max;

		most = host_worse(host_ratio(matrix_get(&a->out[0], i) - want,
		    dtype_epsilon(a->dtype) * fabsl(want)), most);
	}
	return most;
}

static double next_off(const struct args *a)
{
	const size_t n = matrix_rows(&a->in[0]);
	double most = 0;

	for (size_t i = 0; i < n * n; i++) {
		const long double want = matrix_get(&a->in[0], i) *
		    (long double)matrix_get(&a->in[1], i % n) /
		    matrix_get(&a->in[1], i / n);

		most = host_worse(host_ratio(matrix_get(&a->out[0], i) - want,
		    dtype_epsilon(a->dtype) * fabsl(want)), most);
	}
	return most;
}

static double stop_off(const struct args *a)
{
	const size_t n = matrix_elements(&a->in[0]);
	const double limit = SEED_ALIKE * matrix_get(&a->in[1], 0);
	bool alike = true;

	for (size_t i = 0; i < n; i++)
		alike &= fabs(matrix_get(&a->in[0], i) -
		              matrix_get(&a->in[0], (i + 1) % n)) <= limit;
	return matrix_get(&a->out[0], 0) != alike;
}

/* Fills the operands with numbers that are all above 1, or all below -1. */
static int fill_signed(const struct kind *k, struct args *a, struct err *e)
{
	fill_random(k, a, e);
	for (int o = 0; a->op->inputs[o].name; o++)
		for (size_t i = 0; i < matrix_elements(&a->in[o]); i++)
			matrix_set(&a->in[o], i, k->shape *
			    (1 + fabs(matrix_get(&a->in[o], i))));
	return 0;
}

/* Makes sums that differ from 1 by at most a tenth of SEED_ALIKE. If shape > 0,
 * the last one differs by three times SEED_ALIKE. */
static int fill_alike(const struct kind *k, struct args *a, struct err *e)
{
	const size_t n = matrix_elements(&a->in[0]);

	(void)e;
	for (size_t i = 0; i < n; i++)
		matrix_set(&a->in[0], i, 1 + 0.1 * SEED_ALIKE *
		           check_random(2, i));
	if (k->shape > 0)
		matrix_set(&a->in[0], n - 1, 1 + 3 * SEED_ALIKE);
	matrix_set(&a->in[1], 0, 1);
	return 0;
}

static const struct kind signs[] = {
	KIND("positive", fill_signed, .shape = 1),
	KIND("negative", fill_signed, .shape = -1),
	KIND("random", fill_random), { 0 }
}, positive[] = {
	KIND("positive", fill_signed, .shape = 1), { 0 }
}, alikes[] = {
	KIND("alike", fill_alike), KIND("one apart", fill_alike, .shape = 1),
	{ 0 }
};

static const struct judge sums[] = {
	{ "error / n eps sum |a|", sums_off, 1 }, { 0 }
}, maxima[] = {
	{ "error", max_off, 0 }, { 0 }
}, updates[] = {
	{ "relative error / eps", update_off, 3 }, { 0 }
}, nexts[] = {
	{ "relative error / eps", next_off, 3 }, { 0 }
}, stops[] = {
	{ "wrong verdicts", stop_off, 0 }, { 0 }
};

/* k is the length of max, 1. */
static const size_t sizes[][3] = {
	{ 1, 0, 1 }, { 2, 0, 1 }, { 3, 0, 1 }, { 5, 0, 1 }, { 10, 0, 1 },
	{ 50, 0, 1 }, { 127, 0, 1 }, { 128, 0, 1 }, { 129, 0, 1 },
	{ 300, 0, 1 }, CHECK_END
};

#define KERNEL(kernel) \
	.what = "article's kernel", .op = "eigen", .itself = &op_##kernel, \
	.sizes = sizes

const struct check_row check_seed_rows[] = {
	{ KERNEL(row_sums), .operands = { "mm" }, .kinds = signs,
	  .judges = sums },
	{ KERNEL(max), .operands = { "m" }, .kinds = signs,
	  .judges = maxima },
	{ KERNEL(update), .operands = { "m", "m", "k" }, .kinds = positive,
	  .judges = updates },
	{ KERNEL(next), .operands = { "mm", "m" }, .kinds = positive,
	  .judges = nexts },
	{ KERNEL(stop), .operands = { "m", "k" }, .kinds = alikes,
	  .judges = stops },
	{ 0 }
};
