/* matmul.c - the rows for C = A B: |C - A B| <= k eps |A| |B| element by
 * element. Where |A| |B| is zero this demands an exact zero. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "check/host.h"
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

/* The error |got - sum| / (k eps size) of one element. NaN and infinity must be
 * where IEEE arithmetic has them. */
static double off(long double sum, long double size, double got, double unit)
{
	if (isnan(sum))
		return isnan(got) ? 0 : INFINITY;
	if (isinf(sum))
		return got == (double)sum ? 0 : INFINITY;
	return host_ratio(got - sum, unit * size);
}

static double worst(const struct args *a, const long double *x,
                    const long double *y)
{
	const struct factor f = factor_of(a, 0), g = factor_of(a, 1);
	const double unit = dtype_epsilon(a->dtype) * (double)f.cols;
	double most = 0;

	for (size_t i = 0; i < f.rows; i++)
		for (size_t j = 0; j < g.cols; j++) {
			long double sum = 0, size = 0;

			for (size_t k = 0; k < f.cols; k++) {
				const long double p =
				    x[i * f.down + k * f.right] *
				    y[k * g.down + j * g.right];

				sum += p;
				size += fabsl(p);
			}
			most = host_worse(off(sum, size,
			    matrix_get(&a->out[0], i * g.cols + j), unit),
			    most);
		}
	return most;
}

static double componentwise(const struct args *a)
{
	long double *x = host_values(&a->in[0], 0);
	long double *y = host_values(&a->in[1], 0);
	const double value = x && y ? worst(a, x, y) : NAN;

	free(x);
	free(y);
	return value;
}

/* Random numbers times 2^-24 to 2^24: only a sum in the full precision keeps
 * the digits of their products. */
static int fill_wide(const struct kind *k, struct args *a, struct err *e)
{
	fill_random(k, a, e);
	for (int o = 0; o < 2; o++)
		for (size_t i = 0; i < matrix_elements(&a->in[o]); i++)
			matrix_set(&a->in[o], i, ldexp(
			    matrix_get(&a->in[o], i),
			    (int)(24 * check_random(9, i + 1000003u * o))));
	return 0;
}

/* Sets whole rows, columns and single elements to zero. */
static int fill_holes(const struct kind *k, struct args *a, struct err *e)
{
	fill_random(k, a, e);
	for (int o = 0; o < 2; o++) {
		const size_t n = matrix_cols(&a->in[o]);

		for (size_t i = 0; i < matrix_elements(&a->in[o]); i++)
			if (i / n % 3 == 1 || i % n % 4 == 2 || i % 7 == 0)
				matrix_set(&a->in[o], i, 0);
	}
	return 0;
}

/* One infinity and one NaN among finite numbers, some of them zero. */
static int fill_nonfinite(const struct kind *k, struct args *a,
                          struct err *e)
{
	const size_t n = matrix_elements(&a->in[0]);

	fill_holes(k, a, e);
	if (n > 1)
		matrix_set(&a->in[0], n / 2, -INFINITY);
	if (matrix_elements(&a->in[1]) > 2)
		matrix_set(&a->in[1], 1, NAN);
	return 0;
}

/* Fills a matrix with whole numbers up to 1000, whose sums fit into int32. */
static int fill_whole(const struct kind *k, struct args *a, struct err *e)
{
	(void)k;
	(void)e;
	for (int o = 0; o < 2; o++)
		for (size_t i = 0; i < matrix_elements(&a->in[o]); i++)
			matrix_set(&a->in[o], i, rint(1000 *
			           check_random(3 + (uint64_t)o, i)));
	return 0;
}

static const struct kind whole_kind[] = {
	KIND("whole numbers", fill_whole), { 0 }
};

static const struct kind kinds[] = {
	KIND("random", fill_random),
	KIND("2^-24 to 2^24", fill_wide),
	KIND("zero rows", fill_holes),
	KIND("NaN and infinity", fill_nonfinite),
	{ 0 }
};

static const struct judge judges[] = {
	{ "|C - AB| / k eps|A||B|", componentwise, 1 }, { 0 }
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
};

const struct check_row check_matmul_rows[] = {
	{ .what = "A B", .op = "matmul", .operands = { "mk", "kn" },
	  .sizes = sizes, .kinds = kinds, .judges = judges },
	{ .what = "A' B", .op = "matmul", .operands = { "km", "kn" },
	  .params = { "transpose_a", "true" }, .sizes = fewer, .kinds = kinds,
	  .judges = judges },
	{ .what = "A B'", .op = "matmul", .operands = { "mk", "nk" },
	  .params = { "transpose_b", "true" }, .sizes = fewer, .kinds = kinds,
	  .judges = judges },
	{ .what = "A' B'", .op = "matmul", .operands = { "km", "nk" },
	  .params = { "transpose_a", "true", "transpose_b", "true" },
	  .sizes = fewer, .kinds = kinds, .judges = judges },
	{ .what = "A x", .op = "matmul", .operands = { "mk", "k" },
	  .sizes = sizes, .kinds = kinds, .judges = judges },
	{ .what = "A B, integers", .op = "matmul", .dtypes = DTYPE_INTEGERS,
	  .operands = { "mk", "kn" }, .sizes = sizes, .kinds = whole_kind,
	  .judges = exactly },
	{ .what = "A' B', integers", .op = "matmul",
	  .dtypes = DTYPE_INTEGERS, .operands = { "km", "nk" },
	  .params = { "transpose_a", "true", "transpose_b", "true" },
	  .sizes = fewer, .kinds = whole_kind, .judges = exactly },
	{ .what = "x' B", .op = "matmul", .operands = { "k", "kn" },
	  .sizes = sizes, .kinds = kinds, .judges = judges },
	{ 0 }
};
