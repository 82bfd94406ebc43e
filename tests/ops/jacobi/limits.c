/* limits.c - where the iteration ends without an answer, the effects of weights
 * and schedules, and numbers at the limits of their types. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "tests/ops/jacobi/jacobi.h"

static struct system dense(const double *values, const double *sides,
                           size_t n)
{
	return (struct system){ .in = { matrix_of(FLOAT64, values, 2, n, n),
	                                matrix_of(FLOAT64, sides, 1, n) } };
}

/* Asserts that the call fails within `most` iterations, with one more
 * parameter, and that the error contains a word. */
static void fails(struct system *y, const char *precision, const char *most,
                  const char *name, const char *value, const char *word)
{
	struct err e = { 0 };
	struct args r;

	ck_refused(op_try("jacobi", y->in, 2, &r, &e, "precision", precision,
	                  "max_iterations", most, name, value, NULL), &e,
	           ERR_CONVERGENCE);
	ck_assert_msg(strstr(e.text, word), "%s", e.text);
}

/* The iteration matrix is nilpotent: the residual grows to 1e12 times |b| and
 * is zero after as many rounds as there are unknowns. */
static void transient(const struct variant *v)
{
	const double values[] = { 1, 1e6, 0, 0, 1, 1e6, 0, 0, 1 };
	const double sides[] = { 1, 2, 3 };
	const double x[] = { 1 - 1e6 * (2 - 3e6), 2 - 3e6, 3 };
	struct system y = dense(values, sides, 3);
	struct args r;

	op_run("jacobi", y.in, 2, &r, "variant", v->name, NULL);
	for (size_t i = 0; i < 3; i++)
		ck_assert_double_eq(matrix_get(&r.out[0], i), x[i]);
	ck_assert_double_eq(matrix_get(&r.out[1], 0), 3);
	ck_assert_double_eq(matrix_get(&r.out[2], 0), 1);
	args_fini(&r);
	system_fini(&y);
}

START_TEST(growth_that_ends_is_no_divergence)
{
	each_variant("jacobi", transient);
}
END_TEST

/* Upper bidiagonal, all integers: the residual doubles with every round, beyond
 * 1e13 times |b|, and is zero after as many rounds as there are unknowns. */
START_TEST(a_nilpotent_iteration_has_as_many_rounds_as_unknowns)
{
	enum { N = 45 };
	static double values[N * N], sides[N];
	struct system y;
	struct args r;

	for (size_t i = 0; i < N; i++) {
		values[i * N + i] = 1;
		sides[i] = i + 1 < N ? 3 : 1;	/* x is 1 */
		if (i + 1 < N)
			values[i * N + i + 1] = 2;
	}
	y = dense(values, sides, N);
	op_run("jacobi", y.in, 2, &r, NULL);
	for (size_t i = 0; i < N; i++)
		ck_assert_double_eq(matrix_get(&r.out[0], i), 1);
	ck_assert_double_eq(matrix_get(&r.out[1], 0), N);
	args_fini(&r);
	system_fini(&y);
}
END_TEST

/* The iteration matrix has the eigenvalues -4 and 4: divergence is reported
 * after two windows, and without the detector only when numbers overflow. */
START_TEST(the_detector_can_be_switched_off)
{
	const double values[] = { 1, 4, 4, 1 }, sides[] = { 1, 2 };
	struct system y = dense(values, sides, 2);
	struct err e = { 0 };
	struct args r;

	ck_refused(op_try("jacobi", y.in, 2, &r, &e, "max_iterations",
	                  "150", "allow_partial", "true", NULL), &e,
	           ERR_CONVERGENCE);
	ck_assert_msg(strstr(e.text, "detect_divergence"), "%s", e.text);
	op_run("jacobi", y.in, 2, &r, "max_iterations", "150",
	       "allow_partial", "true", "detect_divergence", "false", NULL);
	ck_assert_double_eq(matrix_get(&r.out[1], 0), 150);
	args_fini(&r);
	e = (struct err){ 0 };
	ck_refused(op_try("jacobi", y.in, 2, &r, &e, "max_iterations",
	                  "100000", "allow_partial", "true",
	                  "detect_divergence", "false", NULL), &e,
	           ERR_CONVERGENCE);
	ck_assert_msg(strstr(e.text, "beyond float64"), "%s", e.text);
	system_fini(&y);
}
END_TEST

START_TEST(divergence_is_told_early)
{
	const double values[] = { 1, 5, 5, 1 }, sides[] = { 1, 2 };
	struct system y = dense(values, sides, 2);

	fails(&y, "float64", "1000000", "allow_partial", "true", "diverges");
	fails(&y, "mixed", "1000000", "allow_partial", "true", "diverges");
	fails(&y, "float32", "1000000", "allow_partial", "true", "diverges");
	system_fini(&y);
}
END_TEST

START_TEST(too_few_iterations_are_told_or_allowed)
{
	struct system y = stencil(FLOAT64, 8);
	struct err e = { 0 };
	struct args r;

	ck_refused(op_try("jacobi", y.in, 2, &r, &e, "max_iterations", "3",
	                  NULL), &e, ERR_CONVERGENCE);
	ck_assert_msg(strstr(e.text, "did not converge in 3 iterations"), "%s",
	              e.text);
	op_run("jacobi", y.in, 2, &r, "max_iterations", "3", "allow_partial",
	       "true", NULL);
	ck_assert_double_eq(matrix_get(&r.out[1], 0), 3);
	ck_assert_double_eq(matrix_get(&r.out[2], 0), 0);
	args_fini(&r);
	system_fini(&y);
}
END_TEST

/* x converges at the very last iteration that is allowed. */
START_TEST(the_last_iteration_counts)
{
	struct system y = stencil(FLOAT64, 8);
	char limit[32];
	struct args r;
	double rounds;

	op_run("jacobi", y.in, 2, &r, "tol", "1e-9", NULL);
	rounds = matrix_get(&r.out[1], 0);
	args_fini(&r);
	snprintf(limit, sizeof limit, "%.0f", rounds);
	op_run("jacobi", y.in, 2, &r, "tol", "1e-9", "max_iterations", limit,
	       NULL);
	ck_assert_double_eq(matrix_get(&r.out[1], 0), rounds);
	ck_assert_double_eq(matrix_get(&r.out[2], 0), 1);
	args_fini(&r);
	snprintf(limit, sizeof limit, "%.0f", rounds - 1);
	op_run("jacobi", y.in, 2, &r, "tol", "1e-9", "max_iterations", limit,
	       "allow_partial", "true", NULL);
	ck_assert_double_eq(matrix_get(&r.out[2], 0), 0);
	args_fini(&r);
	system_fini(&y);
}
END_TEST

START_TEST(float32_is_not_believed_beyond_its_digits)
{
	struct system y = stencil(FLOAT64, 16);

	fails(&y, "mixed", "2000", "tol", "1e-13", "converge");
	fails(&y, "float32", "2000", "tol", "1e-13", "converge");
	system_fini(&y);
}
END_TEST

static void schedules(const struct variant *v)
{
	static const char *const good[] = { "40,40,1000", "0,100,400",
		"100,0,400", "0,0,400" };
	struct system y = graded(FLOAT64, 200);
	struct args r;

	for (size_t i = 0; i < COUNT(good); i++) {
		op_run("jacobi", y.in, 2, &r, "variant", v->name, "schedule",
		       good[i], "tol", "1e-13", "permutation", "symmetric",
		       NULL);
		ck_assert_double_le(relative_residual(&y, &r.out[0]),
		                    residual_limit(&y, 1e-13));
		args_fini(&r);
	}
	op_run("jacobi", y.in, 2, &r, "variant", v->name, "schedule", "5,7,4",
	       "tol", "1e-300", "allow_partial", "true", NULL);
	ck_assert_double_eq(matrix_get(&r.out[1], 0), 16);
	args_fini(&r);
	op_run("jacobi", y.in, 2, &r, "variant", v->name, "schedule",
	       "5,70,40", "tol", "1e-300", "allow_partial", "true",
	       "max_iterations", "20", NULL);
	ck_assert_double_eq(matrix_get(&r.out[1], 0), 20);
	args_fini(&r);
	/* without max_iterations the whole schedule runs */
	op_run("jacobi", y.in, 2, &r, "variant", v->name, "schedule",
	       "0,0,1500", "tol", "1e-300", "allow_partial", "true", NULL);
	ck_assert_double_eq(matrix_get(&r.out[1], 0), 1500);
	args_fini(&r);
	system_fini(&y);
}

START_TEST(a_schedule_ends_where_float64_does)
{
	each_variant("jacobi", schedules);
}
END_TEST

START_TEST(a_schedule_is_three_whole_numbers)
{
	static const char *const bad[] = { "0,0,0", "1,2", "1,2,3,4", "1,2,x",
		"1,-2,3", "1.5,2,3", "", ",,", "1,2,3,", "1e20,0,0" };
	struct system y = stencil(FLOAT64, 3);

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct err e = { 0 };
		struct args r;

		ck_refused(op_try("jacobi", y.in, 2, &r, &e, "schedule",
		                  bad[i], NULL), &e, ERR_PARAMETER);
	}
	system_fini(&y);
}
END_TEST

/* The iteration matrix has the eigenvalue -1.6; with omega 1/2 none exceeds 0.9
 * in modulus. */
START_TEST(a_weight_makes_it_converge)
{
	const double values[] = { 1, .8, .8, .8, 1, .8, .8, .8, 1 };
	const double sides[] = { 1, 2, 3 };
	struct system y = dense(values, sides, 3);
	struct err e = { 0 };
	struct args r;

	ck_refused(op_try("jacobi", y.in, 2, &r, &e, NULL), &e,
	           ERR_CONVERGENCE);
	op_run("jacobi", y.in, 2, &r, "omega", "0.5", "tol", "1e-12", NULL);
	/* (A + .2 - .2) x = b: the sum of x is sum(b) / 2.6 */
	for (size_t i = 0; i < 3; i++)
		ck_assert_double_eq_tol(matrix_get(&r.out[0], i),
		                        (sides[i] - .8 * 6 / 2.6) / .2, 1e-10);
	args_fini(&r);
	e = (struct err){ 0 };
	ck_refused(op_try("jacobi", y.in, 2, &r, &e, "omega", "2", NULL), &e,
	           ERR_PARAMETER);
	e = (struct err){ 0 };
	ck_refused(op_try("jacobi", y.in, 2, &r, &e, "omega", "0", NULL), &e,
	           ERR_PARAMETER);
	system_fini(&y);
}
END_TEST

static void scaled(double a, double b, const char *precision, const char *tol,
                   double error)
{
	const double values[] = { 3 * a, -a, a, 4 * a };
	const double sides[] = { b, 9 * b };	/* x = (1, 2) b / a */
	struct system y = dense(values, sides, 2);
	struct args r;

	op_run("jacobi", y.in, 2, &r, "precision", precision, "tol", tol,
	       NULL);
	for (size_t i = 0; i < 2; i++)
		ck_assert_double_eq_tol(matrix_get(&r.out[0], i) / b * a,
		                        (double)i + 1, error);
	args_fini(&r);
	system_fini(&y);
}

START_TEST(large_and_small_numbers_neither_overflow_nor_vanish)
{
	scaled(1, 1e300, "float64", "1e-13", 1e-12);
	scaled(1, 1e-290, "float64", "1e-13", 1e-12);
	scaled(1e150, 1e-100, "float64", "1e-13", 1e-12);
	scaled(1, 1e300, "float32", "1e-6", 1e-5);
	scaled(1, 1e-290, "float32", "1e-6", 1e-5);
	scaled(1e150, 1e150, "mixed", "1e-6", 1e-5);
}
END_TEST

START_TEST(what_float32_cannot_hold_is_refused_there)
{
	const double values[] = { 1e200, 1e190, 1e190, 1e200 };
	const double sides[] = { 1, 1 };
	struct system y = dense(values, sides, 2);
	struct err e = { 0 };
	struct args r;

	ck_refused(op_try("jacobi", y.in, 2, &r, &e, "precision", "float32",
	                  NULL), &e, ERR_MATHEMATICS);
	system_fini(&y);
}
END_TEST

START_TEST(nan_and_infinity_are_refused)
{
	const double values[] = { 2, INFINITY, 0, 2 }, good[] = { 2, 1, 1, 2 };
	const double sides[] = { 1, 1 }, nan[] = { 1, NAN };
	struct system systems[] = { dense(values, sides, 2),
	                            dense(good, nan, 2) };

	for (size_t i = 0; i < COUNT(systems); i++) {
		struct err e = { 0 };
		struct args r;

		ck_refused(op_try("jacobi", systems[i].in, 2, &r, &e, NULL),
		           &e, ERR_NONFINITE);
		system_fini(&systems[i]);
	}
}
END_TEST

START_TEST(b_must_fit)
{
	struct matrix in[2] = {
		random_matrix(FLOAT64, 1, 2, (size_t)3, (size_t)3),
		random_matrix(FLOAT64, 1, 1, (size_t)2)
	};
	struct err e = { 0 };
	struct args r;

	ck_refused(op_try("jacobi", in, 2, &r, &e, NULL), &e, ERR_SHAPE);
	ck_assert_str_eq(e.pointer, "/b");
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

void jacobi_limits(TCase *t)
{
	tcase_add_test(t, growth_that_ends_is_no_divergence);
	tcase_add_test(t,
	               a_nilpotent_iteration_has_as_many_rounds_as_unknowns);
	tcase_add_test(t, the_detector_can_be_switched_off);
	tcase_add_test(t, divergence_is_told_early);
	tcase_add_test(t, too_few_iterations_are_told_or_allowed);
	tcase_add_test(t, the_last_iteration_counts);
	tcase_add_test(t, float32_is_not_believed_beyond_its_digits);
	tcase_add_test(t, a_schedule_ends_where_float64_does);
	tcase_add_test(t, a_schedule_is_three_whole_numbers);
	tcase_add_test(t, a_weight_makes_it_converge);
	tcase_add_test(t,
	               large_and_small_numbers_neither_overflow_nor_vanish);
	tcase_add_test(t, what_float32_cannot_hold_is_refused_there);
	tcase_add_test(t, nan_and_infinity_are_refused);
	tcase_add_test(t, b_must_fit);
}
