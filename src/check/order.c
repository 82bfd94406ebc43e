/* order.c - the rows that test the canonical order of reductions. A reduction
 * must give the bits below on every device, by every variant, in every run and
 * with any number of work-groups. */
#include <math.h>

#include "base/size.h"
#include "check/rows.h"
#include "ops/reduce/reduce.h"

enum { DTYPES_HERE = INT32 + 1 };

/* The results for 20011 elements of fill_telling(), three blocks of the order;
 * docs/reduction-order.md says how to compute them without linalgd. */
static const double bits[REDUCE_OPS][DTYPES_HERE] = {
	[REDUCE_SUM] = { 0x1.8p+18, -0x1.49p-7, -165 },
	[REDUCE_PROD] = { 0x1.4fc656p-19, 0x1.4fc65681a0282p-19, 0 },
	[REDUCE_MIN] = { -0x1.edcp+69, -0x1.edcp+69, -1002 },
	[REDUCE_MAX] = { 0x1.edcp+69, 0x1.edcp+69, 1002 },
	[REDUCE_MEAN] = { 0x1.3a665ep+4, -0x1.0d5e5faa70cefp-21,
	                  -0x1.0e2ff93eccf8p-7 },
	[REDUCE_NORM1] = { 0x1.43ee78p+77, 0x1.43ee7871fc1bap+77, 10018525 },
	[REDUCE_NORM2] = { 0x1.0d9afep+73, 0x1.0d9afe35bb361p+73,
	                   0x1.3f77607fa81a6p+16 },
	[REDUCE_NORMINF] = { 0x1.edcp+69, 0x1.edcp+69, 1002 },
	[REDUCE_ARGMIN] = { 85, 85, 2002 },
	[REDUCE_ARGMAX] = { 19925, 19925, 11999 },
};

/* Returns the number of answers whose bits differ from these. */
static double other_bits(const struct args *a)
{
	const struct reduction r = reduction_of(a);
	const enum dtype t = dtype_is_integer(a->dtype) ? INT32 : a->dtype;
	const double got = matrix_get(r.out, 0), want = bits[r.op][t];

	return got != want;
}

/* Fills the operand with whole numbers times powers of two up to 2^120 apart,
 * which cancel in pairs. Only the rounding errors of a sum remain, and these
 * differ from one order of additions to another. Such numbers are no test for
 * products, so that `prod` gets others. */
static int fill_telling(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *m = &a->in[0];
	const size_t n = matrix_elements(m);
	const bool product = a->param[REDUCE_PARAM_OP] == REDUCE_PROD;

	(void)k;
	(void)e;
	for (size_t i = 0; i < n; i++) {
		const double x = (double)((i + 1) * 7919 % 2003) - 1001.5;

		matrix_set(m, i, dtype_is_integer(m->dtype) ? floor(x) :
		           product ? 1 + ldexp(x, -14) :
		           ldexp(x, (int)(i * 37 % 121) - 60));
	}
	for (size_t i = 0; !product && i < n / 2; i++)
		matrix_set(m, n - 1 - i, -matrix_get(m, i));
	return 0;
}

static void set_groups(int i)
{
	static const size_t counts[] = { 0, 0, 1, 3, 7, 64 };

	reduce_groups = i < 0 ? 0 : counts[i];
}

static const struct kind telling[] = {
	KIND("telling", fill_telling), { 0 }
};
static const struct judge judges[] = {
	{ "answers of other bits", other_bits, 0 }, { 0 }
};
static const size_t length[][3] = { { 20011 }, CHECK_END };

const struct check_row check_order_rows[] = {
	{ .what = "canonical bits", .op = "reduce", .vary = "op",
	  .dtypes = DTYPE_REALS | DTYPE_INTEGERS, .operands = { "m" },
	  .sizes = length, .kinds = telling, .judges = judges,
	  .only = "canonical", .repeats = 6, .repeat = set_groups },
	{ 0 }
};
