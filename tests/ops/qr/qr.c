/* qr.c - tests that A P = Q R holds within LAPACK's threshold, in every variant
 * and for every shape, and that matrices with a NaN or an infinity fail. */
#include <math.h>

#include "ops/failure.h"
#include "tests/ops/qr/factors.h"
#include "tests/ops/qr/qr.h"

enum { Q, R, P };

#define THRESHOLD 30

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

/* Returns the index of the column of A that is column j of A P. */
static size_t column(const struct args *a, size_t s, size_t j)
{
	const size_t n = matrix_cols(&a->in[0]);

	return a->out[P].ndim == MATRIX_ABSENT ? j :
	       (size_t)matrix_get(&a->out[P], s * n + j);
}

double qr_product_error(const struct args *a, size_t s)
{
	const struct matrix *x = &a->in[0], *q = &a->out[Q], *r = &a->out[R];
	double sum = 0;

	for (size_t i = 0; i < matrix_rows(x); i++)
		for (size_t j = 0; j < matrix_cols(x); j++) {
			double e = -factor_at(x, s, i, column(a, s, j));

			for (size_t k = 0; k < matrix_cols(q); k++)
				e += factor_at(q, s, i, k) *
				     factor_at(r, s, k, j);
			sum += e * e;
		}
	return sqrt(sum);
}

static void check_one(const struct args *a, size_t s)
{
	const struct matrix *x = &a->in[0], *r = &a->out[R];
	const double m = (double)size_max(matrix_rows(x), 1);
	const double eps = dtype_epsilon(a->dtype) / 2;
	const double size = m + (double)matrix_cols(x);

	ck_assert_double_le(qr_product_error(a, s), THRESHOLD * eps * size *
	                                            factor_norm(x, s));
	ck_assert_double_le(factor_off_orthogonal(&a->out[Q], s, false),
	                    THRESHOLD * eps * m);
	for (size_t i = 0; i < matrix_rows(r); i++)
		for (size_t j = 0; j < size_min(i, matrix_cols(r)); j++)
			ck_assert_double_eq(factor_at(r, s, i, j), 0);
}

void qr_check_call(const struct args *a)
{
	for (size_t s = 0; s < matrix_stack(&a->in[0]); s++)
		check_one(a, s);
	ck_assert_double_lt(a->verdict.residual, THRESHOLD);
	ck_assert_double_lt(a->verdict.orthogonality, THRESHOLD);
}

static void check_size(const struct variant *v, size_t stack, size_t m,
                       size_t n)
{
	static const char *const modes[] = { "thin", "complete" };
	static const char *const pivots[] = { "false", "true" };

	for (size_t i = 0; i < 8; i++) {
		struct matrix x = random_matrix(reals[i & 1],
		                                (unsigned)(7 * m + n), 3,
		                                stack, m, n);
		struct args a;

		op_run("qr", &x, 1, &a, "variant", v->name, "mode",
		       modes[i >> 1 & 1], "pivot", pivots[i >> 2], NULL);
		qr_check_call(&a);
		args_fini(&a);
		matrix_fini(&x);
	}
}

static void every_size(const struct variant *v)
{
	static const size_t sizes[][3] = {
		{ 1, 0, 0 }, { 2, 0, 3 }, { 2, 3, 0 }, { 0, 3, 3 }, { 1, 1, 1 },
		{ 2, 2, 1 }, { 2, 1, 2 }, { 3, 5, 3 }, { 3, 3, 5 },
		{ 2, 31, 33 }, { 1, 50, 10 }, { 1, 10, 50 }, { 2, 64, 64 },
		{ 1, 65, 63 }, { 1, 63, 65 }, { 1, 129, 97 }, { 1, 97, 129 },
		{ 2, 150, 33 }, { 1, 300, 16 },
	};

	for (size_t i = 0; i < COUNT(sizes); i++)
		check_size(v, sizes[i][0], sizes[i][1], sizes[i][2]);
}

START_TEST(every_shape_and_stack)
{
	each_variant("qr", every_size);
}
END_TEST

static void tall(const struct variant *v)
{
	static const size_t sizes[][3] = {
		{ 2, 1003, 5 }, { 1, 700, 64 }, { 2, 525, 40 }, { 1, 5000, 1 },
		{ 1, 3000, 16 },
	};

	for (size_t i = 0; i < COUNT(sizes) * COUNT(reals); i++) {
		const size_t *z = sizes[i / 2];
		struct matrix x = random_matrix(reals[i % 2], (unsigned)i + 1,
		                                3, z[0], z[1], z[2]);
		struct args a;

		op_run("qr", &x, 1, &a, "variant", v->name, NULL);
		qr_check_call(&a);
		args_fini(&a);
		matrix_fini(&x);
	}
}

START_TEST(tall_matrices)
{
	each_variant("qr", tall);
}
END_TEST

static double diagonal(const struct args *a, size_t i)
{
	return fabs(factor_at(&a->out[R], 0, i, i));
}

static void ranks(const struct variant *v)
{
	for (size_t i = 0; i < COUNT(reals); i++) {
		struct matrix x = random_matrix(reals[i], 5, 2, (size_t)20,
		                                (size_t)12);
		const double eps = dtype_epsilon(reals[i]);
		struct args a;

		for (size_t k = 0; k < 20; k++)
			for (size_t j = 4; j < 12; j++)	/* rank 4 */
				matrix_set(&x, k * 12 + j, (double)(j - 3) *
				           matrix_get(&x, k * 12 + j % 4));
		op_run("qr", &x, 1, &a, "pivot", "true", "variant", v->name,
		       NULL);
		qr_check_call(&a);
		for (size_t k = 1; k < 12; k++)
			ck_assert_double_le(diagonal(&a, k), diagonal(&a, k - 1)
			                    * (1 + 30 * eps) + 1e-300);
		ck_assert_double_gt(diagonal(&a, 3), 0.1);
		ck_assert_double_lt(diagonal(&a, 4), 100 * eps *
		                                     diagonal(&a, 0));
		args_fini(&a);
		matrix_fini(&x);
	}
}

START_TEST(pivoting_shows_the_rank)
{
	each_variant("qr", ranks);
}
END_TEST

static void zeros(const struct variant *v)
{
	struct matrix x = random_matrix(FLOAT32, 5, 2, (size_t)7, (size_t)5);
	struct args a;

	memset(matrix_data(&x), 0, matrix_size(&x));
	op_run("qr", &x, 1, &a, "variant", v->name, NULL);
	qr_check_call(&a);
	ck_assert_double_eq(factor_norm(&a.out[R], 0), 0);
	args_fini(&a);
	matrix_fini(&x);
}

START_TEST(a_zero_matrix_has_an_orthogonal_q)
{
	each_variant("qr", zeros);
}
END_TEST

static void digits(const struct variant *v)
{
	factor_keeps_digits("qr", v, R, qr_check_call);
}

START_TEST(tiny_matrices_keep_their_digits)
{
	each_variant("qr", digits);
}
END_TEST

static void failures(const struct variant *v)
{
	static const size_t sizes[][2] = { { 3, 3 }, { 66, 66 }, { 900, 8 } };

	for (size_t i = 0; i < COUNT(sizes); i++)
		factor_fails_alone("qr", v, sizes[i][0], sizes[i][1],
		                   check_one);
}

START_TEST(one_bad_matrix_of_a_stack_fails_alone)
{
	each_variant("qr", failures);
}
END_TEST

START_TEST(a_single_matrix_with_nan_is_refused)
{
	struct matrix x = random_matrix(FLOAT64, 1, 2, (size_t)4, (size_t)3);
	struct err e = { 0 };
	struct args a;

	matrix_set(&x, 7, NAN);
	ck_refused(op_try("qr", &x, 1, &a, &e, NULL), &e, ERR_NONFINITE);
	ck_assert_ptr_nonnull(strstr(e.text, "row 2, column 1"));
	matrix_fini(&x);
}
END_TEST

static void outputs(const struct variant *v)
{
	struct matrix x = random_matrix(FLOAT64, 1, 2, (size_t)9, (size_t)4);
	struct args a, b;

	op_run("qr", &x, 1, &a, "variant", v->name, "return", "r", NULL);
	ck_assert_int_eq(a.out[Q].ndim, MATRIX_ABSENT);
	ck_assert(isnan(a.verdict.residual));
	op_run("qr", &x, 1, &b, "variant", v->name, "quality", "full", NULL);
	ck_assert_double_lt(b.verdict.residual, THRESHOLD);
	ck_assert_double_lt(b.verdict.orthogonality, THRESHOLD);
	for (size_t i = 0; i < 16; i++)
		ck_assert_double_eq_tol(matrix_get(&a.out[R], i),
		                        matrix_get(&b.out[R], i), 1e-13);
	args_fini(&a);
	args_fini(&b);
	matrix_fini(&x);
}

START_TEST(only_wanted_factors_are_made)
{
	each_variant("qr", outputs);
}
END_TEST

START_TEST(failing_calls_are_survived)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)5, (size_t)4);

	op_survives_failing_calls("qr", &a, 1);
	matrix_fini(&a);
}
END_TEST

/* The permutation of a matrix that fails is undefined when the others are
 * judged: here memory of large numbers, which are no columns. */
static void undefined_in(const struct variant *v)
{
	enum { N = 3, STACK = 4 };

	for (int i = 0; i < 8; i++) {
		struct matrix x = random_matrix(FLOAT64, 5, 3, (size_t)STACK,
		                                (size_t)N, (size_t)N);
		struct matrix dirty[4];
		struct args a;

		for (size_t k = 0; k < COUNT(dirty); k++) {
			dirty[k] = random_matrix(INT64, 1, 2, (size_t)STACK,
			                         (size_t)N);
			for (size_t e = 0; e < STACK * N; e++)
				matrix_set(&dirty[k], e, 0x1p60);
		}
		for (size_t k = 0; k < COUNT(dirty); k++)
			matrix_fini(&dirty[k]);
		matrix_set(&x, (size_t)N * N, NAN);
		op_run("qr", &x, 1, &a, "variant", v->name, "pivot", "true",
		       NULL);
		ck_assert(args_has_failed(&a, 1));
		ck_assert_double_lt(a.verdict.residual, 30);
		args_fini(&a);
		matrix_fini(&x);
	}
}

START_TEST(a_matrix_that_fails_has_no_permutation)
{
	each_variant("qr", undefined_in);
}
END_TEST

TCase *tcase_qr(void)
{
	TCase *c = tcase_create("qr");

	tcase_set_timeout(c, 600);
	tcase_add_test(c, a_matrix_that_fails_has_no_permutation);
	tcase_add_test(c, every_shape_and_stack);
	tcase_add_test(c, tall_matrices);
	tcase_add_test(c, pivoting_shows_the_rank);
	tcase_add_test(c, a_zero_matrix_has_an_orthogonal_q);
	tcase_add_test(c, tiny_matrices_keep_their_digits);
	tcase_add_test(c, one_bad_matrix_of_a_stack_fails_alone);
	tcase_add_test(c, a_single_matrix_with_nan_is_refused);
	tcase_add_test(c, only_wanted_factors_are_made);
	tcase_add_test(c, failing_calls_are_survived);
	qr_add_gram_tests(c);
	qr_add_host_tall_tests(c);
	qr_add_blocked_tests(c);
	qr_add_raw_tests(c);
	return c;
}
