/* interval.c - tests which=interval and order=found. */
#include <math.h>
#include <string.h>

#include "tests/ops/complex.h"
#include "tests/ops/eigen/eigen.h"

static const enum dtype types[] = { FLOAT32, FLOAT64, COMPLEX64, COMPLEX128 };

/* Makes a stack of two upper triangular matrices, or diagonal ones: the
 * diagonals are 1, 3, 2 and -1, 5, 0. */
static struct matrix triangles(enum dtype t, bool diagonal)
{
	static const double of[] = { 1, 3, 2, -1, 5, 0 };
	struct matrix m = { .dtype = t, .ndim = 3, .dim = { 2, 3, 3 } };
	struct err e = { 0 };

	ck_assert_int_eq(matrix_alloc(&m, test_pool, &e), 0);
	for (size_t i = 0; i < 18; i++) {
		const size_t row = i / 3 % 3, column = i % 3;

		complex_set(&m, i, row == column ? of[i / 9 * 3 + row] :
		            !diagonal && row < column ? 0.25 : 0);
	}
	return m;
}

/* The first matrix has the eigenvalues 1 and 2 in (0, 2], the second none. */
START_TEST(shorter_rows_of_a_stack_end_with_nan)
{
	for (size_t t = 0; t < 2 * COUNT(types); t++) {
		const bool diagonal = t >= COUNT(types);
		struct matrix m = triangles(types[t % COUNT(types)], diagonal);
		struct args r;

		op_run("eigen", &m, 1, &r, "which", "interval", "low", "0",
		       "high", "2", "return", "eigenvalues,eigenvectors,"
		       "left_eigenvectors", NULL);
		ck_assert_uint_eq(matrix_cols(&r.out[VALUES]), 2);
		ck_assert_uint_eq(r.out[VECTORS].dim[2], 2);
		ck_assert_uint_eq(r.out[LEFT].dim[2], 2);
		ck_assert_double_eq_tol(eigen_re(&r, 0), diagonal ? 1 : 2,
		                        1e-6);
		ck_assert_double_eq_tol(eigen_re(&r, 1), diagonal ? 2 : 1,
		                        1e-6);
		for (size_t k = 2; k < 4; k++)
			ck_assert(isnan(eigen_re(&r, k)));
		for (size_t k = 0; k < 12; k++)
			ck_assert_int_eq(k >= 6,
			    isnan(matrix_get(&r.out[VECTORS], k)) != 0);
		ck_assert_double_lt(r.verdict.residual, 30);
		args_fini(&r);
		matrix_fini(&m);
	}
}
END_TEST

START_TEST(an_interval_may_have_no_eigenvalue)
{
	for (size_t t = 0; t < 2 * COUNT(types); t++) {
		struct matrix m = triangles(types[t % COUNT(types)],
		                            t >= COUNT(types));
		struct args r;

		op_run("eigen", &m, 1, &r, "which", "interval", "low", "9",
		       "return", "eigenvalues,eigenvectors", NULL);
		ck_assert_uint_eq(r.out[VALUES].dim[1], 0);
		ck_assert_uint_eq(r.out[VECTORS].dim[2], 0);
		ck_assert_uint_eq(r.out[VECTORS].dim[1], 3);
		args_fini(&r);
		matrix_fini(&m);
	}
}
END_TEST

/* On the host and on the device, the answer has exactly those of all
 * eigenvalues that are in the interval. */
START_TEST(an_interval_of_a_larger_matrix_is_a_part_of_all)
{
	static const char *const methods[] = { "lapack", "tridiagonal" };

	for (size_t i = 0; i < COUNT(methods); i++) {
		struct matrix m = eigen_random_matrix(FLOAT64, 0, 130, 3);
		size_t at = 0;
		struct args all, r, none;

		op_run("eigen", &m, 1, &all, "which", "all", NULL);
		op_run("eigen", &m, 1, &r, "which", "interval", "low", "-1.5",
		       "high", "4", "method", methods[i], NULL);
		op_run("eigen", &m, 1, &none, "which", "interval", "low",
		       "1e9", "method", methods[i], NULL);
		eigen_assert_several(&m, NULL, &r, 0, VECTORS);
		for (size_t k = 0; k < 130; k++) {
			const double x = eigen_re(&all, k);

			if (x > -1.5 && x <= 4)
				ck_assert_double_eq_tol(eigen_re(&r, at++), x,
				                        1e-11);
		}
		ck_assert_uint_eq(at, matrix_elements(&r.out[VALUES]));
		ck_assert_uint_gt(at, 3);
		ck_assert_uint_eq(matrix_elements(&none.out[VALUES]), 0);
		args_fini(&none);
		args_fini(&r);
		args_fini(&all);
		matrix_fini(&m);
	}
}
END_TEST

/* LAPACK finds the eigenvalues of a triangular matrix in the order of its
 * diagonal. */
START_TEST(eigenvalues_come_in_the_order_in_which_they_are_found)
{
	static const double want[] = { 1, 3, 2, -1, 5, 0 };

	for (size_t t = 0; t < COUNT(types); t++) {
		struct matrix m = triangles(types[t], false);
		struct args r;

		op_run("eigen", &m, 1, &r, "which", "all", "order", "found",
		       "return", "eigenvalues,eigenvectors", NULL);
		for (size_t k = 0; k < 6; k++)
			ck_assert_double_eq_tol(eigen_re(&r, k), want[k],
			                        1e-6);
		ck_assert_double_lt(r.verdict.residual, 30);
		args_fini(&r);
		matrix_fini(&m);
	}
}
END_TEST

START_TEST(bounds_and_orders_that_do_not_go_with_the_rest_are_refused)
{
	static const char *const wrong[][4] = {
		{ "which", "dominant", "order", "found" },
		{ "which", "interval", "k", "1" },
		{ "which", "interval", "structure", "general" },
		{ "which", "all", "low", "1" },
		{ "which", "largest", "high", "1" },
		{ "which", "all", "high", "1" },
	};
	struct matrix a = eigen_hilbert(FLOAT64, 2);
	struct err e = { 0 };
	struct args r;

	eigen_assert_refused(wrong, COUNT(wrong));
	ck_refused(op_try("eigen", &a, 1, &r, &e, "which", "interval", "low",
	                  "1", "high", "1", NULL), &e, ERR_PARAMETER);
	matrix_fini(&a);
}
END_TEST

void eigen_interval_tests(TCase *c)
{
	tcase_add_test(c, shorter_rows_of_a_stack_end_with_nan);
	tcase_add_test(c, an_interval_may_have_no_eigenvalue);
	tcase_add_test(c, an_interval_of_a_larger_matrix_is_a_part_of_all);
	tcase_add_test(c,
	    eigenvalues_come_in_the_order_in_which_they_are_found);
	tcase_add_test(c,
	    bounds_and_orders_that_do_not_go_with_the_rest_are_refused);
}
