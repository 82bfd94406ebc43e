/* engine_split.c - one long job on several devices: each part writes its own
 * rows, and the job ends once. */
#include <signal.h>
#include <stdlib.h>

#include "tests/queue/split_room.h"

static const size_t units[] = { 0, UNIT, 2 * UNIT, 3 * UNIT };

/* Asserts that every part wrote where its rows begin. */
static void check_rows(const struct job *j, const size_t begins[], int parts)
{
	const struct matrix *c = &j->args.out[0];
	int part = 0;

	for (size_t i = 0; i < c->dim[0]; i++) {
		const bool first = part < parts && i == begins[part];

		ck_assert_double_eq(matrix_get(c, i), first ? 42 : 0);
		part += first;
	}
}

START_TEST(a_long_job_runs_in_parts)
{
	struct job *j = in_parts(FAKE_ANSWER, FAKE_ANSWER, FAKE_ANSWER,
	                         FAKE_ANSWER);
	unsigned seen = 0;

	UNTIL(room.n_ended);
	ck_assert_int_eq(j->state, JOB_SUCCESSFUL);
	check_rows(j, units, ALIKE);
	ck_assert_int_eq(j->device, 0);
	ck_assert_uint_eq(j->parts_on, (1u << ALIKE) - 1);
	ck_assert_str_eq(j->variant, j->args.op->variants[0].name);
	ck_assert_int_eq(j->timing->n_kernels, ALIKE);
	for (int i = 0; i < ALIKE; i++)
		seen |= 1u << j->timing->kernel[i].device;
	ck_assert_uint_eq(seen, (1u << ALIKE) - 1);
	ck_assert_int_ge(j->started_ns, j->accepted_ns);
	ck_assert_int_eq(engine_progress(room.engine, j), 100);
	ck_assert_ptr_null(j->split);
	UNTIL(all_idle());
	ck_assert_int_eq(room.n_ended, 1);
	job_unref(j);
}
END_TEST

START_TEST(its_progress_is_that_of_all_parts)
{
	struct job *j = in_parts(FAKE_HOLD, FAKE_ANSWER, FAKE_HOLD,
	                         FAKE_HOLD);

	UNTIL(engine_progress(room.engine, j) == (100 + 3 * 50) / 4);
	ck_assert_int_eq(j->state, JOB_RUNNING);
	engine_dismiss(room.engine, j);
	job_unref(j);
}
END_TEST

START_TEST(a_part_that_fails_ends_the_others_and_the_job)
{
	struct job *j = in_parts(FAKE_HOLD, FAKE_HOLD, FAKE_FAIL, FAKE_HOLD);

	UNTIL(room.n_ended);
	ck_assert_int_eq(j->state, JOB_FAILED);
	ck_assert_int_eq(j->err.code, ERR_SINGULAR);
	ck_assert_ptr_null(matrix_data(&j->args.out[0]));
	UNTIL(all_idle());
	ck_assert_int_eq(room.n_ended, 1);
	job_unref(j);
}
END_TEST

START_TEST(a_part_that_crashes_its_worker_fails_the_job_with_the_reason)
{
	struct job *j = in_parts(FAKE_HOLD, FAKE_CRASH, FAKE_HOLD, FAKE_HOLD);

	UNTIL(room.n_ended);
	ck_assert_int_eq(j->state, JOB_FAILED);
	ck_assert_int_eq(j->err.code, ERR_DEVICE);
	ck_assert_msg(strstr(j->err.text, "device 1 (Fake Accelerator) died "
	                     "by signal 11"), "%s", j->err.text);
	UNTIL(all_idle());
	job_unref(j);
}
END_TEST

START_TEST(a_part_whose_worker_was_killed_runs_once_more)
{
	struct job *j = in_parts(FAKE_ANSWER, FAKE_ANSWER, FAKE_ANSWER,
	                         FAKE_HOLD_ONCE);

	UNTIL(is_at_work(3));
	kill(worker_of(3)->pid, SIGKILL);
	UNTIL(room.n_ended);
	ck_assert_int_eq(j->state, JOB_SUCCESSFUL);
	check_rows(j, units, ALIKE);
	job_unref(j);
}
END_TEST

START_TEST(dismissing_it_ends_all_parts)
{
	struct job *j = in_parts(FAKE_HOLD, FAKE_HOLD, FAKE_HOLD, FAKE_HOLD);

	engine_dismiss(room.engine, j);
	ck_assert_int_eq(j->state, JOB_DISMISSED);
	ck_assert_int_eq(room.n_ended, 1);
	ck_assert_ptr_null(j->split);
	UNTIL(all_idle());
	job_unref(j);
}
END_TEST

START_TEST(a_part_that_ignores_the_dismissal_is_killed)
{
	struct job *j;
	pid_t pid;

	room.grace_ns = 20 * MS;
	j = in_parts(FAKE_HOLD, FAKE_HOLD, FAKE_HANG, FAKE_HOLD);
	pid = worker_of(2)->pid;
	UNTIL(is_at_work(2));
	engine_dismiss(room.engine, j);
	UNTIL(worker_of(2)->pid != pid && all_idle());
	job_unref(j);
}
END_TEST

START_TEST(its_deadline_ends_all_parts)
{
	const enum fake_deed deed[ALIKE] = { FAKE_HOLD, FAKE_HOLD, FAKE_HOLD,
	                                     FAKE_HOLD };
	struct job *j;

	start_alike();
	j = product(deed);
	j->deadline_ns = clock_ns() + 20 * MS;
	submit(j);
	ck_assert_ptr_nonnull(j->split);
	UNTIL(room.n_ended);
	ck_assert_int_eq(j->state, JOB_FAILED);
	ck_assert_int_eq(j->err.code, ERR_TIMEOUT);
	UNTIL(all_idle());
	job_unref(j);
}
END_TEST

START_TEST(an_engine_may_be_freed_while_one_runs_in_parts)
{
	job_unref(in_parts(FAKE_HANG, FAKE_HANG, FAKE_ANSWER, FAKE_HANG));
}
END_TEST

static const enum fake_deed answers[ALIKE] = { FAKE_ANSWER, FAKE_ANSWER,
                                               FAKE_ANSWER, FAKE_ANSWER };

/* A last unit that is not full belongs to the last part. */
START_TEST(no_part_is_larger_than_need_be)
{
	static const size_t begins[ALIKE] = { 0, UNIT, 3 * UNIT, 5 * UNIT };
	struct job *j;

	start_alike();
	j = tall_product(6 * UNIT + 100, answers);
	submit(j);
	UNTIL(j->state == JOB_SUCCESSFUL);
	check_rows(j, begins, ALIKE);
	job_unref(j);
}
END_TEST

static void runs_whole(struct job *j)
{
	ck_assert_int_eq(j->state, JOB_RUNNING);
	ck_assert_ptr_null(j->split);
	UNTIL(j->state == JOB_SUCCESSFUL);
	ck_assert_uint_eq(j->parts_on, 0);
	job_unref(j);
}

static struct job *for_devices(const char *selector)
{
	struct job *j;

	start_alike();
	j = product(answers);
	ck_ok(engine_select(room.engine, selector, &j->devices, &room.e),
	      &room.e);
	submit(j);
	return j;
}

START_TEST(a_job_whose_device_was_named_runs_whole)
{
	runs_whole(for_devices("1"));
}
END_TEST

START_TEST(one_whose_kind_of_device_was_named_runs_on_all_of_it)
{
	struct job *j = for_devices("gpu");

	ck_assert_uint_eq(j->parts_on, (1u << ALIKE) - 1);
	UNTIL(j->state == JOB_SUCCESSFUL);
	job_unref(j);
}
END_TEST

START_TEST(a_short_job_runs_whole)
{
	struct job *j;

	start_alike();
	j = product(answers);
	for (int i = 0; i < ALIKE; i++)
		takes(i, j, 20 * MS);
	room_accepts(j);
	runs_whole(j);
}
END_TEST

START_TEST(nothing_is_cut_while_others_wait)
{
	struct job *holds, *waits, *j;

	start_alike();
	holds = room_job(FAKE_HOLD, 3, "0");
	waits = room_job(FAKE_ANSWER, 3, "0");
	room_accepts(holds);
	room_accepts(waits);
	ck_assert_int_eq(waits->state, JOB_ACCEPTED);
	j = product(answers);
	submit(j);
	runs_whole(j);
	engine_dismiss(room.engine, holds);
	job_unref(holds);
	job_unref(waits);
}
END_TEST

/* Half of the job would take the slow device as long as all of it takes the
 * fast one. */
START_TEST(a_slow_device_is_no_help)
{
	struct job *j;

	room_start_ready("auto");
	j = product(answers);
	takes(FAKE_CPU, j, hour);
	takes(FAKE_GPU, j, hour / 2);
	room_accepts(j);
	ck_assert_int_eq(j->device, FAKE_GPU);
	runs_whole(j);
}
END_TEST

START_TEST(only_the_idle_devices_take_part)
{
	struct job *holds, *j;

	start_alike();
	holds = room_submit_to(FAKE_HOLD, 3, "1");
	j = product(answers);
	submit(j);
	ck_assert_uint_eq(j->parts_on, 13);
	UNTIL(j->state == JOB_SUCCESSFUL);
	check_rows(j, units, 3);
	engine_dismiss(room.engine, holds);
	job_unref(holds);
	job_unref(j);
}
END_TEST

TCase *tcase_engine_split(void)
{
	TCase *c = tcase_create("engine_split");

	tcase_add_checked_fixture(c, room_open, room_close);
	tcase_add_test(c, a_long_job_runs_in_parts);
	tcase_add_test(c, its_progress_is_that_of_all_parts);
	tcase_add_test(c, a_part_that_fails_ends_the_others_and_the_job);
	tcase_add_test(c,
	    a_part_that_crashes_its_worker_fails_the_job_with_the_reason);
	tcase_add_test(c, a_part_whose_worker_was_killed_runs_once_more);
	tcase_add_test(c, dismissing_it_ends_all_parts);
	tcase_add_test(c, a_part_that_ignores_the_dismissal_is_killed);
	tcase_add_test(c, its_deadline_ends_all_parts);
	tcase_add_test(c, an_engine_may_be_freed_while_one_runs_in_parts);
	tcase_add_test(c, no_part_is_larger_than_need_be);
	tcase_add_test(c, a_job_whose_device_was_named_runs_whole);
	tcase_add_test(c, one_whose_kind_of_device_was_named_runs_on_all_of_it);
	tcase_add_test(c, a_short_job_runs_whole);
	tcase_add_test(c, nothing_is_cut_while_others_wait);
	tcase_add_test(c, a_slow_device_is_no_help);
	tcase_add_test(c, only_the_idle_devices_take_part);
	return c;
}
