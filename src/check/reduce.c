/* reduce.c - the rows for reduce: all lengths, every axis, ties, NaN,
 * cancellation, and numbers whose squares overflow. */
#include <math.h>
#include <stdint.h>

#include "check/line.h"
#include "check/rows.h"
#include "ops/reduce/reduce.h"

enum { FACTORS_APART = 6007 };	/* few of 300007 elements are not 1 */

/* Fills m with integers whose product fits into int64. */
static void fill_factors(struct matrix *m)
{
	for (size_t i = 0; i < matrix_elements(m); i++)
		matrix_set(m, i, i % FACTORS_APART == 3 ? -2 :
		           i % 3 ? 1 : -1);
}

/* Fills the operand with numbers of both signs and magnitudes from 2^-20 to
 * 2^20; for `prod`, with numbers whose product stays near 1. */
static int fill_spread(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *m = &a->in[0];
	const bool near_one = a->param[REDUCE_PARAM_OP] == REDUCE_PROD;
	const bool whole = dtype_is_integer(m->dtype);

	fill_random(k, a, e);
	if (whole && near_one)
		fill_factors(m);
	for (size_t i = 0; !whole && i < matrix_elements(m); i++) {
		const double x = matrix_get(m, i);

		matrix_set(m, i, near_one ? 1 + 1e-4 * x :
		           ldexp(x, (int)(20 * check_random(5, i))));
	}
	return 0;
}

/* Fills the operand with random numbers whose first and last thirds are large
 * and cancel. The sum is 2^50 times smaller than its terms, in float32 2^20
 * times. */
static int fill_cancelling(const struct kind *k, struct args *a,
                           struct err *e)
{
	struct matrix *m = &a->in[0];
	const size_t n = matrix_elements(m) / 3;
	const double by = m->dtype == FLOAT32 ? 0x1p20 : 0x1p50;

	fill_random(k, a, e);
	for (size_t i = 0; i < n; i++) {
		matrix_set(m, i, by * matrix_get(m, i));
		matrix_set(m, 3 * n - 1 - i, -matrix_get(m, i));
	}
	return 0;
}

/* Fills the operand with numbers whose squares overflow, or underflow. */
static int fill_huge(const struct kind *k, struct args *a, struct err *e)
{
	const double by = a->dtype == FLOAT32 ? 0x1p100 : 0x1p900;

	fill_random(k, a, e);
	for (size_t i = 0; i < matrix_elements(&a->in[0]); i++)
		matrix_set(&a->in[0], i, matrix_get(&a->in[0], i) *
		           (k->range > 0 ? by : 1 / by));
	return 0;
}

/* Fills the operand with few different values, so that argmin and argmax must
 * return the index of the first of equal elements. */
static int fill_ties(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *m = &a->in[0];

	(void)k;
	(void)e;
	if (dtype_is_integer(m->dtype) &&
	    a->param[REDUCE_PARAM_OP] == REDUCE_PROD) {
		fill_factors(m);
		return 0;
	}
	for (size_t i = 0; i < matrix_elements(m); i++)
		matrix_set(m, i, rint(3 * check_random(8, i)));
	return 0;
}

/* Sets two elements to NaN, if the type has NaN. */
static int fill_nan(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *m = &a->in[0];
	const size_t n = matrix_elements(m);

	fill_ties(k, a, e);
	if (dtype_is_integer(m->dtype) || n < 2)
		return 0;
	matrix_set(m, n / 2, NAN);
	matrix_set(m, n - 1, NAN);
	return 0;
}

/* Fills the operand with integers of up to 62 bits whose sum is small; for
 * `prod`, with integers whose product fits into int64. */
static int fill_wide(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *m = &a->in[0];
	const size_t n = matrix_elements(m);
	int64_t *v = matrix_data(m);

	(void)k;
	(void)e;
	for (size_t i = 0; i < n; i++)
		v[i] = (int64_t)(check_random(9, i) * 0x1p61) + (int64_t)i;
	for (size_t i = 0; i < n / 2; i++)
		v[n - 1 - i] = (int64_t)(i % 7) - v[i];
	if (a->param[REDUCE_PARAM_OP] == REDUCE_PROD)
		fill_factors(m);
	return 0;
}

/* Fills the operand with integers whose sum and product overflow int64. */
static int fill_beyond(const struct kind *k, struct args *a, struct err *e)
{
	int64_t *v = matrix_data(&a->in[0]);

	fill_wide(k, a, e);
	for (size_t i = 0; i < matrix_elements(&a->in[0]); i++)
		v[i] = i % 97 == 0 ? INT64_MAX : 1;
	return 0;
}

static const struct kind spread[] = {
	KIND("2^-20 to 2^20", fill_spread), KIND("ties", fill_ties),
	KIND("NaN", fill_nan), { 0 }
}, cancelling[] = {
	KIND("cancelling", fill_cancelling), { 0 }
}, extremes[] = {
	KIND("huge", fill_huge, .range = 1),
	KIND("tiny", fill_huge, .range = -1),
	{ 0 }
};

static const struct judge loose[] = {
	{ "error / any order's", line_any_order, 1 }, { 0 }
}, tight[] = {
	{ "error / promised", line_promised, 1 }, { 0 }
};

static const struct kind wide[] = {
	KIND("62 bits", fill_wide), { 0 }
}, beyond[] = {
	KIND("beyond int64", fill_beyond), { 0 }
};

static const struct judge whole[] = {
	{ "wrong integers", line_wrong_integers, 0 }, { 0 }
};

static const size_t lengths[][3] = {
	{ 1 }, { 2 }, { 3 }, { 5 }, { 10 }, { 50 }, { 127 }, { 128 }, { 129 },
	{ 300 }, { 8193 }, { 50021 }, CHECK_END
}, more[][3] = {
	{ 1 }, { 2 }, { 3 }, { 31 }, { 32 }, { 33 }, { 255 }, { 256 }, { 257 },
	{ 8191 }, { 8192 }, { 8193 }, { 20011 }, { 300007 }, CHECK_END
}, matrices[][3] = {
	{ 1, 1 }, { 2, 3 }, { 5, 1 }, { 1, 5 }, { 10, 50 }, { 129, 31 },
	{ 33, 128 }, { 300, 127 }, CHECK_END
}, long_ones[][3] = {
	{ 98 }, { 300 }, { 8193 }, { 20011 }, { 300007 }, CHECK_END
}, nothing[][3] = { { 0 }, CHECK_END };

#define ANY (DTYPE_REALS | DTYPE_INTEGERS)
#define CANONICAL "canonical"

const struct check_row check_reduce_rows[] = {
	{ .what = "any length", .op = "reduce", .vary = "op", .dtypes = ANY,
	  .operands = { "m" }, .sizes = lengths, .kinds = spread,
	  .judges = loose },
	{ .what = "columns", .op = "reduce", .vary = "op", .dtypes = ANY,
	  .params = { "axis", "0" }, .operands = { "mn" },
	  .sizes = matrices, .kinds = spread, .judges = loose },
	{ .what = "rows", .op = "reduce", .vary = "op", .dtypes = ANY,
	  .params = { "axis", "1" }, .operands = { "mn" },
	  .sizes = matrices, .kinds = spread, .judges = loose },
	{ .what = "nothing", .op = "reduce", .dtypes = ANY,
	  .params = { "op", "sum" }, .operands = { "m" }, .sizes = nothing,
	  .kinds = spread, .judges = loose },
	{ .what = "nothing", .op = "reduce", .dtypes = ANY,
	  .params = { "op", "prod" }, .operands = { "m" }, .sizes = nothing,
	  .kinds = spread, .judges = loose },
	{ .what = "nothing", .op = "reduce", .dtypes = ANY,
	  .params = { "op", "max" }, .operands = { "m" }, .sizes = nothing,
	  .kinds = spread, .refusal = ERR_MATHEMATICS },
	{ .what = "norm2 of extremes", .op = "reduce",
	  .params = { "op", "norm2" }, .operands = { "m" },
	  .sizes = lengths, .kinds = extremes, .judges = loose },
	{ .what = "integers of 64 bits", .op = "reduce", .vary = "op",
	  .dtypes = DTYPE_BIT(INT64), .operands = { "m" }, .sizes = more,
	  .kinds = wide, .judges = whole },
	{ .what = "sums beyond int64", .op = "reduce",
	  .dtypes = DTYPE_BIT(INT64), .params = { "op", "sum" },
	  .operands = { "m" }, .sizes = long_ones, .kinds = beyond,
	  .refusal = ERR_MATHEMATICS },
	{ .what = "products beyond int64", .op = "reduce",
	  .dtypes = DTYPE_BIT(INT64), .params = { "op", "prod" },
	  .operands = { "m" }, .sizes = long_ones, .kinds = beyond,
	  .refusal = ERR_MATHEMATICS },
	{ .what = "any length", .op = "reduce", .vary = "op", .dtypes = ANY,
	  .operands = { "m" }, .sizes = more, .kinds = spread,
	  .judges = tight, .only = CANONICAL },
	{ .what = "cancelling sums", .op = "reduce",
	  .params = { "op", "sum" }, .operands = { "m" },
	  .sizes = more, .kinds = cancelling, .judges = tight,
	  .only = CANONICAL },
	{ 0 }
};
