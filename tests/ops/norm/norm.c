/* norm.c - norms of matrices, with numbers that overflow when squared, and with
 * NaN and infinity. */
#include <float.h>
#include <math.h>

#include "ops/failure.h"
#include "tests/ops/op.h"

static const char *const ords[] = { "fro", "1", "inf", "max", "2", "nuc" };
enum { OF_ELEMENTS = 4 };		/* the first so many of `ords` */

static double norm_of(const struct matrix *a, const char *ord,
                      const char *variant)
{
	struct args r;
	double x;

	op_run("norm", a, 1, &r, "ord", ord, "variant", variant, NULL);
	x = matrix_get(&r.out[0], 0);
	args_fini(&r);
	return x;
}

/* The matrix [3 0; 4 0] has the column sums 7 and 0, and the singular values 5
 * and 0. */
static void known(const struct variant *v)
{
	static const double want[] = { 5, 7, 4, 4, 5, 5 };

	for (int t = FLOAT32; t <= FLOAT64; t++) {
		struct matrix a = matrix_of((enum dtype)t,
		    (double[]){ 3, 0, -4, 0 }, 2, (size_t)2, (size_t)2);

		for (size_t i = 0; i < COUNT(ords); i++)
			ck_assert_double_eq_tol(norm_of(&a, ords[i], v->name),
			    want[i], 8 * dtype_epsilon((enum dtype)t));
		matrix_fini(&a);
	}
}

START_TEST(every_order_of_a_known_matrix)
{
	each_variant("norm", known);
}
END_TEST

static double sum_of(const struct matrix *a, size_t from, size_t step,
                     size_t n)
{
	double all = 0;

	for (size_t i = 0; i < n; i++)
		all += fabs(matrix_get(a, from + i * step));
	return all;
}

/* The sizes stand on either side of a reduction's block of 8192. */
static void every_size(const struct variant *v)
{
	static const size_t sizes[][2] = {
		{ 1, 1 }, { 1, 70 }, { 70, 1 }, { 33, 65 }, { 5, 9000 },
		{ 9000, 3 },
	};

	for (size_t k = 0; k < COUNT(sizes); k++) {
		const size_t m = sizes[k][0], n = sizes[k][1];
		struct matrix a = random_matrix(FLOAT64, 1, 2, m, n);
		double one = 0, inf = 0;

		for (size_t j = 0; j < n; j++)
			one = fmax(one, sum_of(&a, j, n, m));
		for (size_t i = 0; i < m; i++)
			inf = fmax(inf, sum_of(&a, i * n, 1, n));
		ck_assert_double_eq_tol(norm_of(&a, "1", v->name), one,
		                        1e-14 * (double)m * one);
		ck_assert_double_eq_tol(norm_of(&a, "inf", v->name), inf,
		                        1e-14 * (double)n * inf);
		matrix_fini(&a);
	}
}

START_TEST(sums_of_columns_and_rows)
{
	each_variant("norm", every_size);
}
END_TEST

static void extreme(const struct variant *v)
{
	const double sizes[] = { DBL_MAX / 4, DBL_MIN / 4 };

	for (size_t i = 0; i < COUNT(sizes); i++) {
		const double x = sizes[i];
		struct matrix a = matrix_of(FLOAT64, (double[]){ x, x, x, x },
		                            2, (size_t)2, (size_t)2);

		ck_assert_double_eq(norm_of(&a, "fro", v->name), 2 * x);
		ck_assert_double_eq(norm_of(&a, "1", v->name), 2 * x);
		ck_assert_double_eq_tol(norm_of(&a, "2", v->name) / x, 2,
		                        1e-14);
		matrix_fini(&a);
	}
}

START_TEST(squares_neither_overflow_nor_underflow)
{
	each_variant("norm", extreme);
}
END_TEST

/* The matrices H diag(1, 2, ..., n), 2 of them, where H is the reflection of
 * random vectors: their singular values are 1, 2, ..., n. With `wide` the
 * transposes, and with `more` rows or columns of zeros more. */
static struct matrix counted(enum dtype t, size_t n, size_t more, bool wide)
{
	const size_t m = n + more;
	struct matrix v = random_matrix(FLOAT64, 9, 2, (size_t)2, n);
	struct matrix a = wide ? random_matrix(t, 1, 3, (size_t)2, n, m) :
	                         random_matrix(t, 1, 3, (size_t)2, m, n);

	for (size_t e = 0; e < 2 * m * n; e++) {
		const size_t s = e / (m * n), at = e % (m * n);
		const size_t i = wide ? at % m : at / n;
		const size_t j = wide ? at / m : at % n;
		double square = 0;

		for (size_t k = 0; k < n; k++)
			square += pow(matrix_get(&v, s * n + k), 2);
		matrix_set(&a, e, i < n ? (double)(j + 1) * ((i == j) -
		           2 * matrix_get(&v, s * n + i) *
		           matrix_get(&v, s * n + j) / square) : 0);
	}
	matrix_fini(&v);
	return a;
}

static void large(const struct variant *v)
{
	for (size_t i = 0; i < 4; i++) {
		const enum dtype t = i % 2 ? FLOAT64 : FLOAT32;
		const double eps = 145 * dtype_epsilon(t);
		struct matrix a = counted(t, 145, i * 3, i / 2);
		struct args r;

		op_run("norm", &a, 1, &r, "ord", "2", "variant", v->name, NULL);
		for (size_t s = 0; s < 2; s++)
			ck_assert_double_eq_tol(matrix_get(&r.out[0], s), 145,
			                        145 * eps);
		args_fini(&r);
		op_run("norm", &a, 1, &r, "ord", "nuc", "variant", v->name,
		       NULL);
		for (size_t s = 0; s < 2; s++)
			ck_assert_double_eq_tol(matrix_get(&r.out[0], s),
			                        145 * 146 / 2, 1e4 * eps);
		args_fini(&r);
		matrix_fini(&a);
	}
}

START_TEST(singular_values_of_large_matrices)
{
	each_variant("norm", large);
}
END_TEST

static void nan_first(const struct variant *v)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)5, (size_t)5);

	matrix_set(&a, 7, INFINITY);
	for (int i = 0; i < OF_ELEMENTS; i++)
		ck_assert_double_eq(norm_of(&a, ords[i], v->name), INFINITY);
	matrix_set(&a, 3, NAN);
	for (int i = 0; i < OF_ELEMENTS; i++)
		ck_assert(isnan(norm_of(&a, ords[i], v->name)));
	matrix_fini(&a);
}

START_TEST(nan_wins_over_infinity)
{
	each_variant("norm", nan_first);
}
END_TEST

START_TEST(a_bad_matrix_of_a_stack_fails_alone)
{
	struct matrix a = random_matrix(FLOAT32, 1, 3, (size_t)3, (size_t)4,
	                                (size_t)2);
	struct args r;

	matrix_set(&a, 8 + 3, INFINITY);
	op_run("norm", &a, 1, &r, "ord", "2", NULL);
	ck_assert_uint_eq(r.failures, 1);
	ck_assert_uint_eq(args_failure(&r, 0).index, 1);
	ck_assert(isfinite(matrix_get(&r.out[0], 0)));
	ck_assert(isnan(matrix_get(&r.out[0], 1)));
	ck_assert(isfinite(matrix_get(&r.out[0], 2)));
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

START_TEST(singular_values_of_nan_are_refused)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)3, (size_t)3);
	struct err e = { 0 };
	struct args r;

	matrix_set(&a, 5, NAN);
	ck_refused(op_try("norm", &a, 1, &r, &e, "ord", "nuc", NULL), &e,
	           ERR_NONFINITE);
	matrix_fini(&a);
}
END_TEST

START_TEST(empty_matrices_have_norm_0)
{
	for (size_t i = 0; i < COUNT(ords); i++) {
		struct matrix a = random_matrix(FLOAT64, 1, 3, (size_t)2,
		                                (size_t)(i % 2 ? 3 : 0),
		                                (size_t)(i % 2 ? 0 : 3));
		struct args r;

		op_run("norm", &a, 1, &r, "ord", ords[i], NULL);
		ck_assert_uint_eq(matrix_elements(&r.out[0]), 2);
		ck_assert_double_eq(matrix_get(&r.out[0], 0), 0);
		ck_assert_double_eq(matrix_get(&r.out[0], 1), 0);
		args_fini(&r);
		matrix_fini(&a);
	}
}
END_TEST

static void any_form(const struct variant *v)
{
	struct matrix a = matrix_of(FLOAT64, (double[]){ 1, 2, 3, 4 }, 2,
	                            (size_t)2, (size_t)2);
	struct err e = { 0 };
	struct args r;

	ck_assert_double_eq(norm_of(&a, "1.0", v->name), 6);
	ck_refused(op_try("norm", &a, 1, &r, &e, "ord", "3", NULL), &e,
	           ERR_PARAMETER);
	matrix_fini(&a);
}

START_TEST(an_order_is_a_number_in_any_form)
{
	each_variant("norm", any_form);
}
END_TEST

START_TEST(failing_calls_are_survived)
{
	struct matrix a = random_matrix(FLOAT64, 1, 3, (size_t)2, (size_t)5,
	                                (size_t)3);

	op_survives_failing_calls("norm", &a, 1);
	matrix_fini(&a);
}
END_TEST

TCase *tcase_norm(void)
{
	TCase *c = tcase_create("norm");

	tcase_set_timeout(c, 600);
	tcase_add_test(c, every_order_of_a_known_matrix);
	tcase_add_test(c, sums_of_columns_and_rows);
	tcase_add_test(c, squares_neither_overflow_nor_underflow);
	tcase_add_test(c, nan_wins_over_infinity);
	tcase_add_test(c, a_bad_matrix_of_a_stack_fails_alone);
	tcase_add_test(c, singular_values_of_nan_are_refused);
	tcase_add_test(c, empty_matrices_have_norm_0);
	tcase_add_test(c, an_order_is_a_number_in_any_form);
	tcase_add_test(c, failing_calls_are_survived);
	tcase_add_test(c, singular_values_of_large_matrices);
	return c;
}
