/* pipeline.c - pipelines in the front: the uses of outputs are found, shapes
 * and types are computed, and invalid pipelines are refused. */
#include <string.h>

#include "ops/pipeline.h"
#include "ops/variant.h"
#include "tests/test.h"

static struct err e;
static struct matrix given;

static void setup(void)
{
	e = (struct err){ 0 };
	given = (struct matrix){ .dtype = FLOAT32, .ndim = 2,
	                         .dim = { 4, 6 } };
	ck_ok(matrix_alloc(&given, test_pool, &e), &e);
}

static void teardown(void)
{
	matrix_fini(&given);
}

/* Makes step k a call of op. Its name is letter k of the alphabet. */
static struct step *add(struct pipeline *p, int k, const char *op)
{
	const char name[2] = { (char)('a' + k), 0 };

	step_init(&p->step[k], name, op_find(op));
	p->step[k].place = k;
	return &p->step[k];
}

static void give(struct step *s, int i)
{
	s->from[i] = (struct source){ .step = -1 };
	s->args.in[i] = matrix_ref(&given);
}

static void feed(struct step *s, int i, int step, int output)
{
	s->from[i] = (struct source){ .step = step,
	                                .output = output };
	s->args.in[i].ndim = 0;
}

/* A pipeline of three steps: a = the transpose of an operand, b = the operation
 * `second` on a (matmul: a times its transpose), c = the norm of b. */
static struct pipeline *three(const char *second)
{
	struct pipeline *p = pipeline_new(3, &e);
	struct step *s = add(p, 0, "transpose");

	give(s, 0);
	s = add(p, 1, second);
	feed(s, 0, 0, 0);
	if (strcmp(second, "matmul") == 0) {
		feed(s, 1, 0, 0);
		s->args.param[op_param(s->args.op, "transpose_b")] = 1;
	}
	s = add(p, 2, "norm");
	feed(s, 0, 1, 0);
	return p;
}

static void answers_with(struct pipeline *p, int step, const char *name)
{
	ck_ok(pipeline_return(p, (struct source){ .step = step }, name, &e),
	      &e);
}

START_TEST(shapes_and_types_flow)
{
	struct pipeline *p = three("matmul");
	struct args a;

	answers_with(p, 2, "n");
	ck_ok(pipeline_link(p, false, &e), &e);
	ck_assert_int_eq(p->step[0].last_use[0], 1);
	ck_assert_int_eq(p->step[1].last_use[0], 2);
	pipeline_args(&a, p);
	ck_ok(pipeline_prepare(&a, test_pool, &e), &e);
	ck_assert_uint_eq(p->step[1].args.out[0].dim[0], 6);
	ck_assert_uint_eq(p->step[1].args.out[0].dim[1], 6);
	ck_assert_int_eq(p->step[2].args.dtype, FLOAT32);
	ck_assert_ptr_null(p->step[1].args.out[0].memory);
	ck_assert_ptr_nonnull(p->step[2].args.out[0].memory);
	ck_assert_int_eq(a.dtype, FLOAT32);
	ck_assert_double_ge(a.op->flops(&a), 2.0 * 6 * 6 * 4);
	args_fini(&a);
}
END_TEST

/* The intermediates a (96 bytes) and b (144) exist at the same time during step
 * b; after it only b does. */
START_TEST(intermediates_are_charged_at_their_most)
{
	const size_t before = memory_pool_used(test_pool);
	struct pipeline *p = three("matmul");
	struct args a;

	answers_with(p, 2, "n");
	ck_ok(pipeline_link(p, false, &e), &e);
	pipeline_args(&a, p);
	ck_ok(pipeline_prepare(&a, test_pool, &e), &e);
	ck_assert_uint_eq(p->charge, 4 * (24 + 36));
	args_fini(&a);
	ck_assert_uint_eq(memory_pool_used(test_pool), before);
}
END_TEST

START_TEST(a_step_that_nothing_uses_is_refused_or_removed)
{
	struct pipeline *p = three("matmul");

	answers_with(p, 1, "b");
	ck_assert_int_eq(pipeline_link(p, false, &e), -1);
	ck_assert_int_eq(e.code, ERR_PARAMETER);
	ck_assert_str_eq(e.pointer, "/steps/2");
	ck_assert_msg(strstr(e.text, "step c: "), "%s", e.text);
	ck_assert_int_eq(pipeline_link(p, true, &e), 0);
	ck_assert_int_eq(p->n, 2);
	pipeline_free(p);
}
END_TEST

/* The steps before a removed step keep their indices; those after it have
 * indices less by 1. */
START_TEST(removed_steps_leave_the_others_linked)
{
	struct pipeline *p = pipeline_new(4, &e);

	give(add(p, 0, "norm"), 0);
	give(add(p, 1, "transpose"), 0);
	give(add(p, 2, "norm"), 0);
	feed(add(p, 3, "norm"), 0, 1, 0);
	answers_with(p, 3, "d");
	ck_ok(pipeline_link(p, true, &e), &e);
	ck_assert_int_eq(p->n, 2);
	ck_assert_str_eq(p->step[0].name, "b");
	ck_assert_str_eq(p->step[1].name, "d");
	ck_assert_int_eq(p->step[1].from[0].step, 0);
	ck_assert_int_eq(p->step[0].last_use[0], 1);
	ck_assert_int_eq(p->returned[0].step, 1);
	ck_assert_int_eq(p->step[1].place, 3);
	pipeline_free(p);
}
END_TEST

START_TEST(shapes_that_do_not_fit_name_the_step)
{
	struct pipeline *p = three("cholesky");
	struct args a;

	answers_with(p, 2, "n");
	ck_ok(pipeline_link(p, false, &e), &e);
	pipeline_args(&a, p);
	ck_assert_int_eq(pipeline_prepare(&a, test_pool, &e), -1);
	ck_assert_int_eq(e.code, ERR_SHAPE);
	ck_assert_msg(strstr(e.text, "step b: ") == e.text, "%s", e.text);
	ck_assert_msg(strncmp(e.pointer, "/steps/1", 8) == 0, "%s",
	              e.pointer);
	args_fini(&a);
}
END_TEST

/* A device with enough memory for each step alone may have too little for the
 * step and the intermediates that exist at the same time. */
START_TEST(what_lies_beside_a_step_counts)
{
	static const struct sheet gpu = {
		.type = DEVICE_GPU, .name = "Test", .float64 = true,
		.compute_units = 4, .global_memory_bytes = 1 << 30,
		.max_allocation_bytes = 1 << 29, .local_memory_bytes = 1 << 16,
		.max_work_group_size = 1024,
	};
	struct pipeline *p = three("matmul");
	struct need alone, all;
	struct args a;

	answers_with(p, 2, "n");
	answers_with(p, 0, "t");
	ck_ok(pipeline_link(p, false, &e), &e);
	pipeline_args(&a, p);
	ck_ok(pipeline_prepare(&a, test_pool, &e), &e);
	ck_ok(pipeline_fit(p, &gpu, &e), &e);
	alone = args_need(&p->step[2].args, variant_for(&p->step[2].args, NULL,
	                  &gpu, &e), &gpu);
	all = args_need(&a, a.op->variants, &gpu);
	ck_assert_uint_ge(all.bytes, alone.bytes + 4 * 24);
	args_fini(&a);
}
END_TEST

TCase *tcase_pipeline(void)
{
	TCase *c = tcase_create("pipeline");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, shapes_and_types_flow);
	tcase_add_test(c, intermediates_are_charged_at_their_most);
	tcase_add_test(c, a_step_that_nothing_uses_is_refused_or_removed);
	tcase_add_test(c, removed_steps_leave_the_others_linked);
	tcase_add_test(c, shapes_that_do_not_fit_name_the_step);
	tcase_add_test(c, what_lies_beside_a_step_counts);
	return c;
}
