/* gram.c - tests that variant `cholesky` of qr is as accurate as Householder's
 * reflections for every condition number, has LAPACK's signs, and leaves only
 * those matrices to another method that it cannot factor. */
#include <math.h>

#include "ops/failure.h"
#include "ops/qr/device.h"
#include "tests/ops/qr/qr.h"

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

/* Does Cholesky's method itself succeed for the operand of a call? */
static bool succeeds(const struct args *a)
{
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, a->dtype, TIMING_NONE, &e);
	bool done = false;

	ck_assert(qr_gram_fits(a, seq_sheet(s)));
	ck_assert_int_eq(qr_gram_factor(s, a, &done), 0);
	ck_assert_int_eq(seq_finish(s), 0);
	seq_free(s);
	return done;
}

static const struct qr_by_cholesky by = { "cholesky", succeeds, 1 };

START_TEST(any_condition_number)
{
	qr_check_conditions(&by);
}
END_TEST

START_TEST(any_rank)
{
	qr_check_ranks(&by);
}
END_TEST

START_TEST(a_tall_triangle_is_its_own_r)
{
	qr_check_triangle(&by, 2000);
}
END_TEST

/* A matrix with a zero column or a NaN is left to the other method. */
START_TEST(what_cholesky_cannot_factor_goes_the_other_way)
{
	struct matrix x = random_matrix(FLOAT64, 2, 3, (size_t)2, (size_t)900,
	                                (size_t)70);
	struct args a;

	for (size_t i = 0; i < 900; i++)
		matrix_set(&x, (900 + i) * 70 + 7, 0);
	op_run("qr", &x, 1, &a, "variant", "cholesky", "quality", "full",
	       NULL);
	ck_assert_double_lt(a.verdict.residual, 1);
	ck_assert_double_lt(a.verdict.orthogonality, 1);
	ck_assert(!succeeds(&a));
	args_fini(&a);
	matrix_set(&x, 5, NAN);
	op_run("qr", &x, 1, &a, "variant", "cholesky", NULL);
	ck_assert_uint_eq(a.failures, 1);
	ck_assert_uint_eq(args_failure(&a, 0).index, 0);
	ck_assert(!succeeds(&a));
	args_fini(&a);
	matrix_fini(&x);
}
END_TEST

/* Q alone, R alone, and both are computed for a stack whose elements overflow
 * when they are squared. */
START_TEST(large_numbers_and_single_factors)
{
	static const char *const wanted[] = { "q", "r", "q,r" };
	struct matrix x = random_matrix(FLOAT64, 2, 3, (size_t)3, (size_t)800,
	                                (size_t)66);

	for (size_t e = 0; e < matrix_elements(&x); e++)
		matrix_set(&x, e, matrix_get(&x, e) *
		           (e % 66 < 30 ? 1e200 : 1e-200));
	for (size_t i = 0; i < COUNT(wanted); i++) {
		struct args a;

		op_run("qr", &x, 1, &a, "variant", "cholesky", "return",
		       wanted[i], "quality", "full", NULL);
		ck_assert(succeeds(&a));
		if (i == 2)
			ck_assert_double_lt(a.verdict.residual, 1);
		if (i != 1)
			ck_assert_double_lt(a.verdict.orthogonality, 1);
		args_fini(&a);
	}
	matrix_fini(&x);
}
END_TEST

/* Does the path that waits only once factor a matrix? */
static bool is_quick(const struct args *a)
{
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, a->dtype, TIMING_NONE, &e);
	bool done = false;

	ck_assert(qr_normal_fits(matrix_cols(&a->in[0]), seq_sheet(s)));
	ck_assert_int_eq(qr_quick_factor(s, a, &done), 0);
	ck_assert_int_eq(seq_finish(s), 0);
	seq_free(s);
	return done;
}

/* Matrices of any sizes are factored with a single wait unless they are
 * ill-conditioned. */
START_TEST(one_wait_is_enough_for_well_conditioned_matrices)
{
	static const size_t sizes[][2] = { { 270, 65 }, { 1100, 129 },
	                                   { 5000, 3 }, { 700, 64 } };

	for (size_t i = 0; i < COUNT(sizes); i++)
		for (size_t t = 0; t < COUNT(reals); t++)
			for (double c = 10; c < 1e15; c *= 1e12) {
				struct matrix x = qr_conditioned(reals[t],
				    sizes[i][0], sizes[i][1], sizes[i][1], c);
				struct args a;

				op_run("qr", &x, 1, &a, "variant", "cholesky",
				       "quality", "full", NULL);
				ck_assert_double_lt(a.verdict.residual, 1);
				ck_assert_double_lt(a.verdict.orthogonality,
				                    1);
				ck_assert(is_quick(&a) == (c < 1e3));
				args_fini(&a);
				matrix_fini(&x);
			}
}
END_TEST

/* A device call that fails ends the operation with its error, and never with an
 * answer by the other method. Each of the first calls fails once, and some of
 * the later ones, which launch the same kernels. */
START_TEST(failing_calls_of_every_pass_are_survived)
{
	struct matrix x = qr_conditioned(FLOAT64, 270, 66, 66, 1e10);
	int calls = 0, rc = -1;

	for (; rc != 0; calls += 1 + calls / 16) {
		struct err e = { 0 };
		struct args a;

		device_calls_left = calls;
		rc = op_try("qr", &x, 1, &a, &e, "variant", "cholesky", NULL);
		device_calls_left = -1;
		ck_assert(rc == 0 || e.code == ERR_DEVICE ||
		          e.code == ERR_MEMORY);
		ck_assert_int_lt(calls, 2000);
		if (rc == 0)
			args_fini(&a);
	}
	ck_assert_int_gt(calls, 50);
	matrix_fini(&x);
}
END_TEST

void qr_add_gram_tests(TCase *c)
{
	tcase_add_test(c, any_condition_number);
	tcase_add_test(c, any_rank);
	tcase_add_test(c, a_tall_triangle_is_its_own_r);
	tcase_add_test(c, what_cholesky_cannot_factor_goes_the_other_way);
	tcase_add_test(c, large_numbers_and_single_factors);
	tcase_add_test(c, one_wait_is_enough_for_well_conditioned_matrices);
	tcase_add_test(c, failing_calls_of_every_pass_are_survived);
}
