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

/* A number of the standard normal distribution. */
static double normal(uint64_t seed, uint64_t place)
{
	const double u = (1 + check_random(seed, 2 * place)) / 2;
	const double v = (1 + check_random(seed, 2 * place + 1)) / 2;

	return sqrt(-2 * log(fmax(u, 0x1p-60))) * cos(2 * M_PI * v);
}

/* Numbers as the papers on emulated products use them (Ootomo, Ozaki and
 * Yokota, 2024): uniform in (-1/2, 1/2), times e^(phi N), with phi in
 * k->hardness. */
static int fill_phi(const struct kind *k, struct args *a, struct err *e)
{
	fill_random(k, a, e);
	for (int o = 0; o < 2; o++)
		for (size_t i = 0; i < matrix_elements(&a->in[o]); i++)
			matrix_set(&a->in[o], i, matrix_get(&a->in[o], i) / 2 *
			           exp(k->hardness * normal(
			               11 + (uint64_t)o, i)));
	return 0;
}

/* Multiplies element (i, p) of A by 2^e and divides element (p, j) of B by it,
 * e = -k->range to k->range: by p if k->shape is 1,
 * else by i and by j. */
static int fill_graded(const struct kind *k, struct args *a, struct err *e)
{
	const int span = 2 * k->range + 1;

	fill_random(k, a, e);
	for (int o = 0; o < 2; o++) {
		const size_t n = matrix_cols(&a->in[o]);
		const bool by_row = (o == 0) == (k->shape == 0);

		for (size_t i = 0; i < matrix_elements(&a->in[o]); i++) {
			const size_t line = by_row ? i / n : i % n;
			const int power = (int)(line * 7 % (size_t)span) -
			                  k->range;

			matrix_set(&a->in[o], i, ldexp(
			    matrix_get(&a->in[o], i), o ? -power : power));
		}
	}
	return 0;
}

/* One element of A that is 2^k->range times as large as the others, against one
 * of B that is as much smaller. */
static int fill_huge(const struct kind *k, struct args *a, struct err *e)
{
	fill_random(k, a, e);
	for (int o = 0; o < 2; o++)
		if (matrix_elements(&a->in[o]) > 0)
			matrix_set(&a->in[o], 0, ldexp(
			    matrix_get(&a->in[o], 0),
			    o ? -k->range : k->range));
	return 0;
}

/* Lower times upper triangular. */
static int fill_triangles(const struct kind *k, struct args *a,
                          struct err *e)
{
	fill_random(k, a, e);
	for (int o = 0; o < 2; o++) {
		const size_t n = matrix_cols(&a->in[o]);

		for (size_t i = 0; i < matrix_elements(&a->in[o]); i++)
			if (o ? i / n > i % n : i / n < i % n)
				matrix_set(&a->in[o], i, 0);
	}
	return 0;
}

/* Positive numbers, whose products do not cancel. */
static int fill_positive(const struct kind *k, struct args *a, struct err *e)
{
	fill_random(k, a, e);
	for (int o = 0; o < 2; o++)
		for (size_t i = 0; i < matrix_elements(&a->in[o]); i++)
			matrix_set(&a->in[o], i,
			           fabs(matrix_get(&a->in[o], i)));
	return 0;
}

/* Denormal numbers of float32 times large ones. */
static int fill_denormal(const struct kind *k, struct args *a, struct err *e)
{
	fill_random(k, a, e);
	for (int o = 0; o < 2; o++)
		for (size_t i = 0; i < matrix_elements(&a->in[o]); i++)
			matrix_set(&a->in[o], i, ldexp(
			    matrix_get(&a->in[o], i), o ? 30 : -135));
	return 0;
}

/* A NaN in the first row of A, an infinity in the first column of B. */
static int fill_first(const struct kind *k, struct args *a, struct err *e)
{
	fill_random(k, a, e);
	if (matrix_elements(&a->in[0]) > 0)
		matrix_set(&a->in[0], matrix_cols(&a->in[0]) / 2, NAN);
	if (matrix_elements(&a->in[1]) > 0)
		matrix_set(&a->in[1], 0, INFINITY);
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

/* What pairs of float16 cannot represent, or not well. */
static const struct kind hard_kinds[] = {
	KIND("random", fill_random),
	KIND("positive", fill_positive),
	KIND("phi 1", fill_phi, .hardness = 1),
	KIND("phi 2", fill_phi, .hardness = 2),
	KIND("phi 4", fill_phi, .hardness = 4),
	KIND("rows times 2^-60 to 2^60", fill_graded, .range = 60),
	KIND("k times 2^-40 to 2^40", fill_graded, .range = 40, .shape = 1),
	KIND("k times 2^-20 to 2^20", fill_graded, .range = 20, .shape = 1),
	KIND("one element 2^30 larger", fill_huge, .range = 30),
	KIND("triangular", fill_triangles),
	KIND("denormal", fill_denormal),
	KIND("one NaN, one infinity", fill_first),
	{ 0 }
};

/* What residues cannot represent, or not with few moduli. */
static const struct kind wide_kinds[] = {
	KIND("random", fill_random),
	KIND("positive", fill_positive),
	KIND("phi 1", fill_phi, .hardness = 1),
	KIND("phi 2", fill_phi, .hardness = 2),
	KIND("phi 4", fill_phi, .hardness = 4),
	KIND("rows times 2^-500 to 2^500", fill_graded, .range = 500),
	KIND("k times 2^-20 to 2^20", fill_graded, .range = 20, .shape = 1),
	KIND("one element 2^200 larger", fill_huge, .range = 200),
	KIND("zero rows", fill_holes),
	KIND("triangular", fill_triangles),
	KIND("one NaN, one infinity", fill_first),
	{ 0 }
};

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
	  .sizes = sizes, .kinds = kinds, .judges = judges },
	{ .what = "A B, hard", .op = "matmul", .operands = { "mk", "kn" },
	  .sizes = medium, .kinds = hard_kinds, .judges = strict },
	{ .what = "A B, large", .op = "matmul", .operands = { "mk", "kn" },
	  .sizes = large, .kinds = hard_kinds, .judges = strict,
	  .only = "tensor" },
	{ .what = "A' B', large", .op = "matmul", .operands = { "km", "nk" },
	  .params = { "transpose_a", "true", "transpose_b", "true" },
	  .sizes = large, .kinds = check_random_kinds, .judges = strict,
	  .only = "tensor" },
	{ .what = "A B, tf32", .op = "matmul", .dtypes = DTYPE_BIT(FLOAT32),
	  .operands = { "mk", "kn" }, .params = { "precision", "tf32" },
	  .sizes = larger, .kinds = hard_kinds, .judges = by_11_bits,
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
	  .kinds = hard_kinds, .judges = by_11_bits, .only = "tensor" },
	{ .what = "A' B", .op = "matmul", .operands = { "km", "kn" },
	  .params = { "transpose_a", "true" }, .sizes = fewer, .kinds = kinds,
	  .judges = judges },
	{ .what = "A B'", .op = "matmul", .operands = { "mk", "nk" },
	  .params = { "transpose_b", "true" }, .sizes = fewer, .kinds = kinds,
	  .judges = judges },
	{ .what = "A B, float64", .op = "matmul", .dtypes = DTYPE_BIT(FLOAT64),
	  .operands = { "mk", "kn" }, .sizes = huge, .kinds = wide_kinds,
	  .judges = strict, .only = "tensor" },
	{ .what = "A B, fast", .op = "matmul",
	  .operands = { "mk", "kn" }, .params = { "precision", "fast" },
	  .sizes = medium, .kinds = hard_kinds, .judges = by_told },
	{ .what = "A B, fast, large", .op = "matmul",
	  .dtypes = DTYPE_BIT(FLOAT64), .operands = { "mk", "kn" },
	  .params = { "precision", "fast" }, .sizes = huge,
	  .kinds = wide_kinds, .judges = by_told, .only = "tensor" },
	{ .what = "A' B', float64", .op = "matmul",
	  .dtypes = DTYPE_BIT(FLOAT64), .operands = { "km", "nk" },
	  .params = { "transpose_a", "true", "transpose_b", "true" },
	  .sizes = huge, .kinds = whole_kind, .judges = exactly_sampled,
	  .only = "tensor" },
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
