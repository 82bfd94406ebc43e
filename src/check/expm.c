/* expm.c - exponentials of matrices, compared with Taylor's series in long
 * double. The real matrix [A -B; B A] stands for a complex matrix A + i B: its
 * exponential stands in the same way for e^(A + i B). */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "check/host.h"
#include "check/rows.h"

static void multiply(const long double *a, const long double *b, size_t n,
                     long double *c)
{
	for (size_t i = 0; i < n * n; i++)
		c[i] = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			for (size_t j = 0; j < n; j++)
				c[i * n + j] += a[i * n + k] * b[k * n + j];
}

enum {
	POWERS = 5,			/* a to a^5 */
	TERMS = POWERS * POWERS		/* 4^-25 / 25! is below 2^-113 */
};

/* Computes sum = the first TERMS terms of e^a by Paterson and Stockmeyer's
 * method: their sum is a polynomial in a^5, whose coefficients are polynomials
 * in a. a has room for its powers, one after the other; next is workspace. */
static void add_terms(long double *a, size_t n, long double *sum,
                      long double *next)
{
	const size_t size = n * n;
	long double factor[TERMS] = { 1 };

	for (int k = 1; k < TERMS; k++)
		factor[k] = factor[k - 1] / k;
	for (size_t p = 1; p < POWERS; p++)
		multiply(a + (p - 1) * size, a, n, a + p * size);
	for (size_t i = 0; i < size; i++)
		next[i] = 0;
	for (int k = TERMS - POWERS; k >= 0; k -= POWERS) {
		for (size_t i = 0; i < size; i++) {
			sum[i] = next[i];
			for (int p = POWERS - 1; p > 0; p--)
				sum[i] += factor[k + p] *
				          a[(size_t)(p - 1) * size + i];
			sum[i] += i % (n + 1) == 0 ? factor[k] : 0;
		}
		if (k > 0)
			multiply(sum, a + (POWERS - 1) * size, n, next);
	}
}

/* Computes sum = e^a. It sums Taylor's series of 2^-s a, where |2^-s a| <= 1/4,
 * and squares the sum s times. a is overwritten, and has room as for
 * add_terms(); next is workspace. */
static void exponentiate(long double *a, size_t n, long double *sum,
                         long double *next)
{
	int s = 0;

	frexpl(host_norm1(a, n, n), &s);
	s = s + 2 > 0 ? s + 2 : 0;
	for (size_t i = 0; i < n * n; i++)
		a[i] = ldexpl(a[i], -s);
	add_terms(a, n, sum, next);
	while (s-- > 0) {
		multiply(sum, sum, n, next);
		for (size_t i = 0; i < n * n; i++)
			sum[i] = next[i];
	}
}

/* Returns element i of matrix `index` of a stack or, if that is complex, of the
 * real matrix that stands for it. n is the order of the matrix that has the
 * element. */
static double element(const struct matrix *m, size_t index, size_t i, size_t n)
{
	const size_t rows = matrix_cols(m), row = i / n, column = i % n;
	const size_t at = index * rows * rows + row % rows * rows +
	                  column % rows;
	const bool same = row / rows == column / rows;

	return same ? matrix_get(m, at) :
	       (row < column ? -1 : 1) * matrix_get_imaginary(m, at);
}

/* Returns |X - e^A| / (n eps (1 + |A|) |e^A|) in the 1-norm. The factor 1 + |A|
 * stands for the condition number of e^A, which is at least |A| and is of this
 * order for matrices that are near normal. */
static double one(long double *a, const struct matrix *x, size_t index,
                  size_t n, long double *room, double eps)
{
	const long double size = 1 + host_norm1(a, n, n);
	long double *want = room, *error = want + n * n, norm;

	exponentiate(a, n, want, error);
	norm = host_norm1(want, n, n);
	for (size_t i = 0; i < n * n; i++)
		error[i] = element(x, index, i, n) - want[i];
	return host_ratio(host_norm1(error, n, n), (double)n * eps * size *
	                                           norm);
}

static double forward(const struct args *a)
{
	const struct matrix *m = &a->in[0];
	const size_t n = (dtype_is_complex(m->dtype) ? 2 : 1) * matrix_cols(m);
	long double *room = calloc((POWERS + 2) * n * n + 1, sizeof *room);
	double worst = room ? 0 : NAN;

	for (size_t i = 0; room && i < matrix_stack(m); i++) {
		for (size_t k = 0; k < n * n; k++)
			room[k] = element(m, i, k, n);
		worst = host_worse(worst, one(room, &a->out[0], i, n,
		    room + POWERS * n * n, dtype_epsilon(m->dtype)));
	}
	free(room);
	return worst;
}

/* Fills an n x n matrix with random numbers times 2^shape / n. */
static int fill_scaled(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *m = &a->in[0];

	fill_random(k, a, e);
	for (size_t i = 0; i < matrix_elements(m); i++)
		matrix_set(m, i, ldexp(matrix_get(m, i), k->shape) /
		                 (double)matrix_cols(m));
	return 0;
}

/* Fills an upper triangular matrix if range > 0, else a lower one. */
static int fill_triangle(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *m = &a->in[0];
	const size_t n = matrix_cols(m);

	fill_random(k, a, e);
	for (size_t i = 0; i < matrix_elements(m); i++) {
		const size_t row = i / n % n, column = i % n;

		if (k->range > 0 ? column < row : column > row)
			matrix_set(m, i, 0);
	}
	return 0;
}

static int fill_skew(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *m = &a->in[0];
	const size_t n = matrix_cols(m);

	fill_random(k, a, e);
	for (size_t i = 0; i < matrix_elements(m); i++) {
		const size_t row = i / n % n, column = i % n;
		const size_t other = i - row * n - column + column * n + row;

		if (column >= row)
			matrix_set(m, i, column == row ? 0 :
			           -matrix_get(m, other));
	}
	return 0;
}

/* Fills a triangle or a scaled matrix, and adds a random imaginary part to each
 * element whose real part is not 0. */
static int fill_complex(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *m = &a->in[0];
	int rc = k->range ? fill_triangle(k, a, e) : fill_scaled(k, a, e);

	for (size_t i = 0; i < matrix_elements(m); i++) {
		const double re = matrix_get(m, i);

		matrix_set_complex(m, i, re, 2 * re * check_random(2, i));
	}
	return rc;
}

/* Fills in i times a real symmetric matrix, whose exponential is unitary. */
static int fill_imaginary(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *m = &a->in[0];
	const size_t n = matrix_cols(m);

	(void)k;
	(void)e;
	for (size_t i = 0; i < matrix_elements(m); i++) {
		const size_t row = i / n % n, column = i % n;

		matrix_set_complex(m, i, 0, check_random(1,
		    row < column ? row * n + column : column * n + row));
	}
	return 0;
}

static const struct kind kinds[] = {
	KIND("tiny", fill_scaled, .shape = -30),
	KIND("small", fill_scaled, .shape = -4),
	KIND("below 1", fill_scaled, .shape = -1),
	KIND("near 1", fill_scaled), KIND("near 2", fill_scaled, .shape = 2),
	KIND("larger", fill_scaled, .shape = 5),
	KIND("upper triangle", fill_triangle, .range = 1),
	KIND("lower triangle", fill_triangle, .range = -1),
	KIND("skew", fill_skew), { 0 }
}, complex_kinds[] = {
	KIND("tiny", fill_complex, .shape = -30),
	KIND("below 1", fill_complex, .shape = -1),
	KIND("near 2", fill_complex, .shape = 2),
	KIND("larger", fill_complex, .shape = 5),
	KIND("upper triangle", fill_complex, .range = 1),
	KIND("lower triangle", fill_complex, .range = -1),
	KIND("imaginary", fill_imaginary), { 0 }
};

static const struct judge judges[] = {
	{ "|X - e^A| / n eps (1+|A|) |e^A|", forward, 4 }, { 0 }
};

static const size_t sizes[][3] = {
	{ 1 }, { 2 }, { 3 }, { 5 }, { 10 }, { 33 }, { 65 }, { 130 },
	CHECK_END
}, smaller[][3] = {
	{ 1 }, { 2 }, { 3 }, { 10 }, { 33 }, { 65 }, CHECK_END
}, stacks[][3] = { { 1, 1 }, { 3, 5 }, { 7, 20 }, CHECK_END };

const struct check_row check_expm_rows[] = {
	{ .what = "matrices", .op = "expm", .operands = { "mm" },
	  .sizes = sizes, .kinds = kinds, .judges = judges },
	{ .what = "stacks", .op = "expm", .operands = { "mnn" },
	  .sizes = stacks, .kinds = kinds, .judges = judges },
	{ .what = "complex", .op = "expm", .operands = { "mm" },
	  .dtypes = DTYPE_COMPLEXES, .sizes = smaller, .kinds = complex_kinds,
	  .judges = judges },
	{ 0 }
};
