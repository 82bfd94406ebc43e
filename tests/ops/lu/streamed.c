/* streamed.c - P A = L U of matrices that the device cannot hold: the pivots
 * are those of a device that holds them, the factors as exact, and the device's
 * memory suffices. */
#include <math.h>

#include "tests/ops/gang.h"
#include "tests/ops/lu/lu.h"
#include "tests/ops/memory.h"
#include "tests/ops/steps.h"

static const char all[] = "lu,pivots,singular,sign,p";

static double distance(const struct matrix *x, const struct matrix *y)
{
	double most = 0;

	for (size_t i = 0; i < matrix_elements(x); i++)
		most = fmax(most, fabs(matrix_get(x, i) - matrix_get(y, i)));
	return most;
}

static void same(const struct matrix *x, const struct matrix *y)
{
	ck_assert_int_eq(x->ndim, y->ndim);
	if (x->ndim != MATRIX_ABSENT)
		ck_assert_mem_eq(matrix_data(x), matrix_data(y),
		                 matrix_size(x));
}

/* `whole` is the answer of a device that holds the matrix. */
static void check_streamed(const struct matrix *m, const struct args *whole,
                           size_t room)
{
	const double n = (double)size_max(m->dim[0], m->dim[1]);
	struct args a;
	double ratio;

	memory_allow(room);
	op_run("lu", m, 1, &a, "variant", "streamed", "return", all, NULL);
	memory_allow_all();
	ck_assert_uint_le(test_memory, room);
	for (int i = PIVOTS; i <= P; i++)
		same(&a.out[i], &whole->out[i]);
	ratio = factors_ratio(m, &a.out[LU], &a.out[PIVOTS]);
	ck_assert_msg(ratio < THRESHOLD, "%s, %zux%zu, %zu bytes: ratio %g",
	              dtype_name(m->dtype), m->dim[0], m->dim[1], room,
	              ratio);
	ck_assert_msg(a.verdict.residual < THRESHOLD &&
	              a.verdict.residual >= ratio / 1000, "%s, %zux%zu, %zu "
	              "bytes: ratio %g, said %g", dtype_name(m->dtype),
	              m->dim[0], m->dim[1], room, ratio, a.verdict.residual);
	ck_assert_double_lt(distance(&a.out[LU], &whole->out[LU]),
	                    n * n * dtype_epsilon(m->dtype));
	args_fini(&a);
}

/* Strips of one panel, and of some. */
static void check_size(enum dtype t, size_t rows, size_t cols)
{
	struct matrix m = random_matrix(t, (unsigned)(rows + 3 * cols), 2,
	                                rows, cols);
	struct args whole;
	size_t room;

	op_run("lu", &m, 1, &whole, "return", all, NULL);
	whole.variant = op_variant(whole.op, "streamed");
	room = memory_least(&whole);
	check_streamed(&m, &whole, room);
	check_streamed(&m, &whole, room + 100 * rows * dtype_bytes(t));
	args_fini(&whole);
	matrix_fini(&m);
}

static const struct { enum dtype t; size_t rows, cols; } sizes[] = {
	{ FLOAT64, 1, 1 }, { FLOAT64, 1, 70 }, { FLOAT64, 70, 1 },
	{ FLOAT64, 64, 64 }, { FLOAT64, 65, 65 }, { FLOAT64, 300, 300 },
	{ FLOAT64, 321, 200 }, { FLOAT64, 200, 321 }, { FLOAT64, 100, 400 },
	{ FLOAT32, 130, 130 }, { FLOAT32, 257, 192 }, { FLOAT32, 150, 321 },
};

START_TEST(every_shape)
{
	const size_t *const side = &sizes[_i].rows;

	check_size(sizes[_i].t, side[0], side[1]);
}
END_TEST

START_TEST(devices_with_memory_of_their_own)
{
	device_copies = device_lanes = true;
	check_size(FLOAT64, 320, 450);
	check_size(FLOAT32, 450, 320);
	device_copies = device_lanes = false;
}
END_TEST

/* A matrix without elements has factors without elements. */
START_TEST(nothing_to_factor)
{
	static const size_t sides[][2] = { { 0, 0 }, { 0, 5 }, { 5, 0 } };

	for (size_t i = 0; i < COUNT(sides); i++) {
		struct matrix m = random_matrix(FLOAT64, 1, 2, sides[i][0],
		                                sides[i][1]);
		struct args a, b;

		op_run("lu", &m, 1, &a, "variant", "streamed", "return", all,
		       NULL);
		op_run("lu", &m, 1, &b, "return", all, NULL);
		same(&a.out[P], &b.out[P]);
		same(&a.out[SIGN], &b.out[SIGN]);
		ck_assert_double_eq(a.verdict.residual, 0);
		args_fini(&a);
		args_fini(&b);
		matrix_fini(&m);
	}
}
END_TEST

/* Singular, badly scaled and triangular ones among them. */
START_TEST(lapacks_matrix_types)
{
	struct matrix m = type_matrix((enum lu_type)_i, FLOAT64, 200, 200, 11);
	struct args whole, a;

	op_run("lu", &m, 1, &whole, NULL);
	whole.variant = op_variant(whole.op, "streamed");
	memory_allow(memory_least(&whole));
	op_run("lu", &m, 1, &a, "variant", "streamed", NULL);
	memory_allow_all();
	ck_assert_double_lt(factors_ratio(&m, &a.out[LU], &a.out[PIVOTS]),
	                    THRESHOLD);
	ck_assert_double_lt(a.verdict.residual, THRESHOLD);
	same(&a.out[SINGULAR], &whole.out[SINGULAR]);
	if (!type_is_singular((enum lu_type)_i) && _i != TYPE_ILL)
		same(&a.out[SIGN], &whole.out[SIGN]);
	args_fini(&a);
	args_fini(&whole);
	matrix_fini(&m);
}
END_TEST

/* If the request names no variant, the variant `streamed` is taken only where
 * the device cannot hold the matrix. */
START_TEST(what_does_not_fit_is_streamed)
{
	struct matrix m = random_matrix(FLOAT64, 7, 2, (size_t)600,
	                                (size_t)600);
	struct args whole, a;
	size_t room;

	op_run("lu", &m, 1, &whole, NULL);
	ck_assert(!whole.variant->streams);
	room = need_now(&whole).bytes;
	whole.variant = op_variant(whole.op, "streamed");
	memory_allow(memory_least(&whole));
	op_run("lu", &m, 1, &a, NULL);
	memory_allow_all();
	ck_assert_str_eq(a.variant->name, "streamed");
	ck_assert_uint_lt(test_memory, room);
	same(&a.out[PIVOTS], &whole.out[PIVOTS]);
	args_fini(&a);
	args_fini(&whole);
	matrix_fini(&m);
}
END_TEST

static void refuses(const struct matrix *m, const char *name,
                    const char *value, const char *word)
{
	struct err e = { 0 };
	struct args a;

	ck_assert_int_lt(op_try("lu", m, 1, &a, &e, "variant", "streamed",
	                        name, value, NULL), 0);
	ck_assert_int_eq(e.code, ERR_PARAMETER);
	ck_assert_msg(strstr(e.text, word) != NULL, "%s", e.text);
}

START_TEST(what_it_does_not_compute_is_refused)
{
	struct matrix m = random_matrix(FLOAT64, 2, 2, (size_t)70, (size_t)70);
	struct matrix stack = random_matrix(FLOAT64, 2, 3, (size_t)2,
	                                    (size_t)7, (size_t)7);

	refuses(&m, "quality", "full", "exact residual");
	refuses(&m, "pivot", "none", "without pivoting");
	refuses(&m, "return", "lu,l", "nor l and u");
	refuses(&m, "return", "sign", "without lu");
	refuses(&m, "dtype", "complex128", "complex128");
	refuses(&stack, NULL, NULL, "stacks");
	matrix_fini(&m);
	matrix_fini(&stack);
}
END_TEST

/* Its operand, an intermediate, goes to the host, and its factors go back to
 * the device. */
START_TEST(a_step_of_a_pipeline_may_stream)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)70, (size_t)70);
	struct pipeline *p;
	struct err e = { 0 };
	struct args c[4];
	struct timing t;

	device_copies = true;
	p = pipeline_new(3, &e);
	for (int i = 0; i < 2; i++)
		steps_give(i ? &p->step[0] : steps_add(p, 0, "matmul"), i, &a,
		           0);
	steps_add(p, 1, "lu")->args.variant = op_variant(op_find("lu"),
	                                                 "streamed");
	steps_feed(&p->step[1], 0, 0, LU);
	steps_feed(steps_add(p, 2, "transpose"), 0, 1, LU);
	ck_ok(pipeline_return(p, (struct source){ .step = 2 }, "x", &e), &e);
	ck_assert_int_eq(steps_compute(&c[0], p, &t), 0);
	op_run("matmul", ((struct matrix[]){ a, a }), 2, &c[1], NULL);
	op_run("lu", &c[1].out[0], 1, &c[2], "variant", "streamed", NULL);
	op_run("transpose", &c[2].out[LU], 1, &c[3], NULL);
	device_copies = false;
	same(&c[0].out[0], &c[3].out[0]);
	for (int i = 0; i < 4; i++)
		args_fini(&c[i]);
	matrix_fini(&a);
}
END_TEST

START_TEST(an_element_that_is_no_number_is_told)
{
	struct matrix m = random_matrix(FLOAT64, 5, 2, (size_t)130,
	                                (size_t)130);
	struct args a;

	matrix_set(&m, 90 * 130 + 100, NAN);
	op_run("lu", &m, 1, &a, "variant", "streamed", NULL);
	ck_assert(isnan(matrix_get(&a.out[SIGN], 0)));
	ck_assert(isnan(a.verdict.residual));
	args_fini(&a);
	matrix_fini(&m);
}
END_TEST

START_TEST(a_failing_call_leaves_all_in_order)
{
	struct matrix m = random_matrix(FLOAT64, 1, 2, (size_t)130,
	                                (size_t)130);

	variant_survives_failing_calls("lu", "streamed", &m, 1);
	matrix_fini(&m);
}
END_TEST

TCase *tcase_lu_streamed(void)
{
	TCase *t = tcase_create("lu_streamed");

	tcase_add_checked_fixture(t, memory_remember, memory_allow_all);
	tcase_add_loop_test(t, every_shape, 0, (int)COUNT(sizes));
	tcase_add_test(t, devices_with_memory_of_their_own);
	tcase_add_test(t, nothing_to_factor);
	tcase_add_loop_test(t, lapacks_matrix_types, 0, TYPE_COUNT);
	tcase_add_test(t, what_does_not_fit_is_streamed);
	tcase_add_test(t, what_it_does_not_compute_is_refused);
	tcase_add_test(t, a_step_of_a_pipeline_may_stream);
	tcase_add_test(t, an_element_that_is_no_number_is_told);
	tcase_add_test(t, a_failing_call_leaves_all_in_order);
	return t;
}
