/* engine_split_end.c - a job that ends while an answer of its worker is being
 * handled: at that moment the part is in no list, and yet the job ends like any
 * other. */
#include <signal.h>
#include <stdlib.h>

#include "queue/give.h"
#include "tests/queue/split_room.h"

/* The worker of the first part is killed and does not restart, so that the part
 * waits, with no attempt left. The next answer makes its own device idle: the
 * waiting part is considered for it, fails, and ends the job while the part
 * that was answered is in no list. The other jobs stay in the queue. */
START_TEST(a_part_that_was_answered_may_end_with_the_others)
{
	struct job *j = in_parts(FAKE_HOLD_ONCE, FAKE_HOLD, FAKE_HANG,
	                         FAKE_HANG);
	struct job *part = worker_of(0)->running[0], *waits;
	struct job *answered = job_ref(worker_of(1)->running[0]);

	waits = room_job(FAKE_ANSWER, 3, "0");
	waits->priority = 9;
	room_accepts(waits);
	UNTIL(is_at_work(0) && is_at_work(1));
	setenv(FAKE_SICK, "1", 1);
	kill(worker_of(0)->pid, SIGKILL);
	UNTIL(part->waiting);
	part->attempts = GIVE_ATTEMPTS;
	worker_cancel(worker_of(1), answered->serial);
	UNTIL(room.n_ended);
	ck_assert_int_eq(j->state, JOB_FAILED);
	ck_assert_ptr_null(j->split);
	ck_assert_int_eq(answered->refs, 1);
	ck_assert_int_eq(waits->state, JOB_ACCEPTED);
	ck_assert_uint_eq(room.engine->waiting.n, 1);
	ck_assert_ptr_eq(waiting_any(&room.engine->waiting),
	                 waits);
	unsetenv(FAKE_SICK);
	job_unref(answered);
	job_unref(waits);
	job_unref(j);
}
END_TEST

static void dismiss_other(struct job *j, void *arg)
{
	struct job *const other = arg;

	ck_assert_int_eq(j->state, JOB_SUCCESSFUL);
	ck_assert_int_eq(other->state, JOB_RUNNING);
	engine_dismiss(room.engine, other);
	room.n_ended++;
}

START_TEST(a_job_may_be_dismissed_by_the_end_of_one_of_its_batch)
{
	struct job *j[3];

	room_start_ready("cpu");
	for (size_t i = 0; i < COUNT(j); i++) {
		j[i] = room_job(FAKE_ANSWER, 3, "auto");
		j[i]->alone = false;
	}
	j[0]->on_end = dismiss_other;
	j[0]->on_end_arg = j[2];
	for (size_t i = 0; i < COUNT(j); i++)
		room_accepts(j[i]);
	UNTIL(room.n_ended == 3);
	ck_assert_int_eq(j[1]->state, JOB_SUCCESSFUL);
	ck_assert_int_eq(j[2]->state, JOB_DISMISSED);
	ck_assert_uint_eq(room.engine->waiting.n, 0);
	for (size_t i = 0; i < COUNT(j); i++) {
		ck_assert_uint_eq(j[i]->refs, 2);	/* one is the table's */
		job_unref(j[i]);
	}
}
END_TEST

TCase *tcase_engine_split_end(void)
{
	TCase *c = tcase_create("engine_split_end");

	tcase_add_checked_fixture(c, room_open, room_close);
	tcase_add_test(c, a_part_that_was_answered_may_end_with_the_others);
	tcase_add_test(c,
	    a_job_may_be_dismissed_by_the_end_of_one_of_its_batch);
	return c;
}
