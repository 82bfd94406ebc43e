/* streamed.c - A = L L^T of matrices that the device cannot hold: as exact as
 * of one that can, within the device's memory, and with the same failures. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/ops/cholesky/cholesky.h"
#include "tests/ops/gang.h"
#include "tests/ops/memory.h"
#include "tests/ops/steps.h"

static struct matrix square(enum dtype t, size_t n)
{
	struct matrix a = cholesky_definite(t, 1, n);

	a.ndim = 2;
	a.dim[0] = a.dim[1] = n;
	return a;
}

static void check(const struct matrix *a, size_t room, const char *quality)
{
	const size_t n = matrix_rows(a);
	struct args r;
	double ratio;

	memory_allow(room);
	op_run("cholesky", a, 1, &r, "variant", "streamed", "quality", quality,
	       NULL);
	memory_allow_all();
	ck_assert_uint_le(test_memory, room);
	ratio = cholesky_error(a, &r.out[0], 0);
	ck_assert_msg(ratio < 2, "%s, n = %zu, %zu bytes: ratio %g",
	              dtype_name(a->dtype), n, room, ratio);
	cholesky_is_lower(&r.out[0], 0);
	if (strcmp(quality, "none") != 0)
		ck_assert_msg(r.verdict.residual > ratio / 1000 &&
		              r.verdict.residual < 2, "%s, n = %zu, %zu bytes: "
		              "said %g", dtype_name(a->dtype), n, room,
		              r.verdict.residual);
	args_fini(&r);
}

/* Strips of one panel, and of some. */
static void check_size(enum dtype t, size_t n)
{
	struct matrix a = square(t, n);
	struct args r;
	size_t room;

	op_run("cholesky", &a, 1, &r, "variant", "streamed", NULL);
	room = memory_least(&r);
	args_fini(&r);
	check(&a, room, "estimate");
	check(&a, room, "none");
	check(&a, room + 150 * n * dtype_bytes(t), "estimate");
	matrix_fini(&a);
}

static const size_t sizes[] = { 1, 2, 63, 64, 65, 128, 129, 200, 321, 520 };

START_TEST(every_size)
{
	check_size(FLOAT64, sizes[_i]);
	check_size(FLOAT32, sizes[_i]);
}
END_TEST

START_TEST(devices_with_memory_of_their_own)
{
	device_copies = device_lanes = true;
	check_size(FLOAT64, 450);
	check_size(FLOAT32, 321);
	device_copies = device_lanes = false;
}
END_TEST

START_TEST(nothing_to_factor)
{
	struct matrix a = square(FLOAT64, 0);
	struct args r;

	op_run("cholesky", &a, 1, &r, "variant", "streamed", NULL);
	ck_assert_double_eq(r.verdict.residual, 0);
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

/* Runs with strips of one panel, and expects that error. */
static void fails(const struct matrix *a, enum err_code code, const char *word)
{
	struct args whole, r;
	struct err e = { 0 };
	struct matrix good = square(a->dtype, matrix_rows(a));
	size_t room;

	op_run("cholesky", &good, 1, &whole, "variant", "streamed", NULL);
	room = memory_least(&whole);
	args_fini(&whole);
	memory_allow(room);
	ck_refused(op_try("cholesky", a, 1, &r, &e, "variant", "streamed",
	                  NULL), &e, code);
	memory_allow_all();
	ck_assert_msg(strstr(e.text, word) != NULL, "%s", e.text);
	matrix_fini(&good);
}

/* In the first strip, in a later one, and an element of a later strip that is
 * not finite is told before an earlier minor. */
START_TEST(what_is_wrong_is_told)
{
	static const size_t orders[] = { 1, 30, 65, 300 };

	for (size_t i = 0; i < COUNT(orders); i++) {
		struct matrix a = square(FLOAT64, 300);
		char word[64];

		snprintf(word, sizeof word, "order %zu is", orders[i]);
		matrix_set(&a, (orders[i] - 1) * 301, -1);
		fails(&a, ERR_NOT_POSITIVE, word);
		matrix_set(&a, 299 * 300 + 70, INFINITY);
		fails(&a, ERR_NONFINITE, "row 299, column 70");
		matrix_set(&a, 298 * 300 + 280, NAN);
		fails(&a, ERR_NONFINITE, "row 298, column 280");
		matrix_fini(&a);
	}
}
END_TEST

static void refuses(const struct matrix *a, const char *name,
                    const char *value, const char *word)
{
	struct err e = { 0 };
	struct args r;

	ck_refused(op_try("cholesky", a, 1, &r, &e, "variant", "streamed",
	                  name, value, NULL), &e, ERR_PARAMETER);
	ck_assert_msg(strstr(e.text, word) != NULL, "%s", e.text);
}

START_TEST(what_it_does_not_compute_is_refused)
{
	struct matrix a = square(FLOAT64, 70);
	struct matrix stack = cholesky_definite(FLOAT64, 2, 7);

	refuses(&a, "quality", "full", "exact residual");
	refuses(&a, "dtype", "complex128", "complex128");
	refuses(&stack, NULL, NULL, "stacks");
	matrix_fini(&a);
	matrix_fini(&stack);
}
END_TEST

START_TEST(a_step_of_a_pipeline_may_stream)
{
	struct matrix a = square(FLOAT64, 130);
	struct pipeline *p;
	struct err e = { 0 };
	struct args c[3];
	struct timing t;

	for (size_t i = 0; i < 130; i++)
		for (size_t j = 0; j < i; j++)
			matrix_set(&a, j * 130 + i,
			           matrix_get(&a, i * 130 + j));
	device_copies = true;
	p = pipeline_new(2, &e);
	steps_give(steps_add(p, 0, "transpose"), 0, &a, 0);
	steps_add(p, 1, "cholesky")->args.variant =
	    op_variant(op_find("cholesky"), "streamed");
	steps_feed(&p->step[1], 0, 0, 0);
	ck_ok(pipeline_return(p, (struct source){ .step = 1 }, "x", &e), &e);
	ck_assert_int_eq(steps_compute(&c[0], p, &t), 0);
	op_run("cholesky", &a, 1, &c[1], "variant", "streamed", NULL);
	device_copies = false;
	ck_assert_mem_eq(matrix_data(&c[0].out[0]), matrix_data(&c[1].out[0]),
	                 matrix_size(&a));
	args_fini(&c[0]);
	args_fini(&c[1]);
	matrix_fini(&a);
}
END_TEST

START_TEST(a_failing_call_leaves_all_in_order)
{
	struct matrix a = square(FLOAT64, 130);

	variant_survives_failing_calls("cholesky", "streamed", &a, 1);
	matrix_fini(&a);
}
END_TEST

TCase *tcase_cholesky_streamed(void)
{
	TCase *t = tcase_create("cholesky_streamed");

	tcase_add_checked_fixture(t, memory_remember, memory_allow_all);
	tcase_add_loop_test(t, every_size, 0, (int)COUNT(sizes));
	tcase_add_test(t, devices_with_memory_of_their_own);
	tcase_add_test(t, nothing_to_factor);
	tcase_add_test(t, what_is_wrong_is_told);
	tcase_add_test(t, what_it_does_not_compute_is_refused);
	tcase_add_test(t, a_step_of_a_pipeline_may_stream);
	tcase_add_test(t, a_failing_call_leaves_all_in_order);
	return t;
}
