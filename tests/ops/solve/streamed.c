/* streamed.c - A X = B with matrices that the device cannot hold: as exact as
 * with one that it can, judged in the same way, within the device's memory, and
 * with the same failures. */
#include <math.h>
#include <string.h>

#include "tests/ops/lu/lu.h"
#include "tests/ops/memory.h"
#include "tests/ops/solve/agrees.h"
#include "tests/ops/steps.h"

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

static struct matrix transpose_of(const struct matrix *a)
{
	const size_t n = matrix_rows(a);
	struct matrix t = random_matrix(a->dtype, 1, 2, n, n);

	for (size_t i = 0; i < n * n; i++)
		matrix_set(&t, i, matrix_get(a, i % n * n + i / n));
	return t;
}

/* Gives the device `more` bytes than the variant must have. */
static void allow(const struct matrix in[2], size_t more)
{
	struct args a;

	args_init(&a, op_find("solve"));
	a.dtype = in[0].dtype;
	a.variant = op_variant(a.op, "streamed");
	a.in[0] = in[0];
	a.in[1] = in[1];
	memory_allow(memory_least(&a) + more);
}

/* `turned`: the request has the transpose, and transpose_a. */
static void compare(const struct matrix *a, const struct matrix *b,
                    bool turned, size_t more)
{
	const char *const turn = turned ? "true" : "false";
	struct matrix sent = turned ? transpose_of(a) : matrix_ref(a);
	const struct matrix in[] = { sent, *b };
	struct args one, all;

	op_run("solve", in, 2, &one, "transpose_a", turn, NULL);
	allow(in, more);
	op_run("solve", in, 2, &all, "transpose_a", turn, "variant",
	       "streamed", NULL);
	ck_assert_uint_le(test_memory,
	                  sheet_room(device_sheet(test_device)));
	memory_allow_all();
	solve_agrees(a, b, &all, &one);
	args_fini(&one);
	args_fini(&all);
	matrix_fini(&sent);
}

/* As it is and transposed, with narrow strips and with wider ones. */
static void check_size(enum dtype t, size_t n, size_t sides)
{
	struct matrix a = random_matrix(t, (unsigned)n, 2, n, n);
	struct matrix b = sides ? random_matrix(t, 7, 2, n, sides) :
	                          random_matrix(t, 7, 1, n);

	for (int i = 0; i < 4; i++)
		compare(&a, &b, i % 2, i / 2 * 300 * n * dtype_bytes(t));
	matrix_fini(&a);
	matrix_fini(&b);
}

static const size_t sizes[] = { 1, 2, 63, 64, 65, 128, 129, 200, 321, 520 };

START_TEST(systems_of_every_size)
{
	for (size_t i = 0; i < COUNT(reals); i++)
		check_size(reals[i], sizes[_i], (size_t)_i % 4);
}
END_TEST

static const size_t sides[] = { 1, 5, 63, 64, 65, 150 };

START_TEST(right_hand_sides_of_every_number)
{
	for (size_t i = 0; i < COUNT(reals); i++)
		check_size(reals[i], 200, sides[_i]);
}
END_TEST

START_TEST(devices_with_memory_of_their_own)
{
	device_copies = device_lanes = true;
	check_size(FLOAT64, 321, 3);
	check_size(FLOAT32, 257, 70);
	device_copies = device_lanes = false;
}
END_TEST

/* The verdict is that of the variant that holds the matrix. */
START_TEST(what_is_empty_is_no_work)
{
	static const size_t empty[][2] = { { 200, 0 }, { 0, 0 }, { 0, 3 } };
	const size_t *const e = empty[_i];
	struct matrix a = random_matrix(FLOAT64, 1, 2, e[0], e[0]);
	struct matrix b = random_matrix(FLOAT64, 1, 2, e[0], e[1]);
	const struct matrix in[] = { a, b };
	struct args one, two;

	op_run("solve", in, 2, &one, NULL);
	op_run("solve", in, 2, &two, "variant", "streamed", NULL);
	ck_assert_double_eq(two.verdict.residual, one.verdict.residual);
	ck_assert_int_eq(isnan(two.verdict.rcond), isnan(one.verdict.rcond));
	if (!isnan(one.verdict.rcond))
		ck_assert_double_le(fabs(two.verdict.rcond -
		                         one.verdict.rcond),
		                    one.verdict.rcond / 10);
	args_fini(&one);
	args_fini(&two);
	matrix_fini(&a);
	matrix_fini(&b);
}
END_TEST

/* Solves in the narrowest strips that the variant can use, which must fail, and
 * returns the error. */
static struct err error_of(const struct matrix in[2], const char *turned)
{
	struct err e = { 0 };
	struct args r;

	allow(in, 0);
	ck_assert_int_eq(op_try("solve", in, 2, &r, &e, "variant", "streamed",
	                        "transpose_a", turned, NULL), -1);
	memory_allow_all();
	return e;
}

/* Matrices that are singular by construction are refused, those that rounding
 * may make so are not compared. */
START_TEST(matrices_of_every_type)
{
	const enum lu_type type = (enum lu_type)(_i / (int)COUNT(reals));
	const enum dtype t = reals[_i % (int)COUNT(reals)];
	struct matrix a = type_matrix(type, t, 250, 250, 11);
	struct matrix b = random_matrix(t, 3, 2, (size_t)250, (size_t)3);
	const struct matrix in[] = { a, b };
	struct err one = { 0 }, all;
	struct args r;

	if (type_is_singular(type)) {
		ck_assert_int_eq(op_try("solve", in, 2, &r, &one, NULL), -1);
		all = error_of(in, "false");
		ck_assert_int_eq(all.code, one.code);
		ck_assert_str_eq(all.pointer, one.pointer);
		ck_assert_int_eq(all.code, ERR_SINGULAR);
	} else if (type != TYPE_WORST) {
		compare(&a, &b, false, 0);
		compare(&a, &b, true, 0);
	}
	matrix_fini(&a);
	matrix_fini(&b);
}
END_TEST

START_TEST(a_zero_pivot_is_told_with_its_column)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)300,
	                                (size_t)300);
	struct matrix b = random_matrix(FLOAT64, 1, 1, (size_t)300);

	allow((const struct matrix[]){ a, b }, 0);
	solve_tells_zero_pivot("variant", "streamed");
	memory_allow_all();
	matrix_fini(&a);
	matrix_fini(&b);
}
END_TEST

/* In a late strip, and in a right-hand side. */
START_TEST(what_is_not_finite_is_refused)
{
	for (int i = 0; i < 4; i++) {
		struct matrix in[] = {
			random_matrix(FLOAT32, 5, 2, (size_t)200, (size_t)200),
			random_matrix(FLOAT32, 5, 2, (size_t)200, (size_t)90),
		};
		struct err e;

		matrix_set(&in[i % 2], i % 2 ? 170 * 90 + 80 :
		                               170 * 200 + 80,
		           i / 2 ? NAN : -INFINITY);
		e = error_of(in, i / 2 ? "true" : "false");
		ck_assert_int_eq(e.code, ERR_NONFINITE);
		ck_assert_msg(strstr(e.text, "row 170, column 80") != NULL,
		              "%s", e.text);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

/* If the request names no variant, the variant `streamed` is taken only where
 * the device cannot hold the matrix. */
START_TEST(what_does_not_fit_is_streamed)
{
	struct matrix a = random_matrix(FLOAT64, 7, 2, (size_t)1500,
	                                (size_t)1500);
	struct matrix b = random_matrix(FLOAT64, 7, 1, (size_t)1500);
	const struct matrix in[] = { a, b };
	struct args whole, r;
	size_t room;

	/* The first call on a device also checks its kernels. */
	op_run("solve", in, 2, &r, "variant", "streamed", NULL);
	args_fini(&r);
	op_run("solve", in, 2, &whole, NULL);
	ck_assert(!whole.variant->streams);
	room = need_now(&whole).bytes;
	memory_allow(room - room / 16);
	op_run("solve", in, 2, &r, NULL);
	memory_allow_all();
	ck_assert_str_eq(r.variant->name, "streamed");
	ck_assert_uint_lt(test_memory, room);
	solve_agrees(&a, &b, &r, &whole);
	args_fini(&whole);
	args_fini(&r);
	matrix_fini(&a);
	matrix_fini(&b);
}
END_TEST

START_TEST(quality_is_what_is_asked_for)
{
	solve_heeds_quality("variant", "streamed");
}
END_TEST

static void refuses(const struct matrix *in, int n_in, const char *name,
                    const char *value, const char *word)
{
	struct err e = { 0 };
	struct args r;

	ck_refused(op_try("solve", in, n_in, &r, &e, "variant", "streamed",
	                  name, value, NULL), &e, ERR_PARAMETER);
	ck_assert_msg(strstr(e.text, word) != NULL, "%s", e.text);
}

START_TEST(what_it_does_not_compute_is_refused)
{
	struct matrix a = random_matrix(FLOAT64, 2, 2, (size_t)70, (size_t)70);
	struct matrix b = random_matrix(FLOAT64, 2, 1, (size_t)70);
	struct matrix stack = random_matrix(FLOAT64, 2, 3, (size_t)2,
	                                    (size_t)70, (size_t)1);
	struct matrix stacked = random_matrix(FLOAT64, 2, 3, (size_t)2,
	                                      (size_t)70, (size_t)70);
	const struct matrix in[] = { a, b }, in_stack[] = { a, stack };
	const struct matrix in_stacked[] = { stacked, b };
	const struct matrix in_factors[] = {
		{ .ndim = MATRIX_ABSENT }, b, a, b,
	};

	refuses(in, 2, "structure", "spd", "other than general");
	refuses(in, 2, "structure", "lower", "other than general");
	refuses(in, 2, "method", "cg", "iterations");
	refuses(in, 2, "dtype", "complex128", "complex128");
	refuses(in_factors, 4, NULL, NULL, "given factors");
	refuses(in_stack, 2, NULL, NULL, "stacks of right-hand sides");
	refuses(in_stacked, 2, NULL, NULL, "stacks");
	matrix_fini(&a);
	matrix_fini(&b);
	matrix_fini(&stack);
	matrix_fini(&stacked);
}
END_TEST

/* Its operand, an intermediate, goes to the host, and its answer goes back to
 * the device. */
START_TEST(a_step_of_a_pipeline_may_stream)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)130,
	                                (size_t)130);
	struct matrix t = transpose_of(&a), in[2] = { t, a };
	struct pipeline *p;
	struct err e = { 0 };
	struct args c[3];
	struct timing time;

	device_copies = true;
	p = pipeline_new(3, &e);
	steps_give(steps_add(p, 0, "transpose"), 0, &a, 0);
	steps_add(p, 1, "solve")->args.variant =
	    op_variant(op_find("solve"), "streamed");
	steps_feed(&p->step[1], 0, 0, 0);
	steps_give(&p->step[1], 1, &a, 0);
	steps_feed(steps_add(p, 2, "transpose"), 0, 1, 0);
	ck_ok(pipeline_return(p, (struct source){ .step = 2 }, "x", &e), &e);
	ck_assert_int_eq(steps_compute(&c[0], p, &time), 0);
	op_run("solve", in, 2, &c[1], "variant", "streamed", NULL);
	op_run("transpose", &c[1].out[0], 1, &c[2], NULL);
	device_copies = false;
	ck_assert_mem_eq(matrix_data(&c[0].out[0]), matrix_data(&c[2].out[0]),
	                 matrix_size(&a));
	for (int i = 0; i < 3; i++)
		args_fini(&c[i]);
	matrix_fini(&a);
	matrix_fini(&t);
}
END_TEST

START_TEST(a_failing_call_leaves_all_in_order)
{
	struct matrix in[] = {
		random_matrix(FLOAT64, 1, 2, (size_t)130, (size_t)130),
		random_matrix(FLOAT64, 1, 1, (size_t)130),
	};

	variant_survives_failing_calls("solve", "streamed", in, 2);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

TCase *tcase_solve_streamed(void)
{
	TCase *t = tcase_create("solve_streamed");

	tcase_set_timeout(t, 0);
	tcase_add_checked_fixture(t, memory_remember, memory_allow_all);
	tcase_add_loop_test(t, systems_of_every_size, 0, (int)COUNT(sizes));
	tcase_add_loop_test(t, right_hand_sides_of_every_number, 0,
	                    (int)COUNT(sides));
	tcase_add_test(t, devices_with_memory_of_their_own);
	tcase_add_loop_test(t, what_is_empty_is_no_work, 0, 3);
	tcase_add_loop_test(t, matrices_of_every_type, 0,
	                    TYPE_COUNT * (int)COUNT(reals));
	tcase_add_test(t, a_zero_pivot_is_told_with_its_column);
	tcase_add_test(t, what_is_not_finite_is_refused);
	tcase_add_test(t, what_does_not_fit_is_streamed);
	tcase_add_test(t, quality_is_what_is_asked_for);
	tcase_add_test(t, what_it_does_not_compute_is_refused);
	tcase_add_test(t, a_step_of_a_pipeline_may_stream);
	tcase_add_test(t, a_failing_call_leaves_all_in_order);
	return t;
}
