/* engine_finish_first.c - with several devices a job goes to any of those that
 * are alike, and otherwise to the one that would finish it first. */
#include <signal.h>
#include <stdlib.h>

#include "tests/queue/engine_room.h"

enum { ALIKE = 4, LARGE = 30000 };

/* Sets the time that such jobs are estimated to take on the device. */
static void takes(int device, const struct job *j, int64_t ns)
{
	const struct timing t = { .compute_ns = ns };

	rates_learn(&room.engine->rates[device],
	            &room.engine->worker[device].sheet, &j->args, 0, &t);
}

static double computes(int device, const struct job *j)
{
	return rates_estimate(&room.engine->rates[device], 1, 0,
	    &room.engine->worker[device].sheet, &j->args).compute_ns;
}

static void an_hour_on_the_cpu(void)
{
	struct job *j = room_job(FAKE_ANSWER, 3, "auto");

	takes(FAKE_CPU, j, 3600 * 1000 * MS);
	takes(FAKE_GPU, j, MS);
	job_unref(j);
}

START_TEST(alike_devices_share_the_jobs)
{
	struct job *runs[ALIKE], *waits;
	unsigned used = 0;

	setenv(FAKE_ALIKE, "4", 1);
	room_start_ready("auto");
	for (int i = 0; i < ALIKE; i++) {
		runs[i] = room_submit(FAKE_HOLD);
		ck_assert_int_eq(runs[i]->state, JOB_RUNNING);
		used |= 1u << runs[i]->device;
	}
	ck_assert_uint_eq(used, (1u << ALIKE) - 1);
	waits = room_submit(FAKE_ANSWER);
	ck_assert_int_eq(waits->state, JOB_ACCEPTED);
	engine_dismiss(room.engine, runs[2]);
	UNTIL(room.n_ended == 2);
	ck_assert_int_eq(waits->device, runs[2]->device);
	for (int i = 0; i < ALIKE; i++) {
		engine_dismiss(room.engine, runs[i]);
		job_unref(runs[i]);
	}
	job_unref(waits);
}
END_TEST

START_TEST(a_job_waits_for_the_faster_device_and_others_pass_it)
{
	struct job *runs, *waits, *passes;

	room_start_ready("auto");
	an_hour_on_the_cpu();
	runs = room_submit(FAKE_HOLD);
	waits = room_submit(FAKE_ANSWER);
	passes = room_submit_to(FAKE_LEAVE, 3, "cpu");
	ck_assert_int_eq(runs->device, FAKE_GPU);
	ck_assert_int_eq(waits->state, JOB_ACCEPTED);
	ck_assert_int_eq(passes->state, JOB_RUNNING);
	UNTIL(room.n_ended == 1);
	ck_assert_int_eq(passes->device, FAKE_CPU);
	engine_dismiss(room.engine, runs);
	UNTIL(room.n_ended == 3);
	ck_assert_int_eq(waits->device, FAKE_GPU);
	job_unref(runs);
	job_unref(waits);
	job_unref(passes);
}
END_TEST

START_TEST(a_faster_device_that_is_lost_is_waited_for_no_longer)
{
	struct job *runs, *waits;

	room_start_ready("auto");
	an_hour_on_the_cpu();
	runs = room_submit_to(FAKE_HOLD_ONCE, 3, "gpu");
	waits = room_submit(FAKE_ANSWER);
	UNTIL(room_at_work(runs));
	ck_assert_int_eq(waits->state, JOB_ACCEPTED);
	kill(room.engine->worker[FAKE_GPU].pid, SIGKILL);
	UNTIL(room.n_ended == 2);
	ck_assert_int_eq(waits->device, FAKE_CPU);
	ck_assert_int_eq(runs->device, FAKE_GPU);
	ck_assert_int_eq(runs->state, JOB_SUCCESSFUL);
	job_unref(runs);
	job_unref(waits);
}
END_TEST

/* The estimate was wrong: the fast device should have finished in no time. */
START_TEST(a_job_goes_to_the_idle_device_when_the_faster_one_hangs)
{
	struct job *j, *hangs, *waits;

	room_start_ready("auto");
	j = room_job(FAKE_ANSWER, 3, "auto");
	takes(FAKE_CPU, j, 30 * MS);
	takes(FAKE_GPU, j, MS);
	hangs = room_submit(FAKE_HOLD);
	waits = room_submit(FAKE_ANSWER);
	UNTIL(room.n_ended == 1);
	ck_assert_int_eq(waits->device, FAKE_CPU);
	ck_assert_int_eq(hangs->state, JOB_RUNNING);
	engine_dismiss(room.engine, hangs);
	job_unref(hangs);
	job_unref(waits);
	job_unref(j);
}
END_TEST

/* After GPU 0 alone has worked, the estimate holds for all of them. */
START_TEST(alike_devices_learn_together)
{
	struct job *j;

	setenv(FAKE_ALIKE, "4", 1);
	room_start_ready("auto");
	job_unref(room_submit_to(FAKE_ANSWER, 3, "0"));
	UNTIL(room.n_ended == 1);
	j = room_job(FAKE_ANSWER, 3, "0");
	for (int i = 0; i < ALIKE; i++)
		ck_assert_double_eq_tol(computes(i, j), FAKE_COMPUTE_NS, 1);
	job_unref(j);
}
END_TEST

START_TEST(a_stored_operand_is_used_where_it_lies)
{
	struct job *first, *second;

	setenv(FAKE_ALIKE, "4", 1);
	room_start_ready("auto");
	first = room_job(FAKE_ANSWER, LARGE, "2");
	first->args.in[0].memory->stored = 9;
	room_accepts(first);
	UNTIL(room.n_ended == 1);
	second = room_job(FAKE_ANSWER, LARGE, "auto");
	second->args.in[0].memory->stored = 9;
	room_accepts(second);
	UNTIL(room.n_ended == 2);
	ck_assert_int_eq(first->device, 2);
	ck_assert_int_eq(second->device, 2);
	job_unref(first);
	job_unref(second);
}
END_TEST

/* The queue has no room, so that a job that would have to wait is refused. */
START_TEST(an_idle_device_that_stands_back_makes_no_room_in_the_queue)
{
	struct job *runs, *waits, *named;

	room_start("auto", 0);
	UNTIL(engine_healthy(room.engine, FAKE_CPU) &&
	      engine_healthy(room.engine, FAKE_GPU));
	an_hour_on_the_cpu();
	runs = room_submit(FAKE_HOLD);
	waits = room_job(FAKE_ANSWER, 3, "auto");
	room_refuses(waits, ERR_BUSY);
	room.e = (struct err){ 0 };
	named = room_submit_to(FAKE_ANSWER, 3, "cpu");
	UNTIL(room.n_ended == 1);
	engine_dismiss(room.engine, runs);
	job_unref(runs);
	job_unref(waits);
	job_unref(named);
}
END_TEST

TCase *tcase_engine_finish_first(void)
{
	TCase *c = tcase_create("engine_finish_first");

	tcase_add_checked_fixture(c, room_open, room_close);
	tcase_add_test(c, alike_devices_share_the_jobs);
	tcase_add_test(c,
	    a_job_waits_for_the_faster_device_and_others_pass_it);
	tcase_add_test(c,
	    a_faster_device_that_is_lost_is_waited_for_no_longer);
	tcase_add_test(c,
	    a_job_goes_to_the_idle_device_when_the_faster_one_hangs);
	tcase_add_test(c, alike_devices_learn_together);
	tcase_add_test(c, a_stored_operand_is_used_where_it_lies);
	tcase_add_test(c,
	    an_idle_device_that_stands_back_makes_no_room_in_the_queue);
	return c;
}
