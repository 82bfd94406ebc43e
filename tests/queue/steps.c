/* steps.c - answers to a pipeline are accepted in the order of its steps, or as
 * one failure; all others are refused. */
#include <stdlib.h>
#include <string.h>

#include "ops/pipeline.h"
#include "queue/steps.h"
#include "tests/test.h"

static struct err e;
static struct worker w;
static struct control page;	/* the worker's control page */
static struct job *j;
static struct answers sent;

/* Makes a pipeline of two steps on a 2 x 2 matrix: "t" is its transpose, "u"
 * the transpose of t. */
static void setup(void)
{
	struct pipeline *p;

	e = (struct err){ 0 };
	j = job_new(op_find("lu"), &e);
	args_fini(&j->args);
	p = pipeline_new(2, &e);
	for (int k = 0; k < 2; k++) {
		struct step *s = &p->step[k];

		step_init(s, k ? "u" : "t", op_find("transpose"));
		s->place = k;
		s->args.in[0].ndim = 0;
		s->from[0] = (struct source){ .step = k - 1 };
	}
	p->step[0].args.in[0] = (struct matrix){ .dtype = FLOAT64, .ndim = 2,
	                                         .dim = { 2, 2 } };
	ck_ok(matrix_alloc(&p->step[0].args.in[0], test_pool, &e), &e);
	ck_ok(pipeline_return(p, (struct source){ .step = 1 }, "u", &e), &e);
	ck_ok(pipeline_link(p, false, &e), &e);
	pipeline_args(&j->args, p);
	ck_ok(pipeline_prepare(&j->args, test_pool, &e), &e);
	j->serial = 5;
	j->state = JOB_RUNNING;
	memset(&page, 0, sizeof page);	/* too large for the stack */
	w = (struct worker){ .running = { j }, .n_running = 1,
	                     .n_answers = 2, .control = &page };
	sent.used = 0;
}

static void teardown(void)
{
	job_unref(j);
}

static struct done answer(int step)
{
	struct done d = { .serial = 5, .step = step, .present = 1,
	                  .step_ns = 10 + step, .verdict = verdict_none() };

	strcpy(d.variant, "blocked");
	return d;
}

static void tell(const struct done *d)
{
	ck_ok(answers_add(&sent, d, -1, &e), &e);
}

START_TEST(each_step_is_answered_in_its_order)
{
	struct done d = answer(0);
	const struct done *last;

	ck_assert(steps_run(&w));
	tell(&d);
	ck_ok(steps_take(&w, &sent, &last, &e), &e);
	ck_assert_ptr_null(last);
	ck_assert_int_eq(w.n_answers, 1);
	sent.used = 0;
	d = answer(1);
	tell(&d);
	ck_ok(steps_take(&w, &sent, &last, &e), &e);
	ck_assert_ptr_nonnull(last);
	ck_assert_int_eq(j->args.pipeline->step[0].compute_ns, 10);
	ck_assert_int_eq(j->args.pipeline->step[1].compute_ns, 11);
	ck_assert_str_eq(j->args.pipeline->step[1].variant, "blocked");
}
END_TEST

START_TEST(a_failure_is_the_only_answer)
{
	struct done d = answer(1);
	const struct done *last;

	d.present = 0;
	err_set(&d.err, ERR_SINGULAR, "no");
	tell(&d);
	ck_ok(steps_take(&w, &sent, &last, &e), &e);
	ck_assert_ptr_nonnull(last);
	ck_assert_int_eq(last->step, 1);
}
END_TEST

static void lie_order(struct done *d) { d->step = 1; }
static void lie_beyond(struct done *d) { d->step = 2; }
static void lie_before(struct done *d) { d->step = -1; }
static void lie_time(struct done *d) { d->step_ns = -1; }
static void lie_serial(struct done *d) { d->serial = 6; }
static void lie_variant(struct done *d) { strcpy(d->variant, "lu"); }
static void lie_outputs(struct done *d) { d->present = 2; }

static void lie_failure(struct done *d)
{
	d->step = PIPELINE_STEPS;
	err_set(&d->err, ERR_SINGULAR, "no");
}

static void lie_kernel(struct done *d)
{
	d->timing.n_kernels = 2;
	d->timing.kernel[1] = (struct kernel_time){ .calls = 1, .step = 2 };
}

static void (*const lies[])(struct done *d) = {
	lie_order, lie_beyond, lie_before, lie_time, lie_serial, lie_variant,
	lie_outputs, lie_failure, lie_kernel,
};

START_TEST(an_impossible_answer_is_refused)
{
	struct done d = answer(0);
	const struct done *last;

	lies[_i](&d);
	tell(&d);
	ck_assert_int_eq(steps_take(&w, &sent, &last, &e), -1);
	ck_assert_int_eq(e.code, ERR_DEVICE);
}
END_TEST

START_TEST(nothing_follows_the_last_answer)
{
	struct done d = answer(0);
	const struct done *last;

	err_set(&d.err, ERR_SINGULAR, "no");
	tell(&d);
	tell(&d);
	ck_assert_int_eq(steps_take(&w, &sent, &last, &e), -1);
	ck_assert_int_eq(e.code, ERR_DEVICE);
}
END_TEST

TCase *tcase_steps_taken(void)
{
	TCase *c = tcase_create("steps_taken");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, each_step_is_answered_in_its_order);
	tcase_add_test(c, a_failure_is_the_only_answer);
	tcase_add_loop_test(c, an_impossible_answer_is_refused, 0,
	                    (int)(sizeof lies / sizeof lies[0]));
	tcase_add_test(c, nothing_follows_the_last_answer);
	return c;
}
