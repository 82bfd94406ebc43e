/* cond.c - the operation cond: the condition number of a matrix, or of every
 * matrix of a stack, by LAPACK on the host. With ord=2, a device can compute
 * the singular values of large matrices.
 *
 * Without `ord` the answer is an estimate of 1 / (|A| |A^-1|) in the 1-norm,
 * as LAPACK's gecon makes it of the factors P A = L U. With ord=2 it is the
 * ratio of the largest to the smallest singular value, with 1, inf or fro
 * |A| |A^-1| in that norm, of the inverse itself.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "ops/dense.h"
#include "ops/lapack/estimate.h"
#include "ops/need.h"
#include "ops/norm/singular.h"
#include "ops/polar/polar.h"

enum { ORD };
enum { ONE, TWO, INF, FRO };
enum { RCOND, COND };

static const char *const ords[] = {
	[ONE] = "1", [TWO] = "2", [INF] = "inf", [FRO] = "fro", NULL
};

/* Returns whether the call's output is `rcond`. */
static bool is_estimate(const struct args *a)
{
	return isnan(a->param[ORD]);
}

static int output_of(const struct args *a)
{
	return is_estimate(a) ? RCOND : COND;
}

static int check(const struct args *a, struct err *e)
{
	const struct matrix *m = &a->in[0];
	char text[MATRIX_SHAPE_TEXT];

	if (a->param[ORD] != TWO && matrix_rows(m) != matrix_cols(m))
		return err_set_at(e, ERR_SHAPE, "/a", "cond: matrix is %s, "
		                  "must be square unless ord is 2",
		                  matrix_shape_text(m, text));
	if (matrix_rows(m) == 0 || matrix_cols(m) == 0)
		return err_set_at(e, ERR_MATHEMATICS, "/a", "cond: matrix is "
		                  "%s: without elements it has no condition "
		                  "number", matrix_shape_text(m, text));
	return dense_check(a, false, e);
}

static int shape(struct args *a, struct err *e)
{
	(void)e;
	dense_shape(a, output_of(a), a->dtype, 0, 0, 0);
	return 0;
}

/* Counts getrf of one matrix, and getri too where the norm of the inverse is
 * needed. */
static double flops_of_one(const struct args *a)
{
	const double m = (double)matrix_rows(&a->in[0]);
	const double n = (double)matrix_cols(&a->in[0]);

	return a->param[ORD] == TWO ? singular_flops(m, n) :
	       (is_estimate(a) ? 2.0 / 3 : 2.0) * n * n * n;
}

static double flops(const struct args *a)
{
	return (double)matrix_stack(&a->in[0]) * flops_of_one(a);
}

static double bytes(const struct args *a)
{
	return (double)matrix_size(&a->in[0]);
}

/* --- norms; they are long double so that their products do not overflow */

enum { WORK = 64 };			/* numbers for every row of A: a block
					 * of getri, and more than gecon's and
					 * those of inverse_norm() */

static bool is_wanted(const struct args *a, int ord)
{
	return a->param[ORD] == ord || (ord == ONE && is_estimate(a));
}

#define LAPACK_BODY "ops/cond/cond_real.h"
#include "ops/lapack/each_type.h"

/* float64's power of two near which the largest element of A leaves its inverse
 * the most room: up to a condition of 1e460 nothing overflows. */
enum { MIDDLE = 512 };

/* The room of a matrix of either type; float64's routines use all of it. */
static size_t room_of(size_t n)
{
	const size_t ld = lapack_ld(n);

	return ((ld + WORK) * n + ld) * sizeof(double) + n * sizeof(int);
}

/* Computes the output of one matrix in its own type or, where the inverse
 * overflows, in float64: the condition itself may be within the type, and is
 * infinite where the inverse overflows again. */
static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const struct args *a = c->a;
	void *const answer = lapack_out(a, output_of(a), index);
	long double x = a->dtype == FLOAT32 ? value_s(c, index, 0, room) :
	                                      value_d(c, index, 0, room);

	if (isnan(x))
		x = value_d(c, index, MIDDLE, room);
	if (isnan(x))
		x = is_estimate(a) ? 0 : INFINITY;
	if (a->dtype == FLOAT32)
		*(float *)answer = (float)x;
	else
		*(double *)answer = (double)x;
	return (struct failure_detail){ .code = ERR_NONE };
}

static double ratio(const double *s, size_t n)
{
	return s[n - 1] > 0 ? s[0] / s[n - 1] : INFINITY;
}

static const struct singular two = { COND, ratio, true };

static int run(struct seq *s, struct args *a)
{
	const size_t n = matrix_cols(&a->in[0]);
	struct lapack_call c = {
		.rows = n, .flops = flops_of_one(a), .operands = 1, .one = one,
		.room = room_of(n),
	};

	if (matrix_stack(&a->in[0]) == 0 ||
	    a->out[output_of(a)].ndim == MATRIX_ABSENT)
		return seq_finish(s);
	return a->param[ORD] == TWO ? singular_run(s, a, &two) :
	                              lapack_run(&c, s, a);
}

static bool polar_fits_call(const struct args *a, const struct sheet *d)
{
	return a->param[ORD] == TWO && dense_has(a, COND) &&
	       singular_polar_fits(a, d);
}

static int run_polar(struct seq *s, struct args *a)
{
	return polar_fits_call(a, seq_sheet(s)) ?
	       singular_polar(s, a, &two) : run(s, a);
}

static void need_polar(const struct args *a, const struct variant *v,
                       const struct sheet *d, struct need *n)
{
	(void)v;
	if (polar_fits_call(a, d))
		singular_polar_need(n, d, a);
}

/* Fills the operand with a circulant matrix that has a dominant diagonal. */
static int sample(struct args *a, size_t n, struct memory_pool *pool,
                  struct err *e)
{
	struct matrix *m = &a->in[0];

	*m = (struct matrix){ .dtype = a->dtype, .ndim = 2, .dim = { n, n } };
	if (matrix_alloc(m, pool, e) < 0)
		return -1;
	for (size_t i = 0; i < n * n; i++)
		matrix_set(m, i, i % (n + 1) == 0 ? (double)n :
		           1.0 / (double)(1 + (i % n + n - i / n) % n));
	return 0;
}

const struct op op_cond = {
	.name = "cond",
	.summary = "the condition number of a matrix, or of every matrix of a "
	           "stack",
	.details = "Without ord the answer is rcond, an estimate of the "
	           "reciprocal condition number in the 1-norm as LAPACK's "
	           "gecon makes it: seldom more than three times too large, "
	           "and 0 for a singular matrix. With ord it is cond, infinity "
	           "for a singular matrix.",
	.dtypes = DTYPE_REALS,
	.inputs = (const struct operand[]){
		{ "a", "the matrix, square unless ord is 2, or a stack of "
		  "them", 2, false, DENSE },
		{ 0 }
	},
	.params = (const struct param[]){
		[ORD] = {
			.name = "ord", .type = PARAM_CHOICE, .fallback = NAN,
			.choices = ords, .help = "the norm that cond is taken "
			        "in; without it rcond is estimated",
		},
		{ 0 }
	},
	.outputs = (const struct output[]){
		[RCOND] = { "rcond", "1 / (|A| |A^-1|) in the 1-norm, "
		  "estimated; without ord", false },
		[COND] = { "cond", "the condition number; with ord", false },
		{ 0 }
	},
	.variants = (const struct variant[]){
		{ "polar", 0, DEVICE_GPU, DTYPE_REALS, POLAR_KERNELS,
		  "linalgd", run_polar, .need = need_polar },
		{ "host", 0, DEVICE_CPU | DEVICE_GPU | DEVICE_OTHER,
		  DTYPE_REALS, "", "LAPACK", run, .need = NULL },
		{ 0 }
	},
	.check = check,
	.shape = shape,
	.flops = flops,
	.bytes = bytes,
	.describe = singular_describe,
	.sample = sample,
};
