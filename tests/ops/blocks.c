/* blocks.c - LAPACK's routines for matrices that are cut into pieces
 * (ops/lapack/blocks.h), judged by their residuals for random vectors. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "ops/lapack/escape.h"
#include "ops/lapack/lapack.h"
#include "tests/ops/op.h"

enum { N = 1500 };			/* no multiple of a piece */

/* Only calls that can be left are cut. */
static struct escape here;

static void begin(void)
{
	escape_begin(&here);
}

static void end(void)
{
	escape_end(&here);
}

static double noise(size_t i)
{
	uint32_t x = (uint32_t)i * UINT32_C(2654435769);

	x = (x ^ x >> 15) * UINT32_C(2246822519);
	x = (x ^ x >> 13) * UINT32_C(3266489917);
	return (double)(x >> 8) * 0x1p-23 - 1;
}

/* A random N x N matrix with `diagonal` added to its diagonal; its lower
 * triangle is that of its upper one if it is symmetric. */
static double *matrix(double diagonal, bool symmetric)
{
	double *a = malloc((size_t)N * N * sizeof *a);

	for (size_t j = 0; j < N; j++)
		for (size_t i = 0; i < N; i++)
			a[j * N + i] = (i == j ? diagonal : 0) +
			    noise(symmetric && i > j ? i * N + j : j * N + i);
	return a;
}

static double *vector(void)
{
	double *x = malloc(N * sizeof *x);

	for (size_t i = 0; i < N; i++)
		x[i] = noise(i + 7);
	return x;
}

static const struct lapack *load(void)
{
	struct err e = { 0 };
	const struct lapack *l = lapack_load(NULL, N, &e);

	ck_assert_msg(l != NULL, "%s", e.text);
	return l;
}

/* Returns y = op(T) x, where T is a triangle of the matrix t. */
static double *times(const double *t, bool upper, bool ones, bool turned,
                     const double *x)
{
	double *y = calloc(N, sizeof *y);

	for (size_t j = 0; j < N; j++)
		for (size_t i = 0; i < N; i++) {
			const bool in = upper ? i <= j : i >= j;
			const double v = i == j && ones ? 1 : t[j * N + i];

			if (in)
				y[turned ? j : i] += v * x[turned ? i : j];
		}
	return y;
}

/* Returns A x. */
static double *product(const double *a, bool turned, const double *x)
{
	double *y = calloc(N, sizeof *y);

	for (size_t j = 0; j < N; j++)
		for (size_t i = 0; i < N; i++)
			y[turned ? j : i] += a[j * N + i] * x[turned ? i : j];
	return y;
}

/* Asserts |x - y| <= 100 N eps size in the largest element. Frees both. */
static void check(double *x, double *y, double size)
{
	double most = 0;

	for (size_t i = 0; i < N; i++)
		most = fmax(most, fabs(x[i] - y[i]));
	ck_assert_double_le(most, 100 * N * DBL_EPSILON * size);
	free(x);
	free(y);
}

START_TEST(positive_definite_matrices)
{
	const struct lapack *l = load();

	for (int upper = 0; upper < 2; upper++) {
		double *a = matrix(N, true), *f = matrix(N, true);
		double *x = vector(), *y;

		ck_assert_int_eq(l->d.potrf(LAPACK_COLUMNS, upper ? 'U' : 'L',
		                            N, f, N), 0);
		y = times(f, upper, false, !upper, x);
		check(times(f, upper, false, upper, y), product(a, false, x),
		      N);
		free(y);
		free(x);
		/* The leading minor of order 1300 is the first one that is
		 * not positive. */
		a[1299 * N + 1299] = -1;
		ck_assert_int_eq(l->d.potrf(LAPACK_COLUMNS, upper ? 'U' : 'L',
		                            N, a, N), 1300);
		free(a);
		free(f);
	}
}
END_TEST

/* Returns P^T L U x for the factors of an m x n matrix, whose columns are N
 * elements apart; x has N elements. */
static double *factored(int m, int n, const double *f, const int *pivots,
                        const double *x)
{
	const int k = m < n ? m : n;
	double *u = calloc(N, sizeof *u), *y = calloc(N, sizeof *y);

	for (int j = 0; j < n; j++)
		for (int i = 0; i <= j && i < k; i++)
			u[i] += f[j * N + i] * x[j];
	for (int j = 0; j < k; j++)
		for (int i = j; i < m; i++)
			y[i] += (i == j ? 1 : f[j * N + i]) * u[j];
	for (int i = k - 1; i >= 0; i--) {
		const double v = y[i];

		y[i] = y[pivots[i] - 1];
		y[pivots[i] - 1] = v;
	}
	free(u);
	return y;
}

static const int shapes[][2] = {
	{ N, N }, { N, 1100 }, { 1100, N }, { N, 900 }, { 900, N },
};

START_TEST(every_shape_has_its_factors)
{
	const struct lapack *l = load();
	const int m = shapes[_i][0], n = shapes[_i][1];
	double *a = matrix(0, false), *f = matrix(0, false), *x = vector();
	int *pivots = malloc(N * sizeof *pivots);

	ck_assert_int_eq(l->d.getrf(LAPACK_COLUMNS, m, n, f, N, pivots), 0);
	for (int j = 0; j < N; j++) {
		x[j] = j < n ? x[j] : 0;
		for (int i = m; i < N; i++)
			a[j * N + i] = 0;
	}
	check(factored(m, n, f, pivots, x), product(a, false, x), N);
	free(x);
	free(a);
	free(f);
	free(pivots);
}
END_TEST

START_TEST(general_matrices)
{
	const struct lapack *l = load();
	double *a = matrix(0, false), *f = matrix(0, false), *y, *x, *b;
	double *work = malloc((size_t)N * 64 * sizeof *work);
	int *pivots = malloc(N * sizeof *pivots);

	ck_assert_int_eq(l->d.getrf(LAPACK_COLUMNS, N, N, f, N, pivots), 0);
	x = vector();
	for (int turned = 0; turned < 2; turned++) {
		b = product(a, turned, x);
		ck_assert_int_eq(l->d.getrs(LAPACK_COLUMNS, turned ? 'T' : 'N',
		                            N, 1, f, N, pivots, b, N), 0);
		y = malloc(N * sizeof *y);
		memcpy(y, x, N * sizeof *y);
		check(b, y, 1e6);	/* this matrix's condition */
	}
	ck_assert_int_eq(l->d.getri(LAPACK_COLUMNS, N, f, N, pivots, work,
	                            N * 64), 0);
	b = product(a, false, x);
	y = malloc(N * sizeof *y);
	memcpy(y, x, N * sizeof *y);
	check(product(f, false, b), y, 1e6);
	free(b);
	free(x);
	free(a);
	free(f);
	free(work);
	free(pivots);
}
END_TEST

START_TEST(the_first_zero_pivot_of_a_large_matrix_is_told)
{
	const struct lapack *l = load();
	int *pivots = malloc(N * sizeof *pivots);
	double *a = matrix(N, false);

	for (size_t i = 0; i < N; i++)
		a[(size_t)1200 * N + i] = 0;
	ck_assert_int_eq(l->d.getrf(LAPACK_COLUMNS, N, N, a, N, pivots), 1201);
	free(a);
	free(pivots);
}
END_TEST

static const char *const way[] = { "N", "T" };

/* C += op(A) op(B) for the first m rows and n columns of C; bit 0 of `how`
 * transposes A, bit 1 B. */
static void check_product(int m, int n, int how)
{
	const struct lapack *l = load();
	double *a = matrix(0, false), *b = matrix(0, true);
	double *c = matrix(0, false), *x = vector(), *y, *z, *w;
	const int k = N;
	const double one = 1;

	for (int i = n; i < N; i++)
		x[i] = 0;
	z = product(b, how & 2, x);
	y = product(c, false, x);
	w = product(a, how & 1, z);
	for (int i = 0; i < m; i++)
		y[i] += w[i];
	l->d.gemm(way[how & 1], way[how >> 1], &m, &n, &k, &one, a, &k, b, &k,
	          &one, c, &k);
	check(product(c, false, x), y, N);
	free(a);
	free(b);
	free(c);
	free(x);
	free(z);
	free(w);
}

/* The first of these is cut between columns, then between rows and in k. */
START_TEST(products)
{
	for (int how = 0; how < 4; how++) {
		check_product(N, N, how);
		check_product(N, 500, how);
		check_product(1400, 500, how);
	}
}
END_TEST

/* C = T^-1 B has T C = B. */
START_TEST(triangles_with_many_right_hand_sides)
{
	const struct lapack *l = load();
	const int n = N;
	const double one = 1;

	for (int how = 0; how < 4; how++) {
		double *t = matrix(2 * N, false), *b = matrix(0, true);
		double *c = matrix(0, true), *x = vector(), *z;

		l->d.trsm("L", how & 2 ? "U" : "L", way[how & 1], "N", &n, &n,
		          &one, t, &n, c, &n);
		z = product(c, false, x);
		check(times(t, how & 2, false, how & 1, z),
		      product(b, false, x), N);
		free(t);
		free(b);
		free(c);
		free(x);
		free(z);
	}
}
END_TEST

TCase *tcase_blocks(void)
{
	TCase *t = tcase_create("blocks");

	tcase_add_checked_fixture(t, begin, end);
	tcase_add_test(t, positive_definite_matrices);
	tcase_add_loop_test(t, every_shape_has_its_factors, 0, COUNT(shapes));
	tcase_add_test(t, general_matrices);
	tcase_add_test(t, the_first_zero_pivot_of_a_large_matrix_is_told);
	tcase_add_test(t, products);
	tcase_add_test(t, triangles_with_many_right_hand_sides);
	return t;
}
