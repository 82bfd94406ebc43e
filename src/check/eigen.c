/* eigen.c - the rows for eigen's dominant pair: the articles' matrices, those
 * for which the articles' method is wrong, and positive, symmetric and general
 * ones. */
#include <math.h>

#include "check/pair.h"
#include "check/rows.h"
#include "ops/eigen/eigen.h"
#include "ops/eigen/schur.h"

/* Judges the eigenvalue against the articles' values, which are exact to about
 * 1e-4 only, because the articles' rounds end early. */
static double off_article(const struct args *a)
{
	const bool first = matrix_get(&a->in[0], 1) == 1;

	return fabs(matrix_get(&a->out[EIGEN_VALUE], 0) -
	            (first ? 7.53114 : 9.6234));
}

static int fill_symmetric(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *x = &a->in[0];
	const size_t n = matrix_rows(x);

	fill_random(k, a, e);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			matrix_set(x, i * n + j, matrix_get(x, j * n + i));
	return 0;
}

static int fill_hilbert(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *x = &a->in[0];
	const size_t n = matrix_rows(x);

	(void)k;
	(void)e;
	for (size_t i = 0; i < n * n; i++)
		matrix_set(x, i, 1 / (double)(i / n + i % n + 1));
	return 0;
}

static int fill_positive(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *x = &a->in[0];

	fill_random(k, a, e);
	for (size_t i = 0; i < matrix_elements(x); i++)
		matrix_set(x, i, fabs(matrix_get(x, i)) + 0.01);
	return 0;
}

/* Makes a matrix for which only the last component of the iterate converges
 * slowly. Its diagonal element is 0.8 times the Perron root of the other rows,
 * which are hardly coupled to it. A round that overlooks the last rows stops
 * too early. */
static int fill_slow(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *x = &a->in[0];
	const size_t n = matrix_rows(x);

	fill_positive(k, a, e);
	for (size_t i = 0; i < n; i++)
		matrix_set(x, i * n + n - 1, 1e-3);
	matrix_set(x, n * n - 1, 0.4 * (double)n);
	return 0;
}

/* Makes the second difference matrix -1, 2, -1, whose eigenvalues cluster at
 * both ends of the spectrum. */
static int fill_difference(const struct kind *k, struct args *a,
                           struct err *e)
{
	struct matrix *x = &a->in[0];
	const size_t n = matrix_rows(x);

	(void)k;
	(void)e;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			matrix_set(x, i * n + j, i == j ? 2 :
			           i == j + 1 || j == i + 1 ? -1 : 0);
	return 0;
}

/* Makes the matrix H T H, where H is a reflection and T is upper triangular.
 * T's diagonal holds the eigenvalues: -3, and then numbers that descend from 2.
 * The eigenvectors are far from orthogonal. */
static int fill_general(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *x = &a->in[0];
	const size_t n = matrix_rows(x);
	double t[SCHUR_MAX][SCHUR_MAX] = { 0 };

	(void)k;
	(void)e;
	for (size_t i = 0; i < n; i++) {
		t[i][i] = i == 0 ? -3 : 2 - 2.0 * (double)i / (double)n;
		for (size_t j = i + 1; j < n; j++)
			t[i][j] = check_random(3, i * n + j) / 4;
	}
	/* H = I - (2 / n) 1 1' */
	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < n; i++) {
			double sum = 0;

			for (size_t j = 0; j < n; j++)
				sum += side ? t[i][j] : t[j][i];
			for (size_t j = 0; j < n; j++)
				*(side ? &t[i][j] : &t[j][i]) -=
				    2 * sum / (double)n;
		}
	for (size_t i = 0; i < n * n; i++)
		matrix_set(x, i, t[i / n][i % n]);
	return 0;
}

static const double first[] = { 1, 1, 2, 2, 1, 3, 2, 3, 5 };
static const double second[] = { 1, 2, 3, 2, 3, 4, 3, 4, 5 };
static const double negative[] = { -3, 1, 1, -3 };
static const double mixed[] = { 1, -2, -2, 1 };
static const double quarter[] = { 0, 1, -1, 0 };
static const double spiral[] = { 1, 2, -2, 1 };

static const struct kind articles[] = {
	KIND("1 1 2; 2 1 3; 2 3 5", fill_values, .values = first),
	KIND("1 2 3; 2 3 4; 3 4 5", fill_values, .values = second),
	{ 0 }
}, signs[] = {
	KIND("-3 1; 1 -3", fill_values, .values = negative),
	KIND("1 -2; -2 1", fill_values, .values = mixed),
	{ 0 }
}, turning[] = {
	KIND("0 1; -1 0", fill_values, .values = quarter),
	KIND("1 2; -2 1", fill_values, .values = spiral),
	{ 0 }
}, symmetrics[] = {
	KIND("random symmetric", fill_symmetric),
	KIND("Hilbert", fill_hilbert),
	{ 0 }
}, crowded[] = {
	KIND("second difference", fill_difference), { 0 }
}, positives[] = {
	KIND("random positive", fill_positive), KIND("Hilbert", fill_hilbert),
	{ 0 }
}, slow[] = {
	KIND("slow last row", fill_slow), { 0 }
}, generals[] = {
	KIND("far from normal", fill_general), { 0 }
};

#define PAIR                                       \
	{ "|Av - lv| / promised", pair_residual, 1 },   \
	{ "||v| - 1| / n eps", pair_length, 2 }

static const struct judge in_symmetric[] = {
	PAIR, { "none larger, Cholesky", pair_symmetric, 0 }, { 0 }
}, in_positive[] = {
	PAIR, { "l in Collatz's bounds", pair_enclosure, 1 },
	{ "its bracket holds l", pair_bracket, 0.1 }, { 0 }
}, in_general[] = {
	PAIR, { "l from host's QR", pair_distance, 1 }, { 0 }
}, in_article[] = {
	PAIR, { "l as published", off_article, 1e-4 }, { 0 }
};

static const size_t two[][3] = { { 2 }, CHECK_END };
static const size_t three[][3] = { { 3 }, CHECK_END };
static const size_t all[][3] = {
	{ 1 }, { 2 }, { 3 }, { 5 }, { 10 }, { 50 }, { 127 }, { 128 }, { 129 },
	{ 300 }, CHECK_END
}, few[][3] = {
	{ 1 }, { 2 }, { 3 }, { 5 }, { 10 }, { 50 }, CHECK_END
};

/* Makes two rows, one for float32 and one for float64, each with a tol that the
 * kernels reach in that type. */
#define TWICE(...)                                                          \
	{ .op = "eigen", .operands = { "mm" }, .params = { "tol", "1e-5" }, \
	  .dtypes = DTYPE_BIT(FLOAT32), __VA_ARGS__ },                      \
	{ .op = "eigen", .operands = { "mm" }, .params = { "tol", "1e-12" },\
	  .dtypes = DTYPE_BIT(FLOAT64), __VA_ARGS__ }

const struct check_row check_eigen_rows[] = {
	TWICE(.what = "the articles'", .sizes = three, .kinds = articles,
	      .judges = in_article),
	TWICE(.what = "signs", .sizes = two, .kinds = signs,
	      .judges = in_symmetric),
	TWICE(.what = "positive", .sizes = all, .kinds = positives,
	      .judges = in_positive),
	{ .what = "similarity", .op = "eigen", .operands = { "mm" },
	  .params = { "method", "similarity", "tol", "1e-5" },
	  .dtypes = DTYPE_BIT(FLOAT32), .sizes = all, .kinds = slow,
	  .judges = in_positive },
	{ .what = "similarity", .op = "eigen", .operands = { "mm" },
	  .params = { "method", "similarity", "tol", "1e-12" },
	  .dtypes = DTYPE_BIT(FLOAT64), .sizes = all, .kinds = slow,
	  .judges = in_positive },
	TWICE(.what = "symmetric", .sizes = all, .kinds = symmetrics,
	      .judges = in_symmetric),
	TWICE(.what = "crowded", .sizes = few, .kinds = crowded,
	      .judges = in_symmetric),
	TWICE(.what = "general", .sizes = few, .kinds = generals,
	      .judges = in_general),
	TWICE(.what = "complex pairs", .sizes = two, .kinds = turning,
	      .judges = in_general),
	{ 0 }
};
