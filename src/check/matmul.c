/* matmul.c - the rows for C = A B: |C - A B| <= k eps |A| |B| element by
 * element. Where |A| |B| is zero this demands an exact zero. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "check/host.h"
#include "check/matmul_kinds.h"
#include "check/rows.h"
#include "ops/matmul/product.h"

/* A factor, whose element (i, j) is at index i down + j right. */
struct factor {
	size_t rows, cols, down, right;
};

/* The operand as a factor: a vector is a row on the left, a column on the
 * right. */
static struct factor factor_of(const struct args *a, int i)
{
	const struct matrix *m = &a->in[i];
	const size_t n = m->dim[m->ndim - 1];

	if (m->ndim == 1)
		return i == 0 ? (struct factor){ 1, n, 0, 1 } :
		                (struct factor){ n, 1, 1, 0 };
	if (a->param[i == 0 ? MATMUL_TRANSPOSE_A : MATMUL_TRANSPOSE_B] != 0)
		return (struct factor){ n, m->dim[0], 1, n };
	return (struct factor){ m->dim[0], n, n, 1 };
}

/* The error |got - sum| / (unit size) of one element. NaN and infinity must be
 * where IEEE arithmetic has them. */
static double off(long double sum, long double size, double got, double unit)
{
	if (isnan(sum))
		return isnan(got) ? 0 : INFINITY;
	if (isinf(sum))
		return got == (double)sum ? 0 : INFINITY;
	return host_ratio(got - sum, unit * size);
}

/* An error is measured in units of `unit` (|A| |B|)_ij, or, with `norms`, of
 * `unit` |a_i| |b_j|, the 2-norms of the row and the column. Elements in every
 * down-th row and every right-th column are looked at. */
struct measure {
	double unit;
	bool norms;
	size_t down, right;
};

static double error_of(const struct args *a, const long double *x,
                       const long double *y, const struct measure *m, size_t i,
                       size_t j)
{
	const struct factor f = factor_of(a, 0), g = factor_of(a, 1);
	long double sum = 0, size = 0, row = 0, column = 0;

	for (size_t k = 0; k < f.cols; k++) {
		const long double u = x[i * f.down + k * f.right];
		const long double v = y[k * g.down + j * g.right];

		sum += u * v;
		size += fabsl(u * v);
		row += u * u;
		column += v * v;
	}
	if (m->norms)
		size = sqrtl(row) * sqrtl(column);
	return off(sum, size, matrix_get(&a->out[0], i * g.cols + j), m->unit);
}

static double worst(const struct args *a, const long double *x,
                    const long double *y, const struct measure *m)
{
	const struct factor f = factor_of(a, 0), g = factor_of(a, 1);
	double most = 0;

	for (size_t i = 0; i < f.rows; i += m->down)
		for (size_t j = 0; j < g.cols; j += m->right)
			most = host_worse(error_of(a, x, y, m, i, j), most);
	return most;
}

static double measured(const struct args *a, const struct measure *m)
{
	long double *x = host_values(&a->in[0], 0);
	long double *y = host_values(&a->in[1], 0);
	const double value = x && y ? worst(a, x, y, m) : NAN;

	free(x);
	free(y);
	return value;
}

static double componentwise(const struct args *a)
{
	const double k = (double)factor_of(a, 0).cols;

	return measured(a, &(struct measure){
		k * dtype_epsilon(a->dtype), .down = 1, .right = 1 });
}

/* The measure of some 64 rows and columns, which begin with the first. */
static struct measure of_some(const struct args *a, double unit, bool norms)
{
	return (struct measure){ unit, norms, factor_of(a, 0).rows / 64 + 1,
	                         factor_of(a, 1).cols / 64 + 1 };
}

/* By the size that errors have if each rounding is as likely up as down. */
static double sampled(const struct args *a)
{
	const struct measure m = of_some(a, sqrt((double)factor_of(a, 0).cols) *
	                                 dtype_epsilon(a->dtype), false);

	return measured(a, &m);
}

/* As sampled(), by the error that rounding both operands to 11 bits makes. */
static double sampled_of_11_bits(const struct args *a)
{
	const struct measure m = of_some(a, 0x1p-10, false);

	return measured(a, &m);
}

/* By the bound that the answer tells. */
static double sampled_of_told(const struct args *a)
{
	const struct measure m = of_some(a, a->verdict.error_bound, true);

	return measured(a, &m);
}

static const struct judge judges[] = {
	{ "|C - AB| / k eps|A||B|", componentwise, 1 }, { 0 }
}, strict[] = {
	{ "|C - AB| / sqrt(k) eps|A||B|", sampled, 1 }, { 0 }
}, by_11_bits[] = {
	{ "|C - AB| / 2^-10 |A||B|", sampled_of_11_bits, 1 }, { 0 }
}, by_told[] = {
	{ "|C - AB| / error_bound|a||b|", sampled_of_told, 1 }, { 0 }
}, exactly_sampled[] = {
	{ "C = AB, exactly", sampled, 0 }, { 0 }
}, exactly[] = {
	{ "C = AB, exactly", componentwise, 0 }, { 0 }
};

static const size_t sizes[][3] = {
	{ 0, 0, 0 }, { 0, 3, 2 }, { 2, 3, 0 }, { 1, 1, 1 }, { 2, 2, 2 },
	{ 3, 3, 3 }, { 5, 5, 5 }, { 10, 10, 10 }, { 50, 50, 50 },
	{ 1, 129, 50 }, { 129, 1, 3 }, { 3, 5, 300 }, { 64, 63, 65 },
	{ 127, 128, 129 }, { 129, 127, 128 }, { 300, 20, 129 },
	{ 128, 300, 127 }, CHECK_END
}, fewer[][3] = {
	{ 1, 1, 1 }, { 2, 3, 5 }, { 10, 50, 3 }, { 65, 33, 17 },
	{ 127, 129, 128 }, CHECK_END
}, medium[][3] = {
	{ 130, 140, 150 }, CHECK_END
}, large[][3] = {		/* by pairs of float16, where they are known */
	{ 1999, 2111, 2050 }, CHECK_END
}, larger[][3] = {		/* by halves, where they are known */
	{ 4099, 4001, 2111 }, CHECK_END
}, huge[][3] = {		/* by residues, where they are known */
	{ 3501, 3333, 3257 }, CHECK_END
};

const struct check_row check_matmul_rows[] = {
	{ .what = "A B", .op = "matmul", .operands = { "mk", "kn" },
	  .sizes = sizes, .kinds = matmul_kinds, .judges = judges },
	{ .what = "A B, hard", .op = "matmul", .operands = { "mk", "kn" },
	  .sizes = medium, .kinds = matmul_hard_kinds,
	  .judges = strict },
	{ .what = "A B, large", .op = "matmul", .operands = { "mk", "kn" },
	  .sizes = large, .kinds = matmul_hard_kinds, .judges = strict,
	  .only = "tensor" },
	{ .what = "A' B', large", .op = "matmul", .operands = { "km", "nk" },
	  .params = { "transpose_a", "true", "transpose_b", "true" },
	  .sizes = large, .kinds = check_random_kinds, .judges = strict,
	  .only = "tensor" },
	{ .what = "A B, tf32", .op = "matmul", .dtypes = DTYPE_BIT(FLOAT32),
	  .operands = { "mk", "kn" }, .params = { "precision", "tf32" },
	  .sizes = larger, .kinds = matmul_hard_kinds, .judges = by_11_bits,
	  .only = "tensor" },
	{ .what = "A' B', tf32", .op = "matmul", .dtypes = DTYPE_BIT(FLOAT32),
	  .operands = { "km", "nk" },
	  .params = { "transpose_a", "true", "transpose_b", "true",
	              "precision", "tf32" },
	  .sizes = larger, .kinds = check_random_kinds, .judges = by_11_bits,
	  .only = "tensor" },
	{ .what = "A B, tf32, small", .op = "matmul",
	  .dtypes = DTYPE_BIT(FLOAT32), .operands = { "mk", "kn" },
	  .params = { "precision", "tf32" }, .sizes = medium,
	  .kinds = matmul_hard_kinds, .judges = by_11_bits,
	  .only = "tensor" },
	{ .what = "A' B", .op = "matmul", .operands = { "km", "kn" },
	  .params = { "transpose_a", "true" }, .sizes = fewer,
	  .kinds = matmul_kinds, .judges = judges },
	{ .what = "A B'", .op = "matmul", .operands = { "mk", "nk" },
	  .params = { "transpose_b", "true" }, .sizes = fewer,
	  .kinds = matmul_kinds, .judges = judges },
	{ .what = "A B, float64", .op = "matmul", .dtypes = DTYPE_BIT(FLOAT64),
	  .operands = { "mk", "kn" }, .sizes = huge, .kinds = matmul_wide_kinds,
	  .judges = strict, .only = "tensor" },
	{ .what = "A B, fast", .op = "matmul",
	  .operands = { "mk", "kn" }, .params = { "precision", "fast" },
	  .sizes = medium, .kinds = matmul_hard_kinds, .judges = by_told },
	{ .what = "A B, fast, large", .op = "matmul",
	  .dtypes = DTYPE_BIT(FLOAT64), .operands = { "mk", "kn" },
	  .params = { "precision", "fast" }, .sizes = huge,
	  .kinds = matmul_wide_kinds, .judges = by_told, .only = "tensor" },
	{ .what = "A' B', float64", .op = "matmul",
	  .dtypes = DTYPE_BIT(FLOAT64), .operands = { "km", "nk" },
	  .params = { "transpose_a", "true", "transpose_b", "true" },
	  .sizes = huge, .kinds = matmul_whole_kind, .judges = exactly_sampled,
	  .only = "tensor" },
	{ .what = "A' B'", .op = "matmul", .operands = { "km", "nk" },
	  .params = { "transpose_a", "true", "transpose_b", "true" },
	  .sizes = fewer, .kinds = matmul_kinds, .judges = judges },
	{ .what = "A x", .op = "matmul", .operands = { "mk", "k" },
	  .sizes = sizes, .kinds = matmul_kinds, .judges = judges },
	{ .what = "A B, integers", .op = "matmul", .dtypes = DTYPE_INTEGERS,
	  .operands = { "mk", "kn" }, .sizes = sizes,
	  .kinds = matmul_whole_kind, .judges = exactly },
	{ .what = "A' B', integers", .op = "matmul",
	  .dtypes = DTYPE_INTEGERS, .operands = { "km", "nk" },
	  .params = { "transpose_a", "true", "transpose_b", "true" },
	  .sizes = fewer, .kinds = matmul_whole_kind, .judges = exactly },
	{ .what = "x' B", .op = "matmul", .operands = { "k", "kn" },
	  .sizes = sizes, .kinds = matmul_kinds, .judges = judges },
	{ 0 }
};
