/* engine_drain.c - a draining engine accepts no jobs and finishes those that it
 * has; at the end of its time it gives up those that are left. */
#include <signal.h>

#include "tests/queue/engine_room.h"

static const struct err none;
static int n_drained;

static void on_drained(void *arg)
{
	(void)arg;
	n_drained++;
}

static void open_room(void)
{
	n_drained = 0;
	room_open();
}

START_TEST(what_runs_and_what_waits_is_finished)
{
	struct job *runs, *waits, *late;

	room_start_ready("cpu");
	runs = room_submit(FAKE_HOLD_ONCE);
	waits = room_submit(FAKE_ANSWER);
	late = room_job(FAKE_ANSWER, 3, "auto");
	engine_drain(room.engine, on_drained, NULL);
	ck_assert_int_eq(waits->state, JOB_ACCEPTED);
	ck_assert_int_eq(runs->state, JOB_RUNNING);
	ck_assert_int_eq(n_drained, 0);
	ck_assert(!engine_ready(room.engine));
	room_refuses(late, ERR_NOT_READY);
	ck_refused(engine_occupy(room.engine, &room.e), &room.e,
	           ERR_NOT_READY);
	UNTIL(room_at_work(runs));
	kill(room.engine->worker[0].pid, SIGTERM);
	UNTIL(n_drained);
	ck_assert_int_eq(runs->state, JOB_SUCCESSFUL);
	ck_assert_int_eq(waits->state, JOB_SUCCESSFUL);
	ck_assert_int_eq(n_drained, 1);
	job_unref(runs);
	job_unref(waits);
	job_unref(late);
}
END_TEST

START_TEST(what_is_prepared_is_finished)
{
	struct job *j;

	room_start_ready("cpu");
	j = room_job(FAKE_ANSWER, 3, "auto");
	ck_ok(engine_accept(room.engine, j, &room.e), &room.e);
	engine_drain(room.engine, on_drained, NULL);
	ck_assert_int_eq(n_drained, 0);
	engine_prepared(room.engine, j, &none);
	UNTIL(n_drained);
	ck_assert_int_eq(j->state, JOB_SUCCESSFUL);
	job_unref(j);
}
END_TEST

START_TEST(an_idle_engine_is_drained_at_once)
{
	room_start_ready("cpu");
	engine_drain(room.engine, on_drained, NULL);
	ck_assert_int_eq(n_drained, 1);
}
END_TEST

static void given_up(struct job *j)
{
	ck_assert_int_eq(j->state, JOB_DISMISSED);
	ck_assert_int_eq(err_status(j->err.code), 503);
	job_unref(j);
}

START_TEST(at_the_end_everything_is_given_up)
{
	struct job *ended, *runs, *waits, *prepared;

	room_start_ready("cpu");
	ended = room_submit(FAKE_ANSWER);
	UNTIL(room.n_ended);
	runs = room_submit(FAKE_HANG);
	waits = room_submit(FAKE_ANSWER);
	prepared = room_job(FAKE_ANSWER, 3, "auto");
	ck_ok(engine_accept(room.engine, prepared, &room.e), &room.e);
	UNTIL(room_at_work(runs));
	engine_drain(room.engine, on_drained, NULL);
	engine_give_up(room.engine);
	ck_assert_int_eq(n_drained, 1);
	ck_assert_int_eq(room.n_ended, 4);
	ck_assert_int_eq(ended->state, JOB_SUCCESSFUL);
	engine_prepared(room.engine, prepared, &none);
	job_unref(ended);
	given_up(runs);
	given_up(waits);
	given_up(prepared);
}
END_TEST

TCase *tcase_engine_drain(void)
{
	TCase *c = tcase_create("engine_drain");

	tcase_add_checked_fixture(c, open_room, room_close);
	tcase_add_test(c, what_runs_and_what_waits_is_finished);
	tcase_add_test(c, what_is_prepared_is_finished);
	tcase_add_test(c, an_idle_engine_is_drained_at_once);
	tcase_add_test(c, at_the_end_everything_is_given_up);
	return c;
}
