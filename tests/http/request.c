/* request.c - a parameter may be given once, is checked, and is named when it
 * is wrong. */
#include <stdio.h>

#include "http/request.h"
#include "queue/state.h"
#include "tests/test.h"

static struct engine *engine;
static const struct tenant nobody;
static struct request r;
static struct args args;
static struct err e;

static void begin(const char *op)
{
	args_init(&args, op_find(op));
	e = (struct err){ 0 };
	ck_ok(request_init(&r, engine, &args, &e), &e);
	request_set_tenant(&r, &nobody);
}

static void setup(void)
{
	engine = calloc(1, sizeof *engine);
	ck_assert_ptr_nonnull(engine);
	engine->n_workers = 2;
	engine->worker[0].sheet = (struct sheet){
		.type = DEVICE_CPU, .name = "a processor", .float64 = true,
	};
	engine->worker[1].sheet = (struct sheet){
		.index = 1, .type = DEVICE_GPU, .name = "a card",
	};
	begin("lu");
}

static void teardown(void)
{
	args_fini(&args);
	free(engine);
}

static void taken(const char *name, const char *value)
{
	ck_ok(request_parameter(&r, name, value, &e), &e);
}

static void refused(const char *name, const char *value, const char *pointer)
{
	e = (struct err){ 0 };
	ck_refused(request_parameter(&r, name, value, &e), &e, ERR_PARAMETER);
	ck_assert_str_eq(e.pointer, pointer);
	e = (struct err){ 0 };
}

START_TEST(common_parameters_are_set)
{
	ck_assert_uint_eq(r.devices, 3);
	taken("device", "gpu");
	ck_assert_uint_eq(r.devices, 2);
	taken("dtype", "float32");
	ck_assert_int_eq(r.dtype, FLOAT32);
	taken("priority", "0");
	ck_assert_int_eq(r.priority, 0);
	taken("timeout_ms", "1500");
	ck_assert_int_eq(r.timeout_ms, 1500);
	taken("timing", "none");
	ck_assert_int_eq(r.timing, TIMING_NONE);
	taken("quality", "full");
	ck_assert_int_eq(args.quality, QUALITY_FULL);
	taken("variant", "auto");
	ck_assert_ptr_null(args.variant);
}
END_TEST

START_TEST(a_priority_may_be_too_urgent_for_the_tenant)
{
	const struct tenant late = { .limits = { .urgency = 7 } };

	request_set_tenant(&r, &late);
	ck_assert_int_eq(r.priority, 7);
	taken("priority", "8");
	begin("lu");
	request_set_tenant(&r, &late);
	ck_refused(request_parameter(&r, "priority", "6", &e), &e,
	           ERR_FORBIDDEN);
	ck_assert_str_eq(e.pointer, "/priority");
}
END_TEST

START_TEST(an_operations_own_parameters_are_set)
{
	const int i = op_param(args.op, "pivot");

	taken("pivot", "none");
	ck_assert_str_eq(args.op->params[i].choices[(int)args.param[i]],
	                 "none");
}
END_TEST

START_TEST(wrong_values_are_named)
{
	static const char *const wrong[][2] = {
		{ "device", "tpu" }, { "device", "2" }, { "device", "" },
		{ "dtype", "float8" }, { "priority", "10" },
		{ "priority", "-1" }, { "priority", "1.5" },
		{ "priority", "" }, { "priority", " 1" },
		{ "timeout_ms", "0" }, { "timeout_ms", "1e3" },
		{ "timeout_ms", "99999999999999999999" }, { "timing", "" },
		{ "quality", "best" }, { "variant", "no-such" },
		{ "return", "x" }, { "return", "" }, { "return", "l,,u" },
		{ "pivot", "odd" }, { "frobnicate", "1" }, { "", "" },
		{ "shape", "-1,2" }, { "b.shape", "1,2" }, { ".shape", "1" },
	};
	char pointer[64];

	for (size_t i = 0; i < COUNT(wrong); i++) {
		begin("lu");
		snprintf(pointer, sizeof pointer, "/%s", wrong[i][0]);
		refused(wrong[i][0], wrong[i][1], pointer);
	}
}
END_TEST

START_TEST(nothing_is_given_twice)
{
	taken("priority", "1");
	refused("priority", "1", "/priority");
	taken("pivot", "none");
	refused("pivot", "none", "/pivot");
	taken("shape", "2,2");
	refused("a.shape", "2,2", "/a.shape");
	ck_assert_ptr_eq(request_operand(&r, "a", &e), &args.in[0]);
	ck_assert_ptr_null(request_operand(&r, "a", &e));
	ck_assert_int_eq(e.code, ERR_REQUEST);
}
END_TEST

START_TEST(return_replaces_the_usual_outputs)
{
	taken("return", "l, u");
	ck_assert_uint_eq(args.want, 1u << op_output(args.op, "l") |
	                  1u << op_output(args.op, "u"));
}
END_TEST

START_TEST(operands_without_a_name_come_in_order)
{
	begin("matmul");
	ck_assert_ptr_eq(request_operand(&r, NULL, &e), &args.in[0]);
	ck_assert_ptr_eq(request_operand(&r, NULL, &e), &args.in[1]);
	ck_assert_ptr_null(request_operand(&r, NULL, &e));
	ck_assert_int_eq(e.code, ERR_REQUEST);
	e = (struct err){ 0 };
	ck_assert_ptr_null(request_operand(&r, "x", &e));
	ck_assert_int_eq(e.code, ERR_REQUEST);
	ck_assert(request_is_operand(&r, "b"));
	ck_assert(!request_is_operand(&r, "c"));
}
END_TEST

START_TEST(raw_operands_are_laid_out_in_the_operations_order)
{
	struct matrix m = { 0 };
	const char *name;

	begin("matmul");
	taken("b.shape", "4,5");
	taken("a.shape", "3,4");
	ck_assert_int_eq(request_layout(&r, 0, &name, &m, &e), -1);
	ck_assert_str_eq(e.pointer, "?dtype");
	e = (struct err){ 0 };
	taken("dtype", "float32");
	ck_assert_int_eq(request_layout(&r, 0, &name, &m, &e), 1);
	ck_assert_str_eq(name, "a");
	ck_assert(m.ndim == 2 && m.dim[0] == 3 && m.dtype == FLOAT32);
	ck_assert_int_eq(request_layout(&r, 1, &name, &m, &e), 1);
	ck_assert_str_eq(name, "b");
	ck_assert_int_eq(request_layout(&r, 2, &name, &m, &e), 0);
	ck_ok(request_end(&r, &e), &e);
}
END_TEST

START_TEST(a_shape_that_nobody_asks_for_is_an_error)
{
	taken("shape", "2,2");
	ck_refused(request_end(&r, &e), &e, ERR_PARAMETER);
	ck_assert_str_eq(e.pointer, "/shape");
}
END_TEST

START_TEST(a_variant_stays_on_the_devices_that_can_run_it)
{
	const struct variant *v = args.op->variants;

	while (v->name && !(v->requires & NEEDS_CPU &&
	                    v->dtypes & DTYPE_BIT(FLOAT64)))
		v++;
	ck_assert_ptr_nonnull(v->name);
	taken("variant", v->name);
	ck_ok(request_end(&r, &e), &e);
	ck_assert_uint_eq(r.devices, 1);
	begin("lu");
	taken("variant", v->name);
	taken("device", "card");
	ck_refused(request_end(&r, &e), &e, ERR_PARAMETER);
	ck_assert_str_eq(e.pointer, "/variant");
}
END_TEST

TCase *tcase_http_request(void)
{
	TCase *t = tcase_create("http_request");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, common_parameters_are_set);
	tcase_add_test(t, a_priority_may_be_too_urgent_for_the_tenant);
	tcase_add_test(t, an_operations_own_parameters_are_set);
	tcase_add_test(t, wrong_values_are_named);
	tcase_add_test(t, nothing_is_given_twice);
	tcase_add_test(t, return_replaces_the_usual_outputs);
	tcase_add_test(t, operands_without_a_name_come_in_order);
	tcase_add_test(t, raw_operands_are_laid_out_in_the_operations_order);
	tcase_add_test(t, a_shape_that_nobody_asks_for_is_an_error);
	tcase_add_test(t, a_variant_stays_on_the_devices_that_can_run_it);
	return t;
}
