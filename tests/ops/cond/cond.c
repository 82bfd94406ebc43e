/* cond.c - condition numbers of matrices whose inverses are known, of singular
 * ones, and of those near overflow. */
#include <float.h>
#include <math.h>

#include "ops/failure.h"
#include "tests/ops/op.h"

enum { RCOND, COND };			/* outputs */

static double cond_of(const struct matrix *a, const char *ord)
{
	struct args r;
	double x;

	op_run("cond", a, 1, &r, "ord", ord, NULL);
	ck_assert_int_eq(r.out[RCOND].ndim, MATRIX_ABSENT);
	ck_assert_int_eq(r.out[COND].dtype, a->dtype);
	x = matrix_get(&r.out[COND], 0);
	args_fini(&r);
	return x;
}

static double rcond_of(const struct matrix *a)
{
	struct args r;
	double x;

	op_run("cond", a, 1, &r, NULL);
	ck_assert_int_eq(r.out[COND].ndim, MATRIX_ABSENT);
	x = matrix_get(&r.out[RCOND], 0);
	args_fini(&r);
	return x;
}

/* A = [4 1; 2 1] and A^-1 = [0.5 -0.5; -1 2] have the 1-norms 6 and 2.5, the
 * infinity norms 5 and 3, and the Frobenius norms sqrt(22) and sqrt(5.5). */
static void known(enum dtype t, double scale)
{
	const double eps = 16 * dtype_epsilon(t);
	struct matrix a = matrix_of(t, (double[]){ 4 * scale, scale,
	    2 * scale, scale }, 2, (size_t)2, (size_t)2);

	ck_assert_double_eq_tol(cond_of(&a, "1"), 15, 15 * eps);
	ck_assert_double_eq_tol(cond_of(&a, "inf"), 15, 15 * eps);
	ck_assert_double_eq_tol(cond_of(&a, "fro"), 11, 11 * eps);
	ck_assert_double_eq_tol(cond_of(&a, "2"), (11 + sqrt(117)) / 2,
	                        11 * eps);
	ck_assert_double_eq_tol(rcond_of(&a), 1.0 / 15, eps);
	matrix_fini(&a);
}

START_TEST(a_known_matrix_at_every_scale)
{
	known(FLOAT32, 1);
	known(FLOAT32, FLT_MAX / 8);
	known(FLOAT64, 1);
	known(FLOAT64, DBL_MAX / 8);
	known(FLOAT64, DBL_MIN);
}
END_TEST

/* The 1-norm and the infinity norm must not be taken for each other. */
START_TEST(the_1_norm_is_of_columns)
{
	struct matrix a = matrix_of(FLOAT64, (double[]){ 1, 10, 0, 0, 1, 10, 0,
	    0, 1 }, 2, (size_t)3, (size_t)3);

	/* A^-1 = [1 -10 100; 0 1 -10; 0 0 1] */
	ck_assert_double_eq_tol(cond_of(&a, "1"), 11 * 111, 1e-10);
	ck_assert_double_eq_tol(cond_of(&a, "inf"), 11 * 111, 1e-10);
	matrix_set(&a, 3, 4);
	/* |A^-1| changes: det = -39; its norms differ. */
	ck_assert_double_eq_tol(rcond_of(&a) * cond_of(&a, "1"), 1, 1e-10);
	ck_assert(fabs(cond_of(&a, "1") - cond_of(&a, "inf")) > 1e-3);
	matrix_fini(&a);
}
END_TEST

/* H diag(1, 2, ..., n), where H = I - 2 J / n reflects the vector of ones, has
 * the singular values 1 to n. */
static void large(const struct variant *v)
{
	const size_t n = 145;

	for (size_t i = 0; i < 2; i++) {
		const enum dtype t = i ? FLOAT64 : FLOAT32;
		struct matrix a = random_matrix(t, 1, 2, n, n);
		struct err e = { 0 };
		struct args r;

		for (size_t k = 0; k < n * n; k++)
			matrix_set(&a, k, (double)(k % n + 1) *
			           ((k % n == k / n) - 2.0 / (double)n));
		op_run("cond", &a, 1, &r, "ord", "2", "variant", v->name, NULL);
		ck_assert_double_eq_tol(matrix_get(&r.out[COND], 0), (double)n,
		                        1e4 * dtype_epsilon(t) * (double)n);
		args_fini(&r);
		op_run("cond", &a, 1, &r, "variant", v->name, NULL);
		ck_assert_double_gt(matrix_get(&r.out[RCOND], 0), 1e-4);
		args_fini(&r);
		matrix_set(&a, n + 3, INFINITY);
		ck_refused(op_try("cond", &a, 1, &r, &e, "ord", "2", "variant",
		                  v->name, NULL), &e, ERR_NONFINITE);
		matrix_fini(&a);
	}
}

START_TEST(large_matrices_in_every_variant)
{
	each_variant("cond", large);
}
END_TEST

START_TEST(singular_matrices_answer_too)
{
	struct matrix a = matrix_of(FLOAT64, (double[]){ 1, 2, 2, 4 }, 2,
	                            (size_t)2, (size_t)2);
	struct matrix zero = matrix_of(FLOAT32, (double[]){ 0, 0, 0, 0 }, 2,
	                               (size_t)2, (size_t)2);

	ck_assert_double_eq(rcond_of(&a), 0);
	ck_assert_double_eq(cond_of(&a, "1"), INFINITY);
	ck_assert_double_gt(cond_of(&a, "2"), 1e15);
	ck_assert_double_eq(rcond_of(&zero), 0);
	ck_assert_double_eq(cond_of(&zero, "2"), INFINITY);
	ck_assert_double_eq(cond_of(&zero, "fro"), INFINITY);
	matrix_fini(&a);
	matrix_fini(&zero);
}
END_TEST

/* I - 10 N has the inverse of 10^(i - j) on and below the diagonal: its
 * condition is about 10^n in all norms, which leaves the range of either type
 * as n grows. It is never NaN, and never small. */
static void growing(enum dtype t, size_t first, size_t last, double most)
{
	static const char *const ords[] = { "1", "inf", "fro" };

	for (size_t n = first; n <= last; n += 1 + (last - first) / 16) {
		struct matrix a = random_matrix(t, 1, 2, n, n);
		const double least = pow(10, (double)n - 1);

		for (size_t i = 0; i < n * n; i++)
			matrix_set(&a, i, i / n == i % n ? 1 :
			           i / n == i % n + 1 ? -10 : 0);
		for (size_t k = 0; k < COUNT(ords); k++) {
			const double x = cond_of(&a, ords[k]);

			ck_assert(x >= fmin(least, most));
			ck_assert(x <= 200 * least || least > most / 200);
		}
		matrix_fini(&a);
	}
}

START_TEST(an_inverse_that_overflows)
{
	growing(FLOAT32, 30, 62, FLT_MAX);
	growing(FLOAT64, 290, 354, DBL_MAX);
}
END_TEST

/* s (I + J) has the singular values 13 s and s for n = 12. */
START_TEST(singular_values_that_overflow)
{
	for (size_t i = 0; i < 2; i++) {
		const enum dtype t = i ? FLOAT64 : FLOAT32;
		const size_t n = 12;
		struct matrix a = random_matrix(t, 1, 2, n, n);

		for (size_t k = 0; k < n * n; k++)
			matrix_set(&a, k, (i ? 5e307 : 1e38) *
			           (k / n == k % n ? 2 : 1));
		ck_assert_double_eq_tol(cond_of(&a, "2"), 13,
		                        1e3 * dtype_epsilon(t));
		matrix_fini(&a);
	}
}
END_TEST

START_TEST(a_bad_matrix_of_a_stack_fails_alone)
{
	static const char *const ords[] = { "1", "2" };

	for (size_t i = 0; i < COUNT(ords); i++) {
		struct matrix a = random_matrix(FLOAT32, 1, 3, (size_t)3,
		                                (size_t)4, (size_t)4);
		struct args r;

		matrix_set(&a, 16 + 5, NAN);
		op_run("cond", &a, 1, &r, "ord", ords[i], NULL);
		ck_assert_uint_eq(r.failures, 1);
		ck_assert_uint_eq(args_failure(&r, 0).index, 1);
		ck_assert_double_ge(matrix_get(&r.out[COND], 0), 1);
		ck_assert(isnan(matrix_get(&r.out[COND], 1)));
		ck_assert_double_ge(matrix_get(&r.out[COND], 2), 1);
		args_fini(&r);
		matrix_fini(&a);
	}
}
END_TEST

static void refused(struct matrix a, const char *ord, enum err_code code)
{
	struct err e = { 0 };
	struct args r;
	int rc = ord ? op_try("cond", &a, 1, &r, &e, "ord", ord, NULL) :
	               op_try("cond", &a, 1, &r, &e, NULL);

	ck_refused(rc, &e, code);
	matrix_fini(&a);
}

START_TEST(shapes_without_a_condition_are_refused)
{
	struct matrix nan = random_matrix(FLOAT64, 1, 2, (size_t)2, (size_t)2);

	refused(random_matrix(FLOAT64, 1, 2, (size_t)2, (size_t)3), NULL,
	        ERR_SHAPE);
	refused(random_matrix(FLOAT64, 1, 2, (size_t)2, (size_t)3), "fro",
	        ERR_SHAPE);
	refused(random_matrix(FLOAT64, 1, 2, (size_t)0, (size_t)0), "1",
	        ERR_MATHEMATICS);
	refused(random_matrix(FLOAT64, 1, 2, (size_t)0, (size_t)3), "2",
	        ERR_MATHEMATICS);
	matrix_set(&nan, 2, NAN);
	refused(nan, NULL, ERR_NONFINITE);
}
END_TEST

/* The inverse of this triangle has elements of 10^329. */
START_TEST(an_inverse_that_overflows_has_an_infinite_condition)
{
	static const char *const ords[] = { "1", "inf", "fro" };
	const size_t n = 330;
	struct matrix a = random_matrix(FLOAT64, 1, 2, n, n);

	for (size_t i = 0; i < n * n; i++)
		matrix_set(&a, i, i / n == i % n ? 1 :
		                  i / n == i % n + 1 ? -10 : 0);
	for (size_t k = 0; k < COUNT(ords); k++) {
		struct args r;

		op_run("cond", &a, 1, &r, "ord", ords[k], NULL);
		ck_assert(isinf(matrix_get(&r.out[1], 0)));
		args_fini(&r);
	}
	matrix_fini(&a);
}
END_TEST

TCase *tcase_cond(void)
{
	TCase *c = tcase_create("cond");

	tcase_set_timeout(c, 600);
	tcase_add_test(c, a_known_matrix_at_every_scale);
	tcase_add_test(c, the_1_norm_is_of_columns);
	tcase_add_test(c, large_matrices_in_every_variant);
	tcase_add_test(c, singular_matrices_answer_too);
	tcase_add_test(c, an_inverse_that_overflows);
	tcase_add_test(c, singular_values_that_overflow);
	tcase_add_test(c, a_bad_matrix_of_a_stack_fails_alone);
	tcase_add_test(c, shapes_without_a_condition_are_refused);
	tcase_add_test(c,
	    an_inverse_that_overflows_has_an_infinite_condition);
	return c;
}
