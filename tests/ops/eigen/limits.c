/* limits.c - tests which calls are refused, which answers are partial, and what
 * form an answer has. */
#include <math.h>

#include "matrix/sparse.h"
#include "ops/failure.h"
#include "tests/ops/eigen/eigen.h"

START_TEST(what_is_no_eigenproblem_is_refused)
{
	static const size_t dims[][2] = { { 2, 3 }, { 3, 2 }, { 0, 0 },
		{ 0, 1 } };

	for (size_t i = 0; i < COUNT(dims); i++) {
		struct matrix a = random_matrix(FLOAT64, 1, 2, dims[i][0],
		                                dims[i][1]);
		struct err e = { 0 };
		struct args r;

		ck_refused(op_try("eigen", &a, 1, &r, &e, NULL), &e,
		           ERR_SHAPE);
		matrix_fini(&a);
	}
}
END_TEST

START_TEST(what_is_not_finite_is_refused_with_its_place)
{
	static const double x[][4] = { { 1, 2, NAN, 4 },
		{ 1, 2, -INFINITY, 4 }, { 1, 2, INFINITY, NAN } };

	for (size_t k = 0; k < COUNT(x); k++) {
		struct matrix a = matrix_of(FLOAT64, x[k], 2, (size_t)2,
		                            (size_t)2);
		struct err e = { 0 };
		struct args r;

		ck_refused(op_try("eigen", &a, 1, &r, &e, NULL), &e,
		           ERR_NONFINITE);
		ck_assert_msg(strstr(e.text, "(1, 0)"), "%s", e.text);
		matrix_fini(&a);
	}
}
END_TEST

START_TEST(not_converging_is_refused_or_answered_as_partial)
{
	static const char *const all[] = { "auto", "similarity", "power",
		"krylov" };
	struct matrix a = eigen_hilbert(FLOAT64, 100);

	for (size_t k = 0; k < COUNT(all); k++)
		for (int limit = 1; limit <= 3; limit++) {
			const char *most = (const char *[]){ "1", "2", "3" }
			    [limit - 1];
			struct err e = { 0 };
			struct args r;

			ck_refused(op_try("eigen", &a, 1, &r, &e, "method",
			    all[k], "tol", "1e-14", "max_iterations", most,
			    NULL), &e, ERR_CONVERGENCE);
			op_run("eigen", &a, 1, &r, "method", all[k], "tol",
			       "1e-14", "max_iterations", most,
			       "allow_partial", "true", NULL);
			ck_assert_double_eq(eigen_get(&r, CONVERGED), 0);
			ck_assert_double_eq(eigen_get(&r, ITERATIONS), limit);
			ck_assert_double_le(fabs(eigen_get(&r, VALUE)), 3.15);
			eigen_assert_unit_vector(&r.out[VECTOR]);
			args_fini(&r);
		}
	matrix_fini(&a);
}
END_TEST

START_TEST(a_stack_is_answered_matrix_by_matrix)
{
	static const double x[] = { 2, 1, 1, 2, -3, 1, 1, -3, 0, 1, 4, 0 };
	struct matrix a = matrix_of(FLOAT64, x, 4, (size_t)3, (size_t)1,
	                            (size_t)2, (size_t)2);
	struct args r;

	op_run("eigen", &a, 1, &r, NULL);
	ck_assert_int_eq(r.out[VALUE].ndim, 2);
	ck_assert_int_eq(r.out[VECTOR].ndim, 3);
	ck_assert_uint_eq(r.out[VECTOR].dim[2], 2);
	ck_assert_double_eq_tol(matrix_get(&r.out[VALUE], 0), 3, 1e-7);
	ck_assert_double_eq_tol(matrix_get(&r.out[VALUE], 1), -4, 1e-7);
	ck_assert_double_eq_tol(matrix_get(&r.out[VALUE], 2), 2, 1e-7);
	ck_assert_double_eq_tol(matrix_get(&r.out[VECTOR], 0), sqrt(0.5),
	                        1e-7);
	/* The second matrix has no bracket. */
	ck_assert(!(r.want >> BRACKET & 1));
	ck_assert(r.want >> TIE & 1);
	ck_assert_double_eq(matrix_get(&r.out[TIE], 0), 0);
	ck_assert_double_eq(matrix_get(&r.out[TIE], 2), 1);
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

START_TEST(a_stack_of_non_negative_matrices_has_a_bracket_each)
{
	static const double x[] = { 2, 1, 1, 2, 0, 1, 4, 0 };
	struct matrix a = matrix_of(FLOAT64, x, 3, (size_t)2, (size_t)2,
	                            (size_t)2);
	struct args r;

	op_run("eigen", &a, 1, &r, NULL);
	ck_assert_int_eq(r.out[BRACKET].ndim, 2);
	ck_assert_uint_eq(r.out[BRACKET].dim[1], 2);
	ck_assert_double_le(matrix_get(&r.out[BRACKET], 0), 3);
	ck_assert_double_ge(matrix_get(&r.out[BRACKET], 1), 3);
	ck_assert_double_le(matrix_get(&r.out[BRACKET], 2), 2);
	ck_assert_double_ge(matrix_get(&r.out[BRACKET], 3), 2);
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

/* Real pairs stay as they are when another matrix's pair is complex. */
START_TEST(one_complex_pair_makes_its_stack_complex)
{
	static const double x[] = { 2, -1, -1, 2, 1, 2, -2, 1 };
	struct matrix a = matrix_of(FLOAT32, x, 3, (size_t)2, (size_t)2,
	                            (size_t)2);
	struct args r;

	op_run("eigen", &a, 1, &r, NULL);
	ck_assert_uint_eq(r.real, 0);
	ck_assert_int_eq(r.out[VALUE].dtype, COMPLEX128);
	ck_assert_int_eq(r.out[VECTOR].dtype, COMPLEX64);
	ck_assert_double_eq_tol(matrix_get(&r.out[VALUE], 0), 3, 1e-5);
	ck_assert_double_eq(matrix_get_imaginary(&r.out[VALUE], 0), 0);
	ck_assert_double_eq(matrix_get_imaginary(&r.out[VECTOR], 1), 0);
	ck_assert_double_eq_tol(matrix_get(&r.out[VALUE], 1), 1, 1e-5);
	ck_assert_double_eq_tol(matrix_get_imaginary(&r.out[VALUE], 1), 2,
	                        1e-5);
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

static void check_failure(const struct args *r, size_t i, size_t index,
                          enum err_code code, const char *words)
{
	const struct failure f = args_failure(r, i);
	struct err e = { 0 };

	ck_assert_uint_eq(f.index, index);
	r->op->describe(r, &f, &e);
	ck_assert_int_eq(e.code, code);
	ck_assert_msg(strstr(e.text, words), "%s", e.text);
}

START_TEST(bad_matrices_of_a_stack_fail_alone)
{
	static const double x[] = { 2, 1, 1, 2, 1, 2, NAN, 4, 1e308, 1e308,
		1e308, 1e308, 3, 1, 1, 3 };
	struct matrix a = matrix_of(FLOAT64, x, 3, (size_t)4, (size_t)2,
	                            (size_t)2);
	struct args r;

	op_run("eigen", &a, 1, &r, NULL);
	ck_assert_uint_eq(r.failures, 2);
	check_failure(&r, 0, 1, ERR_NONFINITE, "(1, 0)");
	check_failure(&r, 1, 2, ERR_MATHEMATICS, "matrix 2 of the stack");
	ck_assert_double_eq_tol(matrix_get(&r.out[VALUE], 0), 3, 1e-7);
	ck_assert(isnan(matrix_get(&r.out[VALUE], 1)));
	ck_assert(isnan(matrix_get(&r.out[VECTOR], 3)));
	ck_assert(isnan(matrix_get(&r.out[BRACKET], 5)));
	ck_assert_double_eq(matrix_get(&r.out[CONVERGED], 2), 0);
	ck_assert_double_eq_tol(matrix_get(&r.out[VALUE], 3), 4, 1e-7);
	ck_assert_double_eq_tol(matrix_get(&r.out[BRACKET], 6), 4, 1e-7);
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

START_TEST(matrices_that_do_not_converge_fail_alone)
{
	static const double x[] = { 2, 1, 1, 2, 0, 1, 4, 0, 1, -1, 1, 1 };
	struct matrix a = matrix_of(FLOAT64, x, 3, (size_t)3, (size_t)2,
	                            (size_t)2);
	struct args r;

	op_run("eigen", &a, 1, &r, "method", "power", NULL);
	ck_assert_uint_eq(r.failures, 2);
	check_failure(&r, 0, 1, ERR_CONVERGENCE, "after 1000 products");
	check_failure(&r, 1, 2, ERR_CONVERGENCE, "not converged");
	args_fini(&r);
	op_run("eigen", &a, 1, &r, "method", "similarity", NULL);
	ck_assert_uint_eq(r.failures, 1);
	check_failure(&r, 0, 2, ERR_MATHEMATICS, "negative elements");
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

START_TEST(only_non_negative_matrices_have_a_bracket)
{
	static const double x[] = { 1, -2, -2, 1 };
	struct matrix a = matrix_of(FLOAT64, x, 2, (size_t)2, (size_t)2);
	struct args r;

	op_run("eigen", &a, 1, &r, NULL);
	ck_assert(!(r.want >> BRACKET & 1));
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

/* A Jordan block, whose inverse has elements up to 2^600: vectors of the sparse
 * search depend on each other, and the matrix is decomposed as a dense one. */
START_TEST(a_search_in_a_jordan_block_ends)
{
	enum { N = 600 };
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)N, (size_t)N);
	struct err e = { 0 };
	struct args r;

	for (size_t i = 0; i < N * N; i++)
		matrix_set(&a, i, i / N == i % N ? 0.5 : i / N + 1 == i % N);
	ck_ok(sparse_convert(&a, CSR, test_pool, &e), &e);
	op_run("eigen", &a, 1, &r, "which", "smallest", "k", "4", NULL);
	for (size_t i = 0; i < 4; i++)
		ck_assert_double_eq_tol(matrix_get(
		    &r.out[op_output(r.op, "eigenvalues")], i), 0.5, 1e-12);
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

START_TEST(a_failing_call_fails_the_operation_and_no_more)
{
	struct matrix positive = eigen_random_matrix(FLOAT64, 1, 5, 3);
	struct matrix symmetric = eigen_random_matrix(FLOAT64, 0, 5, 3);
	struct matrix general = eigen_random_matrix(FLOAT64, 2, 5, 3);

	op_survives_failing_calls("eigen", &positive, 1);
	op_survives_failing_calls("eigen", &symmetric, 1);
	op_survives_failing_calls("eigen", &general, 1);
	matrix_fini(&positive);
	matrix_fini(&symmetric);
	matrix_fini(&general);
}
END_TEST

void eigen_limit_tests(TCase *c)
{
	tcase_add_test(c, what_is_no_eigenproblem_is_refused);
	tcase_add_test(c, what_is_not_finite_is_refused_with_its_place);
	tcase_add_test(c, not_converging_is_refused_or_answered_as_partial);
	tcase_add_test(c, a_stack_is_answered_matrix_by_matrix);
	tcase_add_test(c,
	    a_stack_of_non_negative_matrices_has_a_bracket_each);
	tcase_add_test(c, one_complex_pair_makes_its_stack_complex);
	tcase_add_test(c, bad_matrices_of_a_stack_fail_alone);
	tcase_add_test(c, matrices_that_do_not_converge_fail_alone);
	tcase_add_test(c, only_non_negative_matrices_have_a_bracket);
	tcase_add_test(c, a_search_in_a_jordan_block_ends);
	tcase_add_test(c, a_failing_call_fails_the_operation_and_no_more);
}
