/* engine_put_off.c - jobs whose kernels are still being compiled in another
 * process: other jobs overtake them, and each continues when it can. */
#include <signal.h>

#include "tests/queue/engine_room.h"

static struct job *on(enum fake_deed deed, const char *device)
{
	return room_submit_to(deed, 3, device);
}

START_TEST(others_go_past_a_job_that_was_put_off)
{
	struct job *cold, *warm;

	room_start_ready("cpu");
	cold = on(FAKE_COLD, "cpu");
	UNTIL(cold->cold);
	ck_assert_int_eq(cold->state, JOB_ACCEPTED);
	for (int i = 1; i <= 3; i++) {
		warm = on(FAKE_ANSWER, "cpu");
		UNTIL(room.n_ended == i);
		ck_assert_int_eq(warm->state, JOB_SUCCESSFUL);
		ck_assert_int_eq(warm->compile_ns, 0);
		job_unref(warm);
	}
	ck_assert_int_eq(cold->state, JOB_ACCEPTED);
	job_unref(on(FAKE_COMPILE, "cpu"));
	UNTIL(room.n_ended == 5);
	ck_assert_int_eq(cold->state, JOB_SUCCESSFUL);
	ck_assert_int_gt(cold->compile_ns, 0);
	ck_assert_int_le(cold->compile_ns,
	                 cold->started_ns - cold->accepted_ns);
	ck_assert_int_eq(cold->attempts, 1);
	job_unref(cold);
}
END_TEST

/* The jobs are sent to the worker one by one, or as a batch. */
START_TEST(those_put_off_go_on_in_their_order)
{
	struct job *j[4];

	room_start_ready("cpu");
	for (size_t i = 0; i < COUNT(j); i++) {
		j[i] = room_job(FAKE_COLD, 3, "cpu");
		j[i]->alone = _i == 0;
		room_accepts(j[i]);
	}
	UNTIL(j[0]->cold && j[1]->cold && j[2]->cold && j[3]->cold);
	job_unref(on(FAKE_COMPILE, "cpu"));
	UNTIL(room.n_ended == 1 + (int)COUNT(j));
	for (size_t i = 0; i < COUNT(j); i++) {
		ck_assert_int_eq(j[i]->state, JOB_SUCCESSFUL);
		if (i > 0)
			ck_assert_int_ge(j[i]->started_ns,
			                 j[i - 1]->started_ns);
		job_unref(j[i]);
	}
}
END_TEST

START_TEST(another_device_takes_what_one_put_off)
{
	struct job *warms, *cold;

	room_start_ready("auto");
	warms = on(FAKE_COMPILE, "cpu");
	UNTIL(room.n_ended == 1);
	cold = on(FAKE_COLD, "auto");
	UNTIL(room.n_ended == 2);
	ck_assert_int_eq(cold->state, JOB_SUCCESSFUL);
	ck_assert_int_eq(cold->device, FAKE_CPU);
	job_unref(warms);
	job_unref(cold);
}
END_TEST

START_TEST(who_was_put_off_keeps_its_deadline_and_can_be_dismissed)
{
	struct job *late, *unwanted;

	room_start_ready("cpu");
	late = room_job(FAKE_COLD, 3, "cpu");
	late->deadline_ns = clock_ns() + 200 * MS;
	room_accepts(late);
	unwanted = on(FAKE_COLD, "cpu");
	UNTIL(unwanted->cold);
	engine_dismiss(room.engine, unwanted);
	ck_assert_int_eq(unwanted->state, JOB_DISMISSED);
	UNTIL(room.n_ended == 2);
	ck_assert_int_eq(late->state, JOB_FAILED);
	ck_assert_int_eq(late->err.code, ERR_TIMEOUT);
	ck_assert_int_gt(late->compile_ns, 0);
	job_unref(late);
	job_unref(unwanted);
}
END_TEST

START_TEST(a_lost_worker_s_news_is_not_waited_for)
{
	struct job *cold;
	pid_t pid;

	room_start_ready("cpu");
	cold = on(FAKE_COLD, "cpu");
	UNTIL(cold->cold);
	pid = room.engine->worker[0].pid;
	kill(pid, SIGKILL);
	UNTIL(room.engine->worker[0].pid != pid &&
	      engine_ready(room.engine) && cold->cold);
	job_unref(on(FAKE_COMPILE, "cpu"));
	UNTIL(room.n_ended == 2);
	ck_assert_int_eq(cold->state, JOB_SUCCESSFUL);
	job_unref(cold);
}
END_TEST

TCase *tcase_engine_put_off(void)
{
	TCase *c = tcase_create("engine_put_off");

	tcase_add_checked_fixture(c, room_open, room_close);
	tcase_add_test(c, others_go_past_a_job_that_was_put_off);
	tcase_add_loop_test(c, those_put_off_go_on_in_their_order, 0, 2);
	tcase_add_test(c, another_device_takes_what_one_put_off);
	tcase_add_test(c,
	    who_was_put_off_keeps_its_deadline_and_can_be_dismissed);
	tcase_add_test(c, a_lost_worker_s_news_is_not_waited_for);
	return c;
}
