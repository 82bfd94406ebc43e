/* engine_silence.c - a worker whose process no longer runs is replaced, and a
 * worker that computes for long is not. */
#include <signal.h>

#include "queue/give.h"
#include "tests/queue/engine_room.h"

static struct worker *worker(int i)
{
	return &room.engine->worker[i];
}

START_TEST(an_idle_worker_that_was_stopped_is_replaced)
{
	pid_t pid;

	room_start_ready("cpu");
	pid = worker(0)->pid;
	kill(pid, SIGSTOP);
	UNTIL(!engine_ready(room.engine));
	ck_assert(!engine_healthy(room.engine, 0));
	UNTIL(engine_ready(room.engine));
	ck_assert_int_ne(worker(0)->pid, pid);
	ck_assert_int_ne(kill(pid, 0), 0);
}
END_TEST

START_TEST(a_job_whose_worker_was_stopped_runs_once_more)
{
	struct job *j;

	room_start_ready("cpu");
	j = room_signal(SIGSTOP, 1);
	ck_assert_int_eq(j->state, JOB_SUCCESSFUL);
	ck_assert_int_eq(j->attempts, 2);
	job_unref(j);
}
END_TEST

START_TEST(a_job_whose_workers_are_stopped_too_often_fails_with_the_reason)
{
	struct job *j;

	room_start_ready("cpu");
	j = room_signal(SIGSTOP, GIVE_ATTEMPTS);
	ck_assert_int_eq(j->state, JOB_FAILED);
	ck_assert_msg(strstr(j->err.text, "was silent for 2.0 s and was killed "
	                     "while this job ran"), "%s", j->err.text);
	job_unref(j);
}
END_TEST

/* The other device gets the jobs that the silent worker would have got. */
START_TEST(a_silent_worker_gets_no_more_jobs)
{
	struct job *j;

	room_start_ready("auto");
	kill(worker(FAKE_GPU)->pid, SIGSTOP);
	UNTIL(!engine_healthy(room.engine, FAKE_GPU));
	ck_assert(engine_ready(room.engine));
	j = room_submit(FAKE_ANSWER);
	UNTIL(room.n_ended);
	ck_assert_int_eq(j->device, FAKE_CPU);
	ck_assert_int_eq(j->attempts, 1);
	job_unref(j);
}
END_TEST

START_TEST(a_worker_that_goes_on_in_time_takes_the_jobs_that_wait)
{
	struct job *j;
	pid_t pid;

	room_start_ready("cpu");
	pid = worker(0)->pid;
	kill(pid, SIGSTOP);
	UNTIL(!engine_healthy(room.engine, 0));
	j = room_submit(FAKE_ANSWER);
	ck_assert_int_eq(j->state, JOB_ACCEPTED);
	kill(pid, SIGCONT);
	UNTIL(room.n_ended);
	ck_assert_int_eq(j->state, JOB_SUCCESSFUL);
	ck_assert(worker(0)->pid == pid || j->attempts == 1);
	job_unref(j);
}
END_TEST

/* It computes for longer than a silent worker is tolerated. */
START_TEST(a_worker_that_computes_for_long_is_left_alone)
{
	struct job *j;
	uint64_t beats;
	pid_t pid;

	room_start_ready("cpu");
	pid = worker(0)->pid;
	j = room_submit(FAKE_HOLD);
	UNTIL(room_at_work(j));
	beats = atomic_load(&worker(0)->control->beats);
	UNTIL(atomic_load(&worker(0)->control->beats) > beats + 20);
	ck_assert(engine_ready(room.engine));
	ck_assert_int_eq(j->state, JOB_RUNNING);
	ck_assert_int_eq(worker(0)->pid, pid);
	engine_dismiss(room.engine, j);
	job_unref(j);
}
END_TEST

TCase *tcase_engine_silence(void)
{
	TCase *c = tcase_create("engine_silence");

	tcase_add_checked_fixture(c, room_open, room_close);
	tcase_add_test(c, an_idle_worker_that_was_stopped_is_replaced);
	tcase_add_test(c, a_job_whose_worker_was_stopped_runs_once_more);
	tcase_add_test(c,
	    a_job_whose_workers_are_stopped_too_often_fails_with_the_reason);
	tcase_add_test(c, a_silent_worker_gets_no_more_jobs);
	tcase_add_test(c,
	    a_worker_that_goes_on_in_time_takes_the_jobs_that_wait);
	tcase_add_test(c, a_worker_that_computes_for_long_is_left_alone);
	return c;
}
