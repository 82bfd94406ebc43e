/* call_steps.c - a pipeline's steps in one message: an intermediate is received
 * as the same memory in all steps that have it. */
#include "device/state.h"
#include "ops/pipeline.h"
#include "tests/test.h"
#include "tests/wire/far_side.h"

static struct call calls[CALL_BATCH];
static struct err e;

static void setup(void)
{
	e = (struct err){ 0 };
	far_side_open();
}

static void teardown(void)
{
	far_side_close();
}

/* A pipeline of two steps: "t" = the transpose of an n x n matrix, "c" = t t.
 * Bit 0 and bit 1 of `returned` say whether t and c are returned. */
static struct pipeline *two_steps(size_t n, unsigned returned)
{
	struct pipeline *p = pipeline_new(2, &e);
	struct matrix a = far_square(n);

	step_init(&p->step[0], "t", op_find("transpose"));
	p->step[0].args.in[0] = a;
	p->step[0].from[0] = (struct source){ .step = -1 };
	step_init(&p->step[1], "c", op_find("matmul"));
	for (int i = 0; i < 2; i++)
		p->step[1].args.in[i].ndim = 0;
	for (int k = 0; k < 2; k++)
		if (returned >> k & 1)
			ck_ok(pipeline_return(p, (struct source){ .step = k },
			                      p->step[k].name, &e), &e);
	ck_ok(pipeline_link(p, false, &e), &e);
	return p;
}

static int sent(const struct pipeline *p)
{
	struct call_out out[CALL_BATCH];
	size_t results = 0;

	for (int k = 0; k < p->n; k++) {
		out[k] = (struct call_out){
			.serial = 9, .pipeline = p, .step = k,
			.level = TIMING_FULL, .args = &p->step[k].args,
			.results = results,
		};
		results = call_results_end(&p->step[k].args, results);
	}
	ck_ok(call_send(far_pair[0], &far_small, out, p->n, &e), &e);
	return call_receive(far_pair[1], &far_slab, calls, &e);
}

/* Orders of matrices: one in the slab, and one that gets a memfd of its own if
 * it is returned. */
static const size_t sizes[] = { 3, 120 };

static void check_flow(size_t n, unsigned returned)
{
	struct pipeline *p = two_steps(n, returned);
	const struct memory *t;
	struct args a;

	pipeline_args(&a, p);
	ck_ok(pipeline_prepare(&a, test_pool, &e), &e);
	ck_assert_int_eq(sent(p), 2);
	for (int k = 0; k < 2; k++) {
		ck_assert_msg(!calls[k].err.code, "%s", calls[k].err.text);
		ck_assert_int_eq(calls[k].steps, 2);
		ck_assert_uint_eq(calls[k].serial, 9);
	}
	t = calls[0].args.out[0].memory;
	ck_assert_ptr_nonnull(t);
	ck_assert_ptr_eq(calls[1].args.in[0].memory, t);
	ck_assert_ptr_eq(calls[1].args.in[1].memory, t);
	ck_assert_int_eq(t->own, !(returned & 1));
	ck_assert_uint_ge(t->bytes, n * n * sizeof(double));
	ck_assert_uint_eq(calls[1].args.in[0].dim[1], n);
	ck_assert(!calls[1].args.out[0].memory->own);
	for (int k = 0; k < 2; k++)
		args_fini(&calls[k].args);
	args_fini(&a);
}

START_TEST(an_operand_is_its_sources_memory)
{
	check_flow(sizes[_i], 2);
}
END_TEST

START_TEST(so_it_is_where_the_source_is_returned)
{
	check_flow(sizes[_i], 3);
}
END_TEST

/* Sends the steps in an order that the front must not use. */
START_TEST(an_intermediate_before_its_source_is_refused)
{
	struct pipeline *p = two_steps(3, 2);
	struct call_out out;
	struct args a;

	pipeline_args(&a, p);
	ck_ok(pipeline_prepare(&a, test_pool, &e), &e);
	out = (struct call_out){ .serial = 9, .pipeline = p, .step = 1,
	                         .args = &p->step[1].args };
	ck_ok(call_send(far_pair[0], &far_small, &out, 1, &e), &e);
	ck_assert_int_eq(call_receive(far_pair[1], &far_slab, calls, &e), 1);
	ck_assert_int_eq(calls[0].err.code, ERR_INTERNAL);
	args_fini(&calls[0].args);
	args_fini(&a);
}
END_TEST

TCase *tcase_call_steps(void)
{
	TCase *c = tcase_create("call_steps");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_loop_test(c, an_operand_is_its_sources_memory, 0, 2);
	tcase_add_loop_test(c, so_it_is_where_the_source_is_returned, 0, 2);
	tcase_add_test(c, an_intermediate_before_its_source_is_refused);
	return c;
}
