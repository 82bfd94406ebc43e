/* balance.c - balancing agrees with LAPACK's, and its effect on the eigenvalues
 * of badly scaled matrices. */
#include <math.h>

#include <lapacke.h>

#include "ops/eigen/balance.h"
#include "tests/ops/eigen/eigen.h"

static const size_t sizes[] = { 1, 2, 3, 5, 10, 50, 63, 64, 65, 130 };

/* Overwrites A by D A D^-1, where D is diagonal and its elements range over
 * that many powers of ten up and down. */
static void scale_badly(struct matrix *a, double powers, unsigned seed)
{
	const size_t n = matrix_rows(a);
	struct matrix d = random_matrix(FLOAT64, seed, 1, n);

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			matrix_set(a, i * n + j, matrix_get(a, i * n + j) *
			    pow(10, powers * (matrix_get(&d, i) -
			                      matrix_get(&d, j))));
	matrix_fini(&d);
}

/* Sets about that share of the elements to 0. */
static void thin_out(struct matrix *a, unsigned seed, double share)
{
	const size_t n = matrix_rows(a);
	struct matrix r = random_matrix(FLOAT64, seed, 2, n, n);

	for (size_t i = 0; i < n * n; i++)
		if (fabs(matrix_get(&r, i)) < share)
			matrix_set(a, i, 0);
	matrix_fini(&r);
}

static double norm_of(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum = hypot(sum, x[i]);
	return sum;
}

static void against_gebal(struct matrix *a, char job)
{
	const size_t n = matrix_rows(a);
	double *x = malloc(n * n * sizeof *x), *y = malloc(n * n * sizeof *y);
	double *scale = malloc(n * sizeof *scale), norm, unit;
	struct balance b;
	int low, high;

	for (size_t i = 0; i < n * n; i++)
		x[i / n + i % n * n] = matrix_get(a, i);
	LAPACKE_dgebal(LAPACK_COL_MAJOR, job, (int)n, x, (int)n, &low, &high,
	               scale);
	ck_assert_int_eq(balance_init(&b, n), 0);
	ck_assert_int_eq(balance_find(&b, a, 0, job == 'B'), 0);
	unit = ldexp(1, balance_copy(NULL, &b, a, 0, y));
	norm = norm_of(x, n * n);
	/* LAPACK does not count a single isolated row. */
	if (b.high > b.low + 1)
		ck_assert_int_eq(b.high - b.low, high - low + 1);
	else
		ck_assert_int_le(high - low, 0);
	/* The scaling of isolated rows is not unique. */
	if (job == 'S')
		ck_assert_double_le(unit * norm_of(y, n * n), 1.01 * norm);
	balance_fini(&b);
	free(x);
	free(y);
	free(scale);
}

START_TEST(balancing_does_what_gebal_does)
{
	for (size_t i = 0; i < COUNT(sizes); i++)
		for (unsigned seed = 1; seed <= 4; seed++) {
			struct matrix a = eigen_random_matrix(FLOAT64, 2,
			    sizes[i], seed);

			against_gebal(&a, 'S');
			scale_badly(&a, 6, seed + 1);
			against_gebal(&a, 'S');
			against_gebal(&a, 'B');
			thin_out(&a, seed, 1 - 1.5 / (double)sizes[i]);
			against_gebal(&a, 'B');
			matrix_fini(&a);
		}
}
END_TEST

/* B's element (i, j) is exactly A's, with P and D applied. */
START_TEST(balancing_makes_no_rounding_errors)
{
	const size_t n = 30;
	struct matrix a = eigen_random_matrix(FLOAT64, 2, n, 3);
	double *y = malloc(n * n * sizeof *y);
	struct balance b;
	int e;

	scale_badly(&a, 12, 4);
	ck_assert_int_eq(balance_init(&b, n), 0);
	ck_assert_int_eq(balance_find(&b, &a, 0, true), 0);
	e = balance_copy(NULL, &b, &a, 0, y);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			ck_assert_double_eq(
			    ldexp(y[i + j * n], e + b.power[i] - b.power[j]),
			    matrix_get(&a, b.place[i] * n + b.place[j]));
	balance_fini(&b);
	free(y);
	matrix_fini(&a);
}
END_TEST

START_TEST(vectors_are_scaled_back_exactly)
{
	static const double x[] = { 0, 1e9, 1e-9, 0 };
	struct matrix a = matrix_of(FLOAT64, x, 2, (size_t)2, (size_t)2);
	double right[] = { 1, 1, 0, 2 }, left[] = { 1, 1 }, room[4];
	struct balance b;
	int e, shift;

	ck_assert_int_eq(balance_init(&b, 2), 0);
	ck_assert_int_eq(balance_find(&b, &a, 0, true), 0);
	shift = b.power[0] - b.power[1];
	ck_assert_int_ge(shift, 29);
	e = balance_back(&b, BALANCE_RIGHT, 2, right, room);
	ck_assert_int_eq(e, b.power[0]);
	ck_assert_double_eq(right[0], 1);
	ck_assert_double_eq(right[1], ldexp(1, -shift));
	ck_assert_double_eq(right[3], ldexp(2, -shift));
	balance_back(&b, BALANCE_LEFT, 1, left, room);
	ck_assert_double_eq(left[0], ldexp(1, -shift));
	ck_assert_double_eq(left[1], 1);
	balance_fini(&b);
	matrix_fini(&a);
}
END_TEST

/* The value is that of B, and the residual as small as promised, whatever D
 * is. */
static void badly_scaled(const char *method, int mode, size_t n,
                         double powers, unsigned seed)
{
	struct matrix a = eigen_random_matrix(FLOAT64, mode, n, seed);
	double re, im, gap;
	struct args r;

	eigen_reference(&a, &re, &im, &gap);
	scale_badly(&a, powers, seed + 10);
	op_run("eigen", &a, 1, &r, "method", method, NULL);
	/* The rounding of A's elements alone changes it by n eps. */
	eigen_assert_complex(&a, &r, re, im, mode == 1 ? 1e-8 : 1e-11);
	ck_assert_double_gt(r.verdict.residual, -1);
	args_fini(&r);
	matrix_fini(&a);
}

START_TEST(badly_scaled_matrices_have_their_eigenvalue)
{
	static const size_t n[] = { 2, 3, 5, 10, 50, 64 };

	for (size_t i = 0; i < COUNT(n); i++)
		for (int mode = 0; mode < 3; mode++)
			for (unsigned seed = 1; seed <= 3; seed++) {
				badly_scaled("auto", mode, n[i], 6, seed);
				badly_scaled("auto", mode, n[i], 120, seed);
			}
}
END_TEST

/* The matrices are too large for a full decomposition, so that the device alone
 * decides. Their dominant values are a complex pair and a real one. */
START_TEST(krylov_space_of_a_large_badly_scaled_matrix_is_balanced)
{
	for (int turn = 0; turn < 2; turn++) {
		const size_t n = 600;
		struct matrix a = eigen_random_matrix(FLOAT64, 2, n, 5);
		struct args r;

		for (size_t i = 0; i < n * n; i++)
			matrix_set(&a, i, matrix_get(&a, i) / 100);
		matrix_set(&a, 0, 10);
		matrix_set(&a, n + 1, turn ? 10 : 2);
		matrix_set(&a, 1, turn ? 7 : 0);
		matrix_set(&a, n, turn ? -7 : 0);
		scale_badly(&a, 5, 3);
		op_run("eigen", &a, 1, &r, NULL);
		ck_assert_double_gt(eigen_get(&r, ITERATIONS), 8);
		ck_assert_double_lt(eigen_get(&r, ITERATIONS), 100);
		eigen_assert_complex(&a, &r, eigen_get(&r, VALUE),
		    matrix_get_imaginary(&r.out[VALUE], 0), 0);
		ck_assert_double_eq_tol(eigen_get(&r, VALUE), 10, 0.1);
		ck_assert_double_eq_tol(
		    matrix_get_imaginary(&r.out[VALUE], 0), turn ? 7 : 0, 0.1);
		args_fini(&r);
		matrix_fini(&a);
	}
}
END_TEST

void eigen_balance_tests(TCase *c)
{
	tcase_add_test(c, balancing_does_what_gebal_does);
	tcase_add_test(c, balancing_makes_no_rounding_errors);
	tcase_add_test(c, vectors_are_scaled_back_exactly);
	tcase_add_test(c, badly_scaled_matrices_have_their_eigenvalue);
	tcase_add_test(c,
	    krylov_space_of_a_large_badly_scaled_matrix_is_balanced);
}
