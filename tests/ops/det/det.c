/* det.c - the determinant in every variant: known determinants, determinants
 * beyond the range of the type, singular matrices, stacks, and outputs. */
#include <math.h>

#include "tests/ops/complex.h"

enum { DET, SIGN, LOGABSDET };
static const enum dtype reals[] = { FLOAT32, FLOAT64 };

static double get(const struct args *r, int output, size_t i)
{
	return matrix_get(&r->out[output], i);
}

/* Makes matrices of a_ij = min(i, j) + 1. L and U are triangles of ones, so
 * that the determinant is 1. */
static struct matrix known(enum dtype t, size_t stack, size_t n)
{
	struct matrix a = random_matrix(t, 3, 3, stack, n, n);

	for (size_t e = 0; e < matrix_elements(&a); e++)
		matrix_set(&a, e, (double)size_min(e / n % n, e % n) + 1);
	return a;
}

static void known_in(const struct variant *v)
{
	static const size_t sizes[] = { 0, 1, 2, 3, 5, 10, 50, 64, 65, 130 };

	for (size_t t = 0; t < COUNT(reals); t++)
		for (size_t i = 0; i < COUNT(sizes); i++) {
			const size_t n = sizes[i];
			struct matrix a = known(reals[t], 2, n);
			const double tol = (double)(n * n + 1) *
			                   dtype_epsilon(reals[t]);
			struct args r;

			op_run("det", &a, 1, &r, "variant", v->name, NULL);
			for (size_t s = 0; s < 2; s++) {
				ck_assert_double_eq_tol(get(&r, DET, s), 1,
				                        (n + 1) * tol);
				ck_assert_double_eq(get(&r, SIGN, s), 1);
				ck_assert_double_eq_tol(
				    get(&r, LOGABSDET, s), 0,
				    (n + 1) * tol);
			}
			ck_assert_int_eq(r.out[DET].dtype, reals[t]);
			ck_assert_double_lt(r.verdict.residual, 30);
			args_fini(&r);
			matrix_fini(&a);
		}
}

START_TEST(the_matrix_min_i_j_has_determinant_1)
{
	each_variant("det", known_in);
}
END_TEST

/* A is 2^power I with its rows permuted, so that every number is exact. */
static void powers_in(const struct variant *v)
{
	enum { N = 101 };

	for (int power = -30; power <= 30; power += 15)
		for (size_t t = 0; t < COUNT(reals); t++) {
			struct matrix a = random_matrix(reals[t], 1, 2,
			    (size_t)N, (size_t)N);
			const double log_det = N * power * log(2);
			struct args r;

			for (size_t e = 0; e < N * N; e++)
				matrix_set(&a, e, e % N == N - 1 - e / N ?
				           ldexp(1, power) : 0);
			op_run("det", &a, 1, &r, "variant", v->name, NULL);
			/* P has 50 interchanges. */
			ck_assert_double_eq(get(&r, SIGN, 0), 1);
			ck_assert_double_eq_tol(get(&r, LOGABSDET, 0),
			    log_det, 1e-12 + 1e-6 * fabs(log_det));
			ck_assert_double_eq(get(&r, DET, 0), power == 0 ? 1 :
			                    power > 0 ? INFINITY : 0);
			args_fini(&r);
			matrix_fini(&a);
		}
}

START_TEST(a_product_beyond_the_type_keeps_its_logarithm)
{
	each_variant("det", powers_in);
}
END_TEST

/* s [1 1; -1 1] has the determinant 2 s^2, and U overflows. */
static void overflowing_in(const struct variant *v)
{
	for (size_t t = 0; t < COUNT(reals); t++) {
		const double s = t ? 0x1p1023 : 0x1p127;
		struct matrix a = random_matrix(reals[t], 1, 3, (size_t)2,
		                                (size_t)2, (size_t)2);
		struct args r;

		for (size_t i = 0; i < 4; i++) {
			matrix_set(&a, i, i == 2 ? -1 : 1);
			matrix_set(&a, 4 + i, i == 2 ? -s : s);
		}
		op_run("det", &a, 1, &r, "variant", v->name, NULL);
		ck_assert_double_eq(get(&r, DET, 0), 2);
		ck_assert_double_eq(get(&r, DET, 1), INFINITY);
		ck_assert_double_eq(get(&r, SIGN, 1), 1);
		ck_assert_double_eq_tol(get(&r, LOGABSDET, 1), log(2) +
		                        2 * log(s), t ? 1e-12 : 1e-4);
		args_fini(&r);
		matrix_fini(&a);
	}
}

START_TEST(factors_that_overflow_leave_the_logarithm)
{
	each_variant("det", overflowing_in);
}
END_TEST

START_TEST(complex_factors_that_overflow_leave_the_logarithm)
{
	struct matrix a = random_complex(COMPLEX128, 1, (size_t)2, (size_t)2);
	struct args r;

	for (size_t i = 0; i < 4; i++)
		matrix_set_complex(&a, i, 0, i == 2 ? -0x1p1023 : 0x1p1023);
	op_run("det", &a, 1, &r, NULL);
	ck_assert_double_eq(get(&r, SIGN, 0), -1);
	ck_assert_double_eq_tol(get(&r, LOGABSDET, 0), 2047 * log(2), 1e-12);
	ck_assert_double_lt(r.verdict.residual, 30);
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

/* s [3 4; 4 5] for the least number s: its factors have no digits. And [1 s; s
 * 0], where the second pivot -s^2 underflows for other s. The determinants are
 * -s^2. */
static const struct { double least, small; } unders[] = {
	{ 0x1p-149, 0x1p-100 }, { 0x1p-1074, 0x1p-600 },
};

static void underflowing_in(const struct variant *v)
{
	for (size_t t = 0; t < COUNT(reals); t++) {
		const double s = unders[t].least, small = unders[t].small;
		const double values[] = { 3 * s, 4 * s, 4 * s, 5 * s,
		                          1, small, small, 0 };
		struct matrix a = matrix_of(reals[t], values, 3, (size_t)2,
		                            (size_t)2, (size_t)2);
		struct args r;

		op_run("det", &a, 1, &r, "variant", v->name, NULL);
		for (size_t i = 0; i < 2; i++) {
			ck_assert_double_eq(get(&r, DET, i), 0);
			ck_assert_double_eq(get(&r, SIGN, i), -1);
			ck_assert_double_eq_tol(get(&r, LOGABSDET, i), 2 *
			    log(i ? small : s), t ? 1e-12 : 1e-4);
		}
		args_fini(&r);
		matrix_fini(&a);
	}
}

START_TEST(factors_that_underflow_leave_the_logarithm)
{
	each_variant("det", underflowing_in);
}
END_TEST

/* The matrices of underflowing_in() times i, with the determinants s^2. */
START_TEST(complex_factors_that_underflow_leave_the_logarithm)
{
	static const enum dtype types[] = { COMPLEX64, COMPLEX128 };

	for (size_t i = 0; i < 4; i++) {
		const size_t t = i / 2;
		const double s = i % 2 ? unders[t].small : unders[t].least;
		const double values[] = { i % 2 ? 1 : 3 * s, i % 2 ? s : 4 * s,
		                          i % 2 ? s : 4 * s,
		                          i % 2 ? 0 : 5 * s };
		struct matrix a = random_complex(types[t], 1, (size_t)2,
		                                 (size_t)2);
		struct args r;

		for (size_t e = 0; e < 4; e++)
			matrix_set_complex(&a, e, 0, values[e]);
		op_run("det", &a, 1, &r, NULL);
		ck_assert_double_eq_tol(get(&r, SIGN, 0), 1, 1e-6);
		ck_assert_double_eq_tol(get(&r, LOGABSDET, 0), 2 * log(s),
		                        t ? 1e-12 : 1e-4);
		args_fini(&r);
		matrix_fini(&a);
	}
}
END_TEST

static void singular_in(const struct variant *v)
{
	static const double values[] = { 1, 2, 2, 4, 0, 2, 3, 0 };
	struct matrix a = matrix_of(FLOAT64, values, 3, (size_t)2, (size_t)2,
	                            (size_t)2);
	struct args r;

	op_run("det", &a, 1, &r, "variant", v->name, NULL);
	ck_assert_double_eq(get(&r, DET, 0), 0);
	ck_assert_double_eq(get(&r, SIGN, 0), 0);
	ck_assert_double_eq(get(&r, LOGABSDET, 0), -INFINITY);
	ck_assert_double_eq(get(&r, DET, 1), -6);
	ck_assert_double_eq(get(&r, SIGN, 1), -1);
	ck_assert_double_eq_tol(get(&r, LOGABSDET, 1), log(6), 1e-15);
	args_fini(&r);
	matrix_fini(&a);
}

START_TEST(a_singular_matrix_has_sign_0_beside_a_regular_one)
{
	each_variant("det", singular_in);
}
END_TEST

START_TEST(nan_reaches_the_determinant)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)4, (size_t)4);
	struct args r;

	matrix_set(&a, 5, NAN);
	op_run("det", &a, 1, &r, NULL);
	for (int i = DET; i <= LOGABSDET; i++)
		ck_assert(isnan(get(&r, i, 0)));
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

START_TEST(one_output_may_be_asked_for)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)4, (size_t)4);
	struct args r;

	op_run("det", &a, 1, &r, "return", "sign", NULL);
	ck_assert_int_eq(r.out[DET].ndim, MATRIX_ABSENT);
	ck_assert_double_eq(fabs(get(&r, SIGN, 0)), 1);
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

START_TEST(a_rectangle_is_refused)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)3, (size_t)4);
	struct err e = { 0 };
	struct args r;

	ck_refused(op_try("det", &a, 1, &r, &e, NULL), &e, ERR_SHAPE);
	matrix_fini(&a);
}
END_TEST

START_TEST(failing_calls_are_survived)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)5, (size_t)5);

	op_survives_failing_calls("det", &a, 1);
	matrix_fini(&a);
}
END_TEST

TCase *tcase_det(void)
{
	TCase *c = tcase_create("det");

	tcase_set_timeout(c, 600);
	tcase_add_test(c, the_matrix_min_i_j_has_determinant_1);
	tcase_add_test(c, a_product_beyond_the_type_keeps_its_logarithm);
	tcase_add_test(c, factors_that_overflow_leave_the_logarithm);
	tcase_add_test(c, complex_factors_that_overflow_leave_the_logarithm);
	tcase_add_test(c, factors_that_underflow_leave_the_logarithm);
	tcase_add_test(c, complex_factors_that_underflow_leave_the_logarithm);
	tcase_add_test(c, a_singular_matrix_has_sign_0_beside_a_regular_one);
	tcase_add_test(c, nan_reaches_the_determinant);
	tcase_add_test(c, one_output_may_be_asked_for);
	tcase_add_test(c, a_rectangle_is_refused);
	tcase_add_test(c, failing_calls_are_survived);
	return c;
}
