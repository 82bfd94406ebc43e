/* iterative_ways.c - preconditioners that do not exist, histories, partial
 * answers, memory and other sides of iterations. */
#include <math.h>
#include <stdio.h>

#include "ops/solve/iterative.h"
#include "tests/ops/lu/lu.h"
#include "tests/ops/solve/sparse.h"

static struct matrix small(const struct sparse_entry *x, size_t entries,
                           size_t n)
{
	struct matrix m = { .ndim = 2, .dim = { n, n } };
	struct err e = { 0 };

	ck_ok(sparse_build(&m, x, entries, test_pool, &e), &e);
	return m;
}

START_TEST(a_pivot_that_is_zero_is_told_with_its_row)
{
	/* The second pivot is 1 - 1 / 1. */
	const struct sparse_entry equal[] = {
		{ 0, 0, 1 }, { 0, 1, 1 }, { 1, 0, 1 }, { 1, 1, 1 }, { 2, 2, 1 }
	}, bare[] = {
		{ 0, 0, 1 }, { 1, 2, 1 }, { 2, 1, 1 }, { 2, 2, 1 }
	};
	struct matrix in[] = { small(equal, 5, 3),
	                       random_matrix(FLOAT64, 7, 1, (size_t)3) };
	struct matrix hollow[] = { small(bare, 4, 3), in[1] };
	struct err e = { 0 }, f = { 0 }, g = { 0 };
	struct args r;

	ck_refused(op_try("solve", in, 2, &r, &e, "method", "gmres",
	                  "preconditioner", "ilu0", NULL), &e, ERR_ZERO_PIVOT);
	ck_assert_msg(strstr(e.text, "row 1,"), "%s", e.text);
	ck_refused(op_try("solve", hollow, 2, &r, &f, "method", "gmres",
	                  "preconditioner", "ilu0", NULL), &f, ERR_ZERO_PIVOT);
	ck_assert_msg(strstr(f.text, "row 1,"), "%s", f.text);
	ck_refused(op_try("solve", hollow, 2, &r, &g, "method", "gmres",
	                  "preconditioner", "jacobi", NULL), &g,
	           ERR_ZERO_PIVOT);
	op_run("solve", hollow, 2, &r, "method", "gmres", NULL);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
	matrix_fini(&hollow[0]);
}
END_TEST

/* Kershaw's matrix (1978) is positive definite, but its incomplete factors have
 * a negative pivot. */
START_TEST(ichol0_shifts_the_diagonal_where_pivots_are_negative)
{
	const struct sparse_entry kershaw[] = {
		{ 0, 0, 3 }, { 0, 1, -2 }, { 0, 3, 2 }, { 1, 0, -2 },
		{ 1, 1, 3 }, { 1, 2, -2 }, { 2, 1, -2 }, { 2, 2, 3 },
		{ 2, 3, -2 }, { 3, 0, 2 }, { 3, 2, -2 }, { 3, 3, 3 }
	};
	struct matrix in[] = { small(kershaw, COUNT(kershaw), 4),
	                       random_matrix(FLOAT64, 7, 1, (size_t)4) };
	struct args r;

	op_run("solve", in, 2, &r, "method", "cg", "preconditioner", "ichol0",
	       "tol", "1e-12", NULL);
	ck_assert_double_le(sparse_residual(&in[0], &in[1],
	                                    &r.out[X], 0), 1.001e-12);
	ck_assert_double_gt(r.verdict.shift, 0);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

START_TEST(right_hand_sides_have_a_history_each)
{
	const size_t n = 144, sides = 3;
	struct matrix in[] = { sparse_system(LAPLACIAN, FLOAT64, 12),
	                       random_matrix(FLOAT64, 7, 2, n, sides) };
	struct args r;
	size_t length;

	for (size_t i = 0; i < n; i++)	/* the second one is zero */
		matrix_set(&in[1], i * sides + 1, 0);
	op_run("solve", in, 2, &r, "method", "cg", "tol", "1e-8", "return",
	       "x,iterations,converged,history", NULL);
	length = r.out[HISTORY].dim[1];
	ck_assert_int_eq(r.out[HISTORY].ndim, 2);
	ck_assert_int_eq(r.out[ITERATIONS].ndim, 1);
	for (size_t j = 0; j < sides; j++) {
		const size_t k = (size_t)matrix_get(&r.out[ITERATIONS], j);

		ck_assert_double_le(sparse_residual(&in[0], &in[1],
		                                    &r.out[X], j), 1.001e-8);
		ck_assert(matrix_get(&r.out[CONVERGED], j) == 1);
		ck_assert_uint_lt(k, length);
		ck_assert_double_eq(matrix_get(&r.out[HISTORY], j * length),
		                    j != 1);
		if (j == 1)
			ck_assert_uint_eq(k, 0);
		else
			ck_assert_double_le(matrix_get(&r.out[HISTORY],
			                               j * length + k), 1e-8);
		for (size_t i = k + 1; i < length; i++)
			ck_assert(isnan(matrix_get(&r.out[HISTORY],
			                           j * length + i)));
	}
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

START_TEST(a_partial_answer_says_so)
{
	struct matrix in[] = { sparse_system(LAPLACIAN, FLOAT64, 20),
	                       random_matrix(FLOAT64, 7, 1, (size_t)400) };
	struct args r;
	struct err e = { 0 };

	ck_refused(op_try("solve", in, 2, &r, &e, "method", "cg",
	                  "max_iterations", "5", NULL), &e, ERR_CONVERGENCE);
	ck_assert_msg(strstr(e.text, "in 5 iterations"), "%s", e.text);
	op_run("solve", in, 2, &r, "method", "cg", "max_iterations", "5",
	       "allow_partial", "true", NULL);
	ck_assert(matrix_get(&r.out[CONVERGED], 0) == 0);
	ck_assert_double_eq(matrix_get(&r.out[ITERATIONS], 0), 5);
	ck_assert_double_eq_tol(sparse_residual(&in[0], &in[1], &r.out[X], 0),
	                        r.verdict.relative_residual, 1e-12);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

/* Products of such elements overflow or underflow. */
START_TEST(elements_near_the_ends_of_the_range_are_scaled)
{
	static const double by[] = { 1e-300, 1e300, 1e-30, 1e35 };

	for (size_t i = 0; i < COUNT(by); i++) {
		const enum dtype t = i < 2 ? FLOAT64 : FLOAT32;
		struct matrix in[] = { sparse_system(LAPLACIAN, t, 8),
		                       random_matrix(t, 7, 1, (size_t)64) };
		struct args r;

		for (size_t k = 0; k < in[0].nnz; k++)
			matrix_set(&in[0], k, matrix_get(&in[0], k) * by[i]);
		for (size_t k = 0; k < 64; k++)
			matrix_set(&in[1], k, matrix_get(&in[1], k) * by[i]);
		op_run("solve", in, 2, &r, "method", "cg", "tol", "1e-5",
		       NULL);
		ck_assert_double_le(sparse_residual(&in[0], &in[1],
		                                    &r.out[X], 0), 1.01e-5);
		args_fini(&r);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

START_TEST(dense_matrices_iterate_when_asked)
{
	struct matrix in[] = { sparse_system(LAPLACIAN, FLOAT64, 6),
	                       random_matrix(FLOAT64, 7, 1, (size_t)36) };
	struct matrix dense[] = { matrix_ref(&in[0]), in[1] };
	struct err e = { 0 };
	struct args r;

	ck_ok(sparse_convert(&dense[0], DENSE, test_pool, &e), &e);
	op_run("solve", dense, 2, &r, "method", "cg", NULL);
	ck_assert_double_le(sparse_residual(&in[0], &in[1],
	                                    &r.out[X], 0), 1.001e-8);
	ck_assert_int_eq(r.out[ITERATIONS].ndim, 0);
	args_fini(&r);
	op_run("solve", in, 2, &r, NULL);
	ck_assert_double_le(sparse_residual(&in[0], &in[1],
	                                    &r.out[X], 0), 1e-13);
	ck_assert_int_eq(r.out[ITERATIONS].ndim, MATRIX_ABSENT);
	args_fini(&r);
	ck_refused(op_try("solve", dense, 2, &r, &e, "tol", "1e-3", NULL), &e,
	           ERR_PARAMETER);
	ck_assert_str_eq(e.pointer, "/tol");
	matrix_fini(&dense[0]);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

START_TEST(a_stack_of_right_hand_sides_fails_one_by_one)
{
	const size_t n = 64;
	struct matrix in[] = { sparse_system(NEUMANN, FLOAT64, 8),
	                       random_matrix(FLOAT64, 7, 3, (size_t)2, n,
	                                     (size_t)1) };
	double mean = 0;
	struct args r;

	/* The second system is consistent, the first is not. */
	for (size_t i = 0; i < n; i++)
		mean += matrix_get(&in[1], n + i) / (double)n;
	for (size_t i = 0; i < n; i++)
		matrix_set(&in[1], n + i, matrix_get(&in[1], n + i) - mean);
	op_run("solve", in, 2, &r, "method", "minres", "preconditioner",
	       "none", NULL);
	ck_assert_uint_eq(r.failures, 1);
	ck_assert(isnan(matrix_get(&r.out[X], 0)));
	ck_assert(isfinite(matrix_get(&r.out[X], n)));
	ck_assert(matrix_get(&r.out[CONVERGED], 1) == 1);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

START_TEST(no_equations_and_zero_have_answers)
{
	struct matrix in[] = { sparse_system(LAPLACIAN, FLOAT64, 0),
	                       random_matrix(FLOAT64, 7, 1, (size_t)0) };
	struct matrix zero[] = { sparse_system(LAPLACIAN, FLOAT64, 3),
	                         random_matrix(FLOAT64, 7, 1, (size_t)9) };
	struct args r;

	op_run("solve", in, 2, &r, "method", "cg", NULL);
	ck_assert_uint_eq(matrix_elements(&r.out[X]), 0);
	ck_assert(matrix_get(&r.out[CONVERGED], 0) == 1);
	args_fini(&r);
	for (size_t i = 0; i < 9; i++)
		matrix_set(&zero[1], i, 0);
	op_run("solve", zero, 2, &r, "method", "gmres", NULL);
	for (size_t i = 0; i < 9; i++)
		ck_assert_double_eq(matrix_get(&r.out[X], i), 0);
	ck_assert_double_eq(matrix_get(&r.out[ITERATIONS], 0), 0);
	args_fini(&r);
	for (int i = 0; i < 2; i++) {
		matrix_fini(&in[i]);
		matrix_fini(&zero[i]);
	}
}
END_TEST

START_TEST(elements_that_are_not_finite_are_refused)
{
	for (int i = 0; i < 2; i++) {
		struct matrix in[] = { sparse_system(LAPLACIAN, FLOAT64, 3),
		                       random_matrix(FLOAT64, 7, 1,
		                                     (size_t)9) };
		struct err e = { 0 };
		struct args r;

		matrix_set(&in[i], 5, i ? NAN : INFINITY);
		ck_refused(op_try("solve", in, 2, &r, &e, "method", "cg",
		                  NULL), &e, ERR_NONFINITE);
		ck_assert_str_eq(e.pointer, i ? "/b" : "/a");
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

/* The call takes no more of the device's memory than it had said. */
static void foresee(const struct variant *v)
{
	static const char *const methods[] = { "auto", "cg", "minres", "gmres",
	                                       "bicgstab", "jacobi" };
	static const enum kind kinds[] = { LAPLACIAN, CONVECTION, LONG_ROW,
	                                   UNEVEN };

	for (size_t i = 0; i < COUNT(methods) * COUNT(kinds); i++) {
		const enum kind kind = kinds[i % COUNT(kinds)];
		struct matrix in[] = { sparse_system(kind, FLOAT64, 17),
		                       random_matrix(FLOAT64, 7, 1,
		                                     (size_t)289) };
		struct err e = { 0 };
		struct args r;

		if (op_try("solve", in, 2, &r, &e, "method",
		           methods[i / COUNT(kinds)], "tol", "1e-3", "variant",
		           v->name, NULL) == 0) {
			const struct need n = need_now(&r);

			ck_assert_msg(test_memory <= n.bytes, "%s %s: %zu, "
			              "said %zu", v->name,
			              methods[i / COUNT(kinds)], test_memory,
			              n.bytes);
			args_fini(&r);
		}
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}

START_TEST(the_memory_that_is_needed_is_known_before)
{
	each_variant("solve", foresee);
}
END_TEST

START_TEST(a_failing_iteration_leaves_all_in_order)
{
	struct matrix in[] = { sparse_system(DIAGONAL, FLOAT64, 46),
	                       random_matrix(FLOAT64, 7, 1, (size_t)46 * 46) };

	ck_assert_uint_gt(in[0].dim[0], SOLVE_DENSE_ROWS);
	op_survives_failing_calls("solve", in, 2);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

void solve_add_iterative_ways_tests(TCase *t)
{
	tcase_add_test(t, a_pivot_that_is_zero_is_told_with_its_row);
	tcase_add_test(t, ichol0_shifts_the_diagonal_where_pivots_are_negative);
	tcase_add_test(t, right_hand_sides_have_a_history_each);
	tcase_add_test(t, a_partial_answer_says_so);
	tcase_add_test(t, elements_near_the_ends_of_the_range_are_scaled);
	tcase_add_test(t, dense_matrices_iterate_when_asked);
	tcase_add_test(t, a_stack_of_right_hand_sides_fails_one_by_one);
	tcase_add_test(t, no_equations_and_zero_have_answers);
	tcase_add_test(t, elements_that_are_not_finite_are_refused);
	tcase_add_test(t, the_memory_that_is_needed_is_known_before);
	tcase_add_test(t, a_failing_iteration_leaves_all_in_order);
}
