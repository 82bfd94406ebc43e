/* cholesky.c - A = L L^T in every variant: LAPACK's ratio, the order of the
 * minor that is not positive, and stacks of which one matrix fails. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "ops/failure.h"
#include "tests/ops/cholesky/cholesky.h"

static const size_t sizes[] = { 0, 1, 2, 3, 5, 10, 16, 17, 33, 50, 63, 64, 65,
	127, 128, 129, 200 };
static const enum dtype reals[] = { FLOAT32, FLOAT64 };

static void one(const struct variant *v, enum dtype t, size_t stack, size_t n,
                const char *quality)
{
	struct matrix a = cholesky_definite(t, stack, n);
	struct args r;

	op_run("cholesky", &a, 1, &r, "variant", v->name, "quality", quality,
	       NULL);
	ck_assert_int_eq(r.out[0].dtype, t);
	for (size_t i = 0; i < stack; i++) {
		const double x = cholesky_error(&a, &r.out[0], i);

		ck_assert_msg(x < 2, "%s, n = %zu: %g", v->name, n, x);
		cholesky_is_lower(&r.out[0], i);
	}
	ck_assert_double_ge(r.verdict.residual, 0);
	ck_assert_double_lt(r.verdict.residual, 2);
	/* An estimate of 0 would tell nothing. */
	if (n && stack && strcmp(quality, "estimate") == 0)
		ck_assert_double_gt(r.verdict.residual, 0);
	args_fini(&r);
	matrix_fini(&a);
}

static void factor_in(const struct variant *v)
{
	for (size_t t = 0; t < COUNT(reals); t++)
		for (size_t i = 0; i < COUNT(sizes); i++)
			for (size_t stack = 0; stack < 4; stack++)
				one(v, reals[t], stack, sizes[i],
				    i % 2 ? "full" : "estimate");
	/* This one has several blocks of panels. */
	one(v, FLOAT64, 1, 1100, "estimate");
	/* LAPACK uses several threads from 513 rows on. */
	one(v, FLOAT32, 1, 579, "estimate");
}

START_TEST(every_size_and_stack_has_a_small_residual)
{
	each_variant("cholesky", factor_in);
}
END_TEST

/* Many tiles. A grid of "dataflow" for more rows has LAUNCH_WIDE items or more,
 * for which PoCL compiles its kernel once more, in 9 s for each type. Only the
 * estimate is tested, because tests/ops/blas/tensor.c tests products on tensor
 * cores. */
static void factor_large(const struct variant *v)
{
	for (size_t t = 0; t < COUNT(reals); t++) {
		struct matrix a = cholesky_definite(reals[t], 1, 1400);
		struct args r;

		op_run("cholesky", &a, 1, &r, "variant", v->name, NULL);
		ck_assert_double_gt(r.verdict.residual, 0);
		ck_assert_double_lt(r.verdict.residual, 2);
		args_fini(&r);
		matrix_fini(&a);
	}
}

START_TEST(large_matrices_have_a_small_residual)
{
	each_variant("cholesky", factor_large);
}
END_TEST

/* Of results of these sizes only the elements on and below the diagonal are
 * downloaded (seq_output_lower()). */
static void fetch_in(const struct variant *v)
{
	static const struct { enum dtype type; size_t stack, n; } shapes[] = {
		{ FLOAT32, 1, 600 }, { FLOAT64, 1, 777 }, { FLOAT32, 7, 250 },
		{ FLOAT64, 3, 512 },
	};

	device_copies = true;
	for (size_t i = 0; i < COUNT(shapes); i++)
		one(v, shapes[i].type, shapes[i].stack, shapes[i].n,
		    "estimate");
	device_copies = false;
}

START_TEST(large_results_are_lower_triangular_where_they_are_fetched)
{
	each_variant("cholesky", fetch_in);
}
END_TEST

/* Makes the leading minor of order k the first that is not positive. */
static void spoil(struct matrix *a, size_t index, size_t k, double pivot)
{
	const size_t n = matrix_rows(a);

	matrix_set(a, index * n * n + (k - 1) * (n + 1), pivot);
}

static void refuse_in(const struct variant *v)
{
	static const size_t orders[][2] = {
		{ 1, 1 }, { 5, 1 }, { 5, 5 }, { 64, 64 }, { 65, 65 },
		{ 200, 130 },
	};

	for (size_t i = 0; i < COUNT(orders); i++) {
		struct matrix a = cholesky_definite(FLOAT64, 1, orders[i][0]);
		char words[64];
		struct err e = { 0 };
		struct args r;

		snprintf(words, sizeof words, "leading minor of order %zu is",
		         orders[i][1]);
		spoil(&a, 0, orders[i][1], i % 2 ? 0 : -1);
		ck_refused(op_try("cholesky", &a, 1, &r, &e, "variant",
		                  v->name, NULL), &e, ERR_NOT_POSITIVE);
		ck_assert_msg(strstr(e.text, words) != NULL, "%s: %s", v->name,
		              e.text);
		matrix_fini(&a);
	}
}

START_TEST(an_indefinite_matrix_is_refused_with_the_order_of_its_minor)
{
	each_variant("cholesky", refuse_in);
}
END_TEST

static void stack_in(const struct variant *v)
{
	enum { STACK = 5, N = 70 };
	struct matrix a = cholesky_definite(FLOAT32, STACK, N);
	struct args r;

	spoil(&a, 1, 66, -1);
	matrix_set(&a, 3 * N * N + 20 * N + 10, INFINITY);
	op_run("cholesky", &a, 1, &r, "variant", v->name, NULL);
	ck_assert_uint_eq(r.failures, 2);
	ck_assert_int_eq(args_failure(&r, 0).detail.code, ERR_NOT_POSITIVE);
	ck_assert_int_eq(args_failure(&r, 0).detail.at, 66);
	ck_assert_int_eq(args_failure(&r, 1).detail.code, ERR_NONFINITE);
	ck_assert_double_eq(args_failure(&r, 1).detail.x, 20);
	ck_assert_double_eq(args_failure(&r, 1).detail.y, 10);
	for (size_t i = 0; i < STACK; i++)
		if (i == 1 || i == 3)
			ck_assert(isnan(matrix_get(&r.out[0], i * N * N)));
		else
			ck_assert_double_lt(cholesky_error(&a, &r.out[0], i),
			                    2);
	ck_assert_double_lt(r.verdict.residual, 2);
	args_fini(&r);
	matrix_fini(&a);
}

static void name_in(const struct variant *v)
{
	static const size_t places[][3] = {
		{ 20, 0, 0 }, { 100, 17, 17 }, { 579, 578, 3 },
		{ 1100, 40, 33 },
	};

	for (size_t i = 0; i < COUNT(places); i++) {
		const size_t n = places[i][0];
		struct matrix a = cholesky_definite(FLOAT64, 1, n);
		char words[64];
		struct err e = { 0 };
		struct args r;

		snprintf(words, sizeof words, "row %zu, column %zu,",
		         places[i][1], places[i][2]);
		matrix_set(&a, places[i][1] * n + places[i][2], -INFINITY);
		matrix_set(&a, n * n - 1, NAN);
		ck_refused(op_try("cholesky", &a, 1, &r, &e, "variant",
		                  v->name, "quality", i % 2 ? "none" :
		                  "estimate", NULL), &e, ERR_NONFINITE);
		ck_assert_msg(strstr(e.text, words) != NULL, "%s: %s", v->name,
		              e.text);
		matrix_fini(&a);
	}
}

START_TEST(the_first_element_that_is_not_finite_is_named)
{
	each_variant("cholesky", name_in);
}
END_TEST

START_TEST(a_bad_matrix_of_a_stack_fails_alone)
{
	each_variant("cholesky", stack_in);
}
END_TEST

/* Batched and single calls of many small matrices must have the same bits. */
static void same_in(const struct variant *v)
{
	enum { STACK = 40, N = 24 };
	struct matrix a = cholesky_definite(FLOAT64, STACK, N);
	struct args all;

	op_run("cholesky", &a, 1, &all, "variant", v->name, NULL);
	for (size_t i = 0; i < STACK; i++) {
		struct matrix m = random_matrix(FLOAT64, 1, 2, (size_t)N,
		                                (size_t)N);
		struct args r;

		for (size_t e = 0; e < N * N; e++)
			matrix_set(&m, e, matrix_get(&a, i * N * N + e));
		op_run("cholesky", &m, 1, &r, "variant", v->name, NULL);
		for (size_t e = 0; e < N * N; e++)
			ck_assert_double_eq(matrix_get(&r.out[0], e),
			    matrix_get(&all.out[0], i * N * N + e));
		args_fini(&r);
		matrix_fini(&m);
	}
	args_fini(&all);
	matrix_fini(&a);
}

START_TEST(a_matrix_of_a_stack_is_factored_as_alone)
{
	each_variant("cholesky", same_in);
}
END_TEST

START_TEST(a_rectangle_is_refused)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)3, (size_t)4);
	struct err e = { 0 };
	struct args r;

	ck_refused(op_try("cholesky", &a, 1, &r, &e, NULL), &e, ERR_SHAPE);
	matrix_fini(&a);
}
END_TEST

START_TEST(failing_calls_are_survived)
{
	struct matrix a = cholesky_definite(FLOAT64, 2, 70);

	variant_survives_failing_calls("cholesky", "tiled", &a, 1);
	matrix_fini(&a);
}
END_TEST

static void together(const char *devices, enum dtype t, size_t n)
{
	struct matrix a = cholesky_definite(t, 1, n);
	struct args r;
	double ratio;

	a.ndim = 2;
	a.dim[0] = a.dim[1] = n;
	op_run("cholesky", &a, 1, &r, "devices", devices, NULL);
	ratio = cholesky_error(&a, &r.out[0], 0);
	ck_assert_msg(ratio < 30, "%s devices, %s, n = %zu: ratio %g", devices,
	              dtype_name(t), n, ratio);
	ck_assert_msg(r.verdict.residual < 30, "%s devices, %s, n = %zu: said "
	              "ratio %g", devices, dtype_name(t), n,
	              r.verdict.residual);
	cholesky_is_lower(&r.out[0], 0);
	args_fini(&r);
	matrix_fini(&a);
}

START_TEST(several_devices_factor_one_matrix)
{
	static const size_t n[] = { 129, 191, 192, 193, 257, 320, 385, 500 };

	for (size_t i = 0; i < COUNT(n) * COUNT(reals); i++) {
		together("2", reals[i % 2], n[i / 2]);
		together("3", reals[i % 2], n[i / 2]);
	}
}
END_TEST

static void refused_together(const struct matrix *a, enum err_code code,
                             const char *detail)
{
	struct err e = { 0 };
	struct args r;

	ck_assert_int_eq(op_try("cholesky", a, 1, &r, &e, "devices", "2",
	                        NULL), -1);
	ck_assert_msg(e.code == code && strstr(e.text, detail), "%s", e.text);
}

START_TEST(several_devices_say_what_is_wrong)
{
	struct matrix a = cholesky_definite(FLOAT64, 1, 300);

	refused_together(&a, ERR_PARAMETER, "2 devices compute together one "
	                 "real matrix");
	a.ndim = 2;
	a.dim[0] = a.dim[1] = 300;
	matrix_set(&a, 201 * 301, -1);
	refused_together(&a, ERR_NOT_POSITIVE, "minor of order 202 ");
	matrix_set(&a, 201 * 301, NAN);
	matrix_set(&a, 250 * 300 + 70, INFINITY);
	refused_together(&a, ERR_NONFINITE, "201");
	matrix_fini(&a);
}
END_TEST

TCase *tcase_cholesky(void)
{
	TCase *c = tcase_create("cholesky");

	tcase_set_timeout(c, 600);
	tcase_add_test(c, every_size_and_stack_has_a_small_residual);
	tcase_add_test(c, large_matrices_have_a_small_residual);
	tcase_add_test(c,
	    large_results_are_lower_triangular_where_they_are_fetched);
	tcase_add_test(c,
	    an_indefinite_matrix_is_refused_with_the_order_of_its_minor);
	tcase_add_test(c, the_first_element_that_is_not_finite_is_named);
	tcase_add_test(c, a_bad_matrix_of_a_stack_fails_alone);
	tcase_add_test(c, a_matrix_of_a_stack_is_factored_as_alone);
	tcase_add_test(c, a_rectangle_is_refused);
	tcase_add_test(c, failing_calls_are_survived);
	tcase_add_test(c, several_devices_factor_one_matrix);
	tcase_add_test(c, several_devices_say_what_is_wrong);
	return c;
}
