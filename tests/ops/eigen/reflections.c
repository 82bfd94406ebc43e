/* reflections.c - tests that the host multiplies by Q of xSYTRD as xORMTR
 * does. */
#include <math.h>

#include <lapacke.h>

#include "ops/eigen/reflections.h"
#include "tests/ops/eigen/eigen.h"

enum { SYTRD_BLOCK = 64 };

/* A symmetric matrix whose rows from n / 2 on are diagonal: xSYTRD needs no
 * reflections there, and tells so by tau = 0. */
static double *half_diagonal(size_t n)
{
	struct matrix m = eigen_random_matrix(FLOAT64, 0, n, 5);
	double *a = calloc(n * n, sizeof *a);

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (i == j || (i < n / 2 && j < n / 2))
				a[i * n + j] = matrix_get(&m, i * n + j);
	matrix_fini(&m);
	return a;
}

static double difference(const double *x, const double *y, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(x[i] - y[i]));
	return most;
}

/* Compares Q Z of `columns` random columns with LAPACK's. */
static void compare(const struct lapack *l, double *a, int n, int columns)
{
	const size_t size = (size_t)n * (size_t)columns;
	double *d = calloc(3 * (size_t)n, sizeof *d);
	double *e = d + n, *tau = e + n;
	double *work = malloc(SYTRD_BLOCK * (size_t)n * sizeof *work);
	struct matrix z = random_matrix(FLOAT64, 7, 1, size);
	struct matrix wanted = random_matrix(FLOAT64, 7, 1, size);
	const struct reflections r = {
		l, n, n, a, tau,
		malloc(reflections_room((size_t)n, (size_t)columns) *
		       sizeof(double)),
	};

	ck_assert_int_eq(l->d.sytrd(LAPACK_COL_MAJOR, 'U', n, a, n, d, e, tau,
	                            work, SYTRD_BLOCK * n), 0);
	reflections_times_d(&r, matrix_data(&z), columns);
	ck_assert_int_eq(LAPACKE_dormtr(LAPACK_COL_MAJOR, 'L', 'U', 'N', n,
	    columns, a, n, tau, matrix_data(&wanted), n), 0);
	ck_assert_double_le(difference(matrix_data(&z), matrix_data(&wanted),
	                               size), 1e-14 * n);
	matrix_fini(&wanted);
	matrix_fini(&z);
	free(r.room);
	free(work);
	free(d);
}

START_TEST(q_times_z_is_lapacks)
{
	static const int sizes[] = { 1, 2, 3, 64, 65, 66, 129, 200 };
	static const int columns[] = { 1, 7, 200 };
	struct err why = { 0 };
	const struct lapack *const l = lapack_load(NULL, 200, &why);

	ck_assert_ptr_nonnull(l);
	for (size_t i = 0; i < COUNT(sizes); i++)
		for (size_t c = 0; c < COUNT(columns); c++) {
			const size_t n = (size_t)sizes[i];
			struct matrix m = eigen_random_matrix(FLOAT64, 0, n, 3);
			double *half = half_diagonal(n);

			compare(l, matrix_data(&m), sizes[i], columns[c]);
			compare(l, half, sizes[i], columns[c]);
			free(half);
			matrix_fini(&m);
		}
}
END_TEST

void eigen_reflection_tests(TCase *c)
{
	tcase_add_test(c, q_times_z_is_lapacks);
}
