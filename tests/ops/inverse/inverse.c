/* inverse.c - A^-1 in every variant: LAPACK's ratio, exact inverses, singular
 * matrices, stacks of which one matrix fails, and rcond. */
#include <math.h>

#include "ops/failure.h"
#include "tests/ops/op.h"

static const size_t sizes[] = { 0, 1, 2, 3, 5, 10, 33, 50, 63, 64, 65, 129 };
static const enum dtype reals[] = { FLOAT32, FLOAT64 };

static double norm1(const struct matrix *a, size_t index)
{
	const size_t n = matrix_rows(a);
	double most = 0;

	for (size_t j = 0; j < n; j++) {
		double sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += fabs(matrix_get(a, (index * n + i) * n + j));
		most = fmax(most, sum);
	}
	return most;
}

/* Returns |A X - I| / (n |A| |X| eps) in the 1-norm. */
static double ratio(const struct matrix *a, const struct matrix *x,
                    size_t index)
{
	const size_t n = matrix_rows(a), at = index * n * n;
	double most = 0;

	for (size_t j = 0; j < n; j++) {
		double error = 0;

		for (size_t i = 0; i < n; i++) {
			double sum = i == j ? -1 : 0;

			for (size_t k = 0; k < n; k++)
				sum += matrix_get(a, at + i * n + k) *
				       matrix_get(x, at + k * n + j);
			error += fabs(sum);
		}
		most = fmax(most, error);
	}
	return n ? most / ((double)n * norm1(a, index) * norm1(x, index) *
	                   dtype_epsilon(a->dtype)) : 0;
}

static void one(const struct variant *v, enum dtype t, size_t stack, size_t n,
                const char *quality)
{
	struct matrix a = random_matrix(t, 4, 3, stack, n, n);
	double rcond = NAN;
	struct args r;

	op_run("inverse", &a, 1, &r, "variant", v->name, "quality", quality,
	       NULL);
	ck_assert_int_eq(r.out[0].dtype, t);
	for (size_t i = 0; i < stack; i++) {
		const double x = ratio(&a, &r.out[0], i);

		ck_assert_msg(x < 30, "%s, n = %zu: %g", v->name, n, x);
		rcond = fmin(rcond, 1 / (norm1(&a, i) *
		                         norm1(&r.out[0], i)));
	}
	if (stack > 0 && n > 0) {
		ck_assert_double_lt(r.verdict.residual, 30);
		ck_assert_double_eq_tol(r.verdict.rcond, rcond, 1e-4 * rcond);
	}
	args_fini(&r);
	matrix_fini(&a);
}

static void invert_in(const struct variant *v)
{
	for (size_t t = 0; t < COUNT(reals); t++)
		for (size_t i = 0; i < COUNT(sizes); i++)
			for (size_t stack = 0; stack < 3; stack++)
				one(v, reals[t], stack, sizes[i],
				    i % 2 ? "full" : "estimate");
}

START_TEST(every_size_and_stack_has_a_small_residual)
{
	each_variant("inverse", invert_in);
}
END_TEST

/* A single matrix of so many rows is inverted by the inverses of the diagonal
 * blocks of its factors. */
static void invert_by_blocks(const struct variant *v)
{
	for (size_t t = 0; t < COUNT(reals); t++) {
		one(v, reals[t], 1, 257, "estimate");
		one(v, reals[t], 1, 600, "full");
	}
}

START_TEST(blocks_of_rows_have_a_small_residual)
{
	each_variant("inverse", invert_by_blocks);
}
END_TEST

/* Stacks of so many rows are inverted by blocks of rows. Only the estimated
 * residual is tested, because an exact one takes much longer. */
static void invert_large(const struct variant *v)
{
	struct matrix a = random_matrix(FLOAT32, 4, 3, (size_t)2, (size_t)1100,
	                                (size_t)1100);
	struct args r;

	op_run("inverse", &a, 1, &r, "variant", v->name, NULL);
	ck_assert_double_ge(r.verdict.residual, 0);
	ck_assert_double_lt(r.verdict.residual, 30);
	args_fini(&r);
	matrix_fini(&a);
}

START_TEST(large_matrices_have_a_small_residual)
{
	each_variant("inverse", invert_large);
}
END_TEST

/* A is a permutation whose rows are multiplied by powers of two, so that every
 * number is exact. */
static void exact_in(const struct variant *v)
{
	enum { N = 70 };
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)N, (size_t)N);
	struct args r;

	for (size_t e = 0; e < N * N; e++)
		matrix_set(&a, e, e % N == (e / N * 3 + 1) % N ?
		           ldexp(1, (int)(e / N % 5)) : 0);
	op_run("inverse", &a, 1, &r, "variant", v->name, NULL);
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			ck_assert_double_eq(matrix_get(&r.out[0], i * N + j),
			    i == (j * 3 + 1) % N ? ldexp(1, -(int)(j % 5)) :
			    0);
	ck_assert_double_eq(r.verdict.residual, 0);
	args_fini(&r);
	matrix_fini(&a);
}

START_TEST(a_scaled_permutation_has_an_exact_inverse)
{
	each_variant("inverse", exact_in);
}
END_TEST

static void stack_in(const struct variant *v)
{
	enum { STACK = 4, N = 6 };
	struct matrix a = random_matrix(FLOAT64, 9, 3, (size_t)STACK,
	                                (size_t)N, (size_t)N);
	struct args r;

	for (size_t i = 0; i < N; i++)
		matrix_set(&a, N * N + i * N + 2, 0);	/* a zero column */
	matrix_set(&a, 3 * N * N + 9, NAN);
	op_run("inverse", &a, 1, &r, "variant", v->name, NULL);
	ck_assert_uint_eq(r.failures, 2);
	ck_assert_int_eq(args_failure(&r, 0).detail.code, ERR_SINGULAR);
	ck_assert_uint_eq(args_failure(&r, 0).index, 1);
	ck_assert_int_eq(args_failure(&r, 1).detail.code, ERR_NONFINITE);
	ck_assert_double_eq(args_failure(&r, 1).detail.x, 1);
	ck_assert_double_eq(args_failure(&r, 1).detail.y, 3);
	ck_assert(isnan(matrix_get(&r.out[0], N * N)));
	ck_assert_double_lt(ratio(&a, &r.out[0], 0), 30);
	ck_assert_double_lt(ratio(&a, &r.out[0], 2), 30);
	ck_assert_double_lt(r.verdict.residual, 30);
	args_fini(&r);
	matrix_fini(&a);
}

START_TEST(a_bad_matrix_of_a_stack_fails_alone)
{
	each_variant("inverse", stack_in);
}
END_TEST

static void hilbert_in(const struct variant *v)
{
	enum { N = 14 };
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)N, (size_t)N);
	struct args r;

	for (size_t e = 0; e < N * N; e++)
		matrix_set(&a, e, 1 / (double)(e / N + e % N + 1));
	op_run("inverse", &a, 1, &r, "variant", v->name, NULL);
	ck_assert_double_gt(r.verdict.rcond, 0);
	ck_assert_double_lt(r.verdict.rcond, 2.3e-16);
	ck_assert_double_eq(r.verdict.ill_conditioned, 1);
	args_fini(&r);
	matrix_fini(&a);
}

START_TEST(an_ill_conditioned_matrix_is_called_so)
{
	each_variant("inverse", hilbert_in);
}
END_TEST

START_TEST(singular_and_rectangular_matrices_are_refused)
{
	static const double values[] = { 1, 2, 2, 4, 0, 0 };
	struct matrix a = matrix_of(FLOAT64, values, 2, (size_t)2, (size_t)2);
	struct matrix b = matrix_of(FLOAT64, values, 2, (size_t)2, (size_t)3);
	struct err e = { 0 }, f = { 0 };
	struct args r;

	ck_refused(op_try("inverse", &a, 1, &r, &e, NULL), &e, ERR_SINGULAR);
	ck_refused(op_try("inverse", &b, 1, &r, &f, NULL), &f, ERR_SHAPE);
	matrix_fini(&a);
	matrix_fini(&b);
}
END_TEST

static void ck_rcond(const struct variant *v, double corner, double scale,
                     double rcond)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)2, (size_t)2);
	struct args r;

	for (size_t i = 0; i < 4; i++)
		matrix_set(&a, i, i == 2 ? 0 : i == 1 ? corner : scale);
	op_run("inverse", &a, 1, &r, "variant", v->name, NULL);
	ck_assert_msg(fabs(r.verdict.rcond / rcond - 1) < 1e-9, "%s: %g",
	              v->name, r.verdict.rcond);
	args_fini(&r);
	matrix_fini(&a);
}

static void norms_overflow_in(const struct variant *v)
{
	ck_rcond(v, 1.5e308, 1.5e308, 0.25);
	ck_rcond(v, 6e-307, 6e-308, 1 / 121.0);
}

/* The elements of a matrix, or of its inverse, are finite, but the norm
 * overflows. */
START_TEST(norms_that_overflow_do_not_make_a_matrix_ill_conditioned)
{
	each_variant("inverse", norms_overflow_in);
}
END_TEST

START_TEST(failing_calls_are_survived)
{
	struct matrix a = random_matrix(FLOAT64, 4, 2, (size_t)70, (size_t)70);

	variant_survives_failing_calls("inverse", "tiled", &a, 1);
	matrix_fini(&a);
}
END_TEST

TCase *tcase_inverse(void)
{
	TCase *c = tcase_create("inverse");

	tcase_set_timeout(c, 600);
	tcase_add_test(c, every_size_and_stack_has_a_small_residual);
	tcase_add_test(c, blocks_of_rows_have_a_small_residual);
	tcase_add_test(c, large_matrices_have_a_small_residual);
	tcase_add_test(c, a_scaled_permutation_has_an_exact_inverse);
	tcase_add_test(c, a_bad_matrix_of_a_stack_fails_alone);
	tcase_add_test(c, an_ill_conditioned_matrix_is_called_so);
	tcase_add_test(c, singular_and_rectangular_matrices_are_refused);
	tcase_add_test(c,
	    norms_that_overflow_do_not_make_a_matrix_ill_conditioned);
	tcase_add_test(c, failing_calls_are_survived);
	return c;
}
