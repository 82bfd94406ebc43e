/* job_record_answer.c - answers of jobs, and pipelines, that become text and
 * matrices, and these the same again. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"
#include "matrix/store.h"
#include "ops/failure.h"
#include "queue/tenant.h"
#include "tests/queue/record_room.h"

/* --- the answer */

static void ck_same_timing(const struct timing *a, const struct timing *b)
{
	ck_assert_int_eq(a->upload_ns, b->upload_ns);
	ck_assert_int_eq(a->download_ns, b->download_ns);
	ck_assert_int_eq(a->compute_ns, b->compute_ns);
	ck_assert_int_eq(a->host_ns, b->host_ns);
	ck_assert_int_eq(a->compile_ns, b->compile_ns);
	ck_assert_int_eq(a->n_kernels, b->n_kernels);
	for (int i = 0; i < a->n_kernels; i++) {
		const struct kernel_time *k = &a->kernel[i];
		const struct kernel_time *l = &b->kernel[i];

		ck_assert_str_eq(k->name, l->name);
		ck_assert_uint_eq(k->calls, l->calls);
		ck_assert_uint_eq(k->timed, l->timed);
		ck_assert_uint_eq(k->total_ns, l->total_ns);
		ck_assert_uint_eq(k->min_ns, l->min_ns);
		ck_assert_uint_eq(k->max_ns, l->max_ns);
		ck_assert(k->flops == l->flops && k->bytes == l->bytes);
		ck_assert_int_eq(k->device, l->device);
		ck_assert_int_eq(k->step, l->step);
	}
}

static void ck_same_result(const struct args *a, const struct args *b)
{
#define X(measure, flag)                                                 \
	ck_assert(a->verdict.measure == b->verdict.measure ||            \
	          (isnan(a->verdict.measure) && isnan(b->verdict.measure)));
	VERDICT_MEASURES(X)
#undef X
	ck_assert_uint_eq(a->real, b->real);
	ck_assert_uint_eq(a->shorter, b->shorter);
	ck_assert_uint_eq(a->failures, b->failures);
	ck_assert_uint_eq(a->stack, b->stack);
	for (size_t i = 0; a->failed.memory && i < a->failures; i++) {
		const struct failure f = args_failure(a, i);
		const struct failure g = args_failure(b, i);

		ck_assert_uint_eq(f.index, g.index);
		ck_assert_mem_eq(&f.detail, &g.detail, sizeof f.detail);
	}
	for (int i = 0; i < OP_OUTPUTS; i++)
		record_ck_same(&a->out[i], &b->out[i]);
}

static void ck_same_answer(const struct job *a, const struct job *b)
{
	ck_assert_int_eq(a->begun_ms, b->begun_ms);
	ck_assert_int_eq(a->finished_ms, b->finished_ms);
	ck_assert_int_eq(a->compile_ns, b->compile_ns);
	ck_assert_int_eq(a->first_byte_ns - a->accepted_ns,
	                 b->first_byte_ns - b->accepted_ns);
	ck_assert_int_eq(a->started_ns - a->accepted_ns,
	                 b->started_ns - b->accepted_ns);
	ck_assert_int_eq(a->ended_ns - a->accepted_ns,
	                 b->ended_ns - b->accepted_ns);
	ck_assert_int_eq(a->replied_ns - a->accepted_ns,
	                 b->replied_ns - b->accepted_ns);
	ck_assert_int_eq(a->device, b->device);
	ck_assert_uint_eq(a->parts_on, b->parts_on);
	ck_assert_str_eq(a->variant, b->variant);
	ck_same_timing(a->timing, b->timing);
	ck_same_result(&a->args, &b->args);
}

/* Gives matrices 0 and 2 of a stack of three no answer, as a worker does. */
static void fail_two(struct args *a)
{
	for (size_t i = 0; i < 3; i += 2)
		args_fail(a, &(struct failure){ i, { ERR_SINGULAR, (int32_t)i,
		                                     0.1, -1e300 } });
	a->failures = 0;
	ck_assert(args_take_failures(a, 2));
}

static void ck_answer_kept(struct job *j)
{
	char *request = record_request_of(j, 0), *answer = record_answer_of(j);
	struct err e = { 0 };
	struct job *again = record_answer_again(j, request, answer, &e);

	ck_assert_msg(again && !e.code, "%s: %s\n%s%s", j->args.op->name,
	              e.text, request, answer);
	ck_same_answer(j, again);
	job_unref(again);
	job_unref(j);
	free(answer);
	free(request);
}

START_TEST(every_answer_comes_back)
{
	for (const struct op *const *o = ops; *o; o++)
		for (int d = -1; d < DTYPE_COUNT; d++) {
			struct job *j;
			struct err e = { 0 };

			if (d >= 0 && !op_takes_dtype(*o, (enum dtype)d))
				continue;
			j = record_job(*o, 6, d);
			if (record_prepare(j, &e)) {
				job_unref(j);
				continue;
			}
			args_take_failures(&j->args, 0);
			record_fill(j);
			ck_answer_kept(j);
		}
}
END_TEST

START_TEST(failed_matrices_of_stacks_come_back)
{
	int listed = 0;

	for (const struct op *const *o = ops; *o; o++) {
		struct err e = { 0 };
		struct job *j;

		if (!(*o)->describe || (*o)->inputs[0].layout != DENSE)
			continue;
		j = record_stack(*o, FLOAT64);
		if (record_prepare(j, &e) || !j->args.failed.memory) {
			job_unref(j);
			continue;
		}
		fail_two(&j->args);
		record_fill(j);
		ck_answer_kept(j);
		listed++;
	}
	ck_assert_int_gt(listed, 2);
}
END_TEST

START_TEST(a_problem_comes_back)
{
	for (int c = ERR_NONE + 1; c < ERR_COUNT; c++) {
		struct job *j = record_job(op_find("solve"), 3, -1);
		struct job *again;
		struct err e = { 0 };
		char *request, *answer;

		ck_ok(record_prepare(j, &e), &e);
		record_fill(j);
		err_set_at(&j->err, (enum err_code)c, "/a b",
		           "what is wrong with %d", c);
		j->err.retry_s = 17;
		request = record_request_of(j, 0);
		answer = record_answer_of(j);
		again = record_read_request(request, &record.room, &e);
		ck_ok(record_read_answer(again, answer, &e), &e);
		ck_assert_int_eq(again->err.code, c);
		ck_assert_uint_eq(again->err.retry_s, 17);
		ck_assert_str_eq(again->err.text, j->err.text);
		ck_assert_str_eq(again->err.pointer, "/a b");
		job_unref(again);
		job_unref(j);
		free(answer);
		free(request);
	}
}
END_TEST

START_TEST(a_result_that_is_gone_comes_back_as_such)
{
	struct job *j = record_job(op_find("lu"), 3, -1);
	struct err e = { 0 };

	ck_assert(!j->gone);
	ck_ok(record_read_answer(j, "begun 1\nfinished 2\ngone\n", &e), &e);
	ck_assert(j->gone);
	ck_assert_int_eq(j->finished_ms, 2);
	job_unref(j);
}
END_TEST

/* --- pipelines */

static void ck_same_source(const struct source *a, const struct source *b)
{
	ck_assert_int_eq(a->step, b->step);
	ck_assert_int_eq(a->output, b->output);
}

static void ck_same_step(const struct step *a, const struct step *b)
{
	ck_assert_str_eq(a->name, b->name);
	ck_assert_int_eq(a->place, b->place);
	ck_assert_ptr_eq(a->args.op, b->args.op);
	ck_assert_uint_eq(a->given, b->given);
	ck_assert_int_eq(a->judged, b->judged);
	ck_assert_uint_eq(a->used, b->used);
	ck_assert_uint_eq(a->returned, b->returned);
	ck_assert_mem_eq(a->last_use, b->last_use, sizeof a->last_use);
	for (int i = 0; i < OP_INPUTS; i++) {
		ck_assert_int_eq(step_is_fed(a, i), step_is_fed(b, i));
		if (step_is_fed(a, i))
			ck_same_source(&a->from[i], &b->from[i]);
	}
	record_ck_same_call(&a->args, &b->args);
}

static void ck_same_pipeline(const struct pipeline *a,
                             const struct pipeline *b)
{
	ck_assert_ptr_nonnull(b);
	ck_assert_int_eq(a->n, b->n);
	ck_assert_int_eq(a->n_returned, b->n_returned);
	for (int i = 0; i < a->n_returned; i++) {
		ck_assert_str_eq(a->names[i], b->names[i]);
		ck_same_source(&a->returned[i], &b->returned[i]);
	}
	for (int k = 0; k < a->n; k++)
		ck_same_step(&a->step[k], &b->step[k]);
}

START_TEST(a_pipeline_comes_back)
{
	struct job *j = record_pipeline(), *again;
	char *request = record_request_of(j, 0);
	struct err e = { 0 };

	again = record_ask_again(j, request, &e);
	ck_assert_msg(again && !e.code, "%s\n%s", e.text, request);
	ck_assert_str_eq(again->args.op->name, "pipeline");
	ck_same_pipeline(j->args.pipeline, again->args.pipeline);
	ck_assert_uint_eq(j->args.want, again->args.want);
	ck_assert_uint_eq(j->args.pipeline->charge,
	                  again->args.pipeline->charge);
	for (int k = 0; k < 2; k++)
		record_ck_same_matrices(&j->args.pipeline->step[k].args,
		                 &again->args.pipeline->step[k].args);
	job_unref(again);
	job_unref(j);
	free(request);
}
END_TEST

/* The outputs are the job's, the failures those of the steps. */
START_TEST(the_answer_of_a_pipeline_comes_back)
{
	struct job *j = record_pipeline(), *again;
	struct step *const s = j->args.pipeline->step;
	char *request = record_request_of(j, 0), *answer;
	struct err e = { 0 };

	record_fill(j);
	args_take_failures(&s[0].args, 0);
	fail_two(&s[1].args);
	pipeline_collect(&j->args);
	j->args.failures = 2;
	answer = record_answer_of(j);
	again = record_answer_again(j, request, answer, &e);
	ck_assert_msg(again && !e.code, "%s\n%s%s", e.text, request, answer);
	ck_same_answer(j, again);
	for (int k = 0; k < 2; k++) {
		const struct step *t = &again->args.pipeline->step[k];

		ck_assert_str_eq(s[k].variant, t->variant);
		ck_assert_int_eq(s[k].compute_ns, t->compute_ns);
		ck_same_result(&s[k].args, &t->args);
	}
	job_unref(again);
	job_unref(j);
	free(answer);
	free(request);
}
END_TEST

/* Of a fleet: what another host has run says where. */
START_TEST(the_place_of_a_job_comes_back)
{
	struct job *j = record_job(op_find("trace"), 3, -1), *again;
	char *request, *answer;
	struct err e = { 0 };

	ck_ok(record_prepare(j, &e), &e);
	request = record_request_of(j, 0);
	j->place = calloc(1, sizeof *j->place);
	*j->place = (struct job_place){ "node-b", 2, {
		{ 0, "a GPU", "its platform" }, { 3, "another", "its own" } } };
	record_fill(j);
	answer = record_answer_of(j);
	again = record_answer_again(j, request, answer, &e);
	ck_assert_msg(again && !e.code, "%s\n%s%s", e.text, request, answer);
	ck_assert_ptr_nonnull(again->place);
	ck_assert_mem_eq(again->place, j->place, sizeof *j->place);
	job_unref(again);
	job_unref(j);
	free(answer);
	free(request);
}
END_TEST

/* A device without a host, and parts of a device that is not there. */
START_TEST(a_place_that_makes_no_sense_is_refused)
{
	static const char *const wrong[] = {
		"place 0\n", "name x\n", "platform x\n",
		"host b\nname x\n", "host b\nplatform x\n",
	};
	struct job *j = record_job(op_find("trace"), 3, -1);
	char *request;

	ck_ok(record_prepare(j, &record.e), &record.e);
	request = record_request_of(j, 0);
	for (size_t i = 0; i < COUNT(wrong); i++) {
		struct err e = { 0 };

		job_unref(record_answer_again(j, request, wrong[i], &e));
		ck_assert_int_eq(e.code, ERR_FORMAT);
	}
	job_unref(j);
	free(request);
}
END_TEST

TCase *tcase_job_record_answer(void)
{
	TCase *c = tcase_create("job_record_answer");

	tcase_add_checked_fixture(c, record_open, record_close);
	tcase_add_test(c, every_answer_comes_back);
	tcase_add_test(c, failed_matrices_of_stacks_come_back);
	tcase_add_test(c, a_problem_comes_back);
	tcase_add_test(c, a_result_that_is_gone_comes_back_as_such);
	tcase_add_test(c, the_place_of_a_job_comes_back);
	tcase_add_test(c, a_place_that_makes_no_sense_is_refused);
	tcase_add_test(c, a_pipeline_comes_back);
	tcase_add_test(c, the_answer_of_a_pipeline_comes_back);
	return c;
}
