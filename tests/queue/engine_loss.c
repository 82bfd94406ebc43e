/* engine_loss.c - whatever happens to its worker, a job ends correctly and the
 * other jobs go on. */
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "queue/give.h"
#include "tests/queue/engine_room.h"

START_TEST(what_ignores_its_dismissal_is_killed_after_the_grace_time)
{
	struct job *j, *next;
	pid_t pid;

	room.grace_ns = 20 * MS;
	room_start_ready("cpu");
	pid = room.engine->worker[0].pid;
	j = room_submit(FAKE_HANG);
	next = room_submit(FAKE_ANSWER);
	UNTIL(room_at_work(j));
	engine_dismiss(room.engine, j);
	UNTIL(room.n_ended == 2);
	ck_assert_int_eq(j->state, JOB_DISMISSED);
	ck_assert_int_eq(next->state, JOB_SUCCESSFUL);
	ck_assert_int_ne(room.engine->worker[0].pid, pid);
	job_unref(j);
	job_unref(next);
}
END_TEST

START_TEST(a_crash_fails_the_job_with_the_reason)
{
	struct job *j, *next;

	room_start_ready("cpu");
	j = room_submit(FAKE_CRASH);
	next = room_submit(FAKE_ANSWER);
	UNTIL(room.n_ended == 2);
	ck_assert_int_eq(j->state, JOB_FAILED);
	ck_assert_int_eq(j->err.code, ERR_DEVICE);
	ck_assert_msg(strstr(j->err.text, "device 0 (Fake Processor) died by "
	                     "signal 11"), "%s", j->err.text);
	ck_assert_int_eq(j->attempts, 1);
	ck_assert_int_eq(next->state, JOB_SUCCESSFUL);
	job_unref(j);
	job_unref(next);
}
END_TEST

START_TEST(a_job_whose_worker_was_killed_runs_once_more)
{
	struct job *j;

	room_start_ready("cpu");
	j = room_signal(SIGKILL, 1);
	ck_assert_int_eq(j->state, JOB_SUCCESSFUL);
	ck_assert_int_eq(j->attempts, 2);
	ck_assert(matrix_get(&j->args.out[0], 0) == 42);
	job_unref(j);
}
END_TEST

/* The job's operands had been sent ahead to the worker that is lost. */
START_TEST(a_worker_that_is_lost_before_the_job_comes_is_not_missed)
{
	struct job *j;
	struct memory *m;
	uint64_t name;

	room_start_ready("gpu");
	m = memory_new(room.pool, 4 << 20, &room.e);
	ck_assert_ptr_nonnull(m);
	engine_expect(room.engine, UINT64_MAX, m, 1 << 20);
	name = m->upload_id;
	ck_assert_uint_ne(name, 0);
	kill(room.engine->worker[0].pid, SIGKILL);
	for (size_t n = 2; n <= 4; n++)
		engine_expect(room.engine, UINT64_MAX, m, n << 20);
	ck_assert_uint_eq(m->upload_id, name);
	j = room_submit(FAKE_ANSWER);
	UNTIL(room.n_ended);
	ck_assert_int_eq(j->state, JOB_SUCCESSFUL);
	engine_expect(room.engine, UINT64_MAX, m, 4 << 20);
	memory_unref(m);
	job_unref(j);
}
END_TEST

START_TEST(who_does_not_read_what_arrives_holds_nobody_up)
{
	struct memory *m;
	struct job *j;

	room_start_ready("gpu");
	m = memory_new(room.pool, 4 << 20, &room.e);
	ck_assert_ptr_nonnull(m);
	kill(room.engine->worker[0].pid, SIGSTOP);
	for (size_t n = 0; n < 10000; n++)
		engine_expect(room.engine, UINT64_MAX, m, n);
	kill(room.engine->worker[0].pid, SIGCONT);
	j = room_submit(FAKE_ANSWER);
	UNTIL(room.n_ended);
	ck_assert_int_eq(j->state, JOB_SUCCESSFUL);
	memory_unref(m);
	job_unref(j);
}
END_TEST

START_TEST(a_job_whose_worker_was_killed_too_often_fails)
{
	struct job *j;

	room_start_ready("cpu");
	j = room_signal(SIGKILL, GIVE_ATTEMPTS);
	ck_assert_int_eq(j->state, JOB_FAILED);
	ck_assert_int_eq(j->err.code, ERR_DEVICE);
	job_unref(j);
}
END_TEST

START_TEST(a_worker_that_leaves_takes_no_other_job_along)
{
	struct job *j, *next;

	room_start_ready("cpu");
	j = room_submit(FAKE_LEAVE);
	next = room_submit(FAKE_ANSWER);
	UNTIL(room.n_ended == 2);
	ck_assert_int_eq(j->state, JOB_SUCCESSFUL);
	ck_assert_int_eq(next->state, JOB_SUCCESSFUL);
	job_unref(j);
	job_unref(next);
}
END_TEST

START_TEST(a_worker_that_babbles_is_replaced)
{
	struct job *j;
	pid_t pid;

	room_start_ready("cpu");
	pid = room.engine->worker[0].pid;
	j = room_submit(FAKE_BABBLE);
	UNTIL(room.n_ended);
	ck_assert_int_eq(j->state, JOB_FAILED);
	UNTIL(engine_ready(room.engine));
	ck_assert_int_ne(room.engine->worker[0].pid, pid);
	job_unref(j);
}
END_TEST

START_TEST(time_up_is_told_at_once_and_the_worker_freed_later)
{
	struct job *j, *next;

	room.grace_ns = 20 * MS;
	room_start_ready("cpu");
	j = room_job(FAKE_HANG, 3, "auto");
	j->deadline_ns = clock_ns() + 10 * MS;
	room_accepts(j);
	UNTIL(room.n_ended);
	ck_assert_int_eq(j->state, JOB_FAILED);
	ck_assert_int_eq(j->err.code, ERR_TIMEOUT);
	ck_assert_ptr_eq(room.engine->worker[0].running[0], j);
	ck_assert_ptr_nonnull(matrix_data(&j->args.in[0]));
	next = room_submit(FAKE_ANSWER);
	UNTIL(room.n_ended == 2);
	ck_assert_int_eq(next->state, JOB_SUCCESSFUL);
	ck_assert_ptr_null(matrix_data(&j->args.in[0]));
	job_unref(j);
	job_unref(next);
}
END_TEST

START_TEST(a_sick_device_is_not_healthy_until_its_canary_sings)
{
	setenv(FAKE_SICK, "1", 1);
	room_start("cpu", 8);
	UNTIL(room.engine->worker[0].failures >= 2);
	ck_assert(!engine_ready(room.engine));
	unsetenv(FAKE_SICK);
	UNTIL(engine_ready(room.engine));
}
END_TEST

/* Starts a process that traces another one and never releases it; 0: this is
 * not allowed here. */
static pid_t tracer_of(pid_t traced)
{
	int ready[2];
	char done = 0;
	pid_t pid;

	ck_assert_int_eq(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		if (!ptrace(PTRACE_SEIZE, traced, NULL, NULL) &&
		    write(ready[1], "y", 1) == 1)
			for (;;)
				pause();
		_exit(1);
	}
	close(ready[1]);
	if (read(ready[0], &done, 1) != 1) {
		waitpid(pid, NULL, 0);
		pid = 0;
	}
	close(ready[0]);
	return pid;
}

/* While a debugger traces a process that has been killed, nobody else can
 * collect its status. */
START_TEST(a_debugger_that_holds_a_dead_worker_holds_nobody_up)
{
	pid_t dead, tracer;
	struct job *j;

	room_start_ready("cpu");
	dead = room.engine->worker[0].pid;
	tracer = tracer_of(dead);
	if (!tracer) {
		puts("skipped: a process may not be traced here");
		return;
	}
	kill(dead, SIGKILL);
	j = room_submit(FAKE_ANSWER);
	UNTIL(room.n_ended);
	ck_assert_int_eq(j->state, JOB_SUCCESSFUL);
	ck_assert_int_ne(room.engine->worker[0].pid, dead);
	ck_assert_int_eq(room.engine->worker[0].held, dead);
	kill(tracer, SIGKILL);
	waitpid(tracer, NULL, 0);
	UNTIL(!room.engine->worker[0].held);
	job_unref(j);
}
END_TEST

/* An engine ends, too, while its worker is held. */
START_TEST(a_debugger_that_holds_a_worker_does_not_hold_up_the_end)
{
	const int64_t from = clock_ns();
	pid_t tracer;

	room_start_ready("cpu");
	tracer = tracer_of(room.engine->worker[0].pid);
	if (!tracer) {
		puts("skipped: a process may not be traced here");
		return;
	}
	kill(room.engine->worker[0].pid, SIGSTOP);
	worker_fini(&room.engine->worker[0]);
	ck_assert_int_lt(clock_ns() - from, 10000 * (int64_t)MS);
	kill(tracer, SIGKILL);
	waitpid(tracer, NULL, 0);
}
END_TEST

TCase *tcase_engine_loss(void)
{
	TCase *c = tcase_create("engine_loss");

	tcase_add_checked_fixture(c, room_open, room_close);
	tcase_add_test(c,
	    what_ignores_its_dismissal_is_killed_after_the_grace_time);
	tcase_add_test(c, a_crash_fails_the_job_with_the_reason);
	tcase_add_test(c, a_job_whose_worker_was_killed_runs_once_more);
	tcase_add_test(c, who_does_not_read_what_arrives_holds_nobody_up);
	tcase_add_test(c,
	    a_worker_that_is_lost_before_the_job_comes_is_not_missed);
	tcase_add_test(c, a_job_whose_worker_was_killed_too_often_fails);
	tcase_add_test(c, a_worker_that_leaves_takes_no_other_job_along);
	tcase_add_test(c, a_worker_that_babbles_is_replaced);
	tcase_add_test(c, time_up_is_told_at_once_and_the_worker_freed_later);
	tcase_add_test(c, a_debugger_that_holds_a_dead_worker_holds_nobody_up);
	tcase_add_test(c,
	    a_debugger_that_holds_a_worker_does_not_hold_up_the_end);
	tcase_add_test(c, a_sick_device_is_not_healthy_until_its_canary_sings);
	return c;
}
