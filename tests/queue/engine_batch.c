/* engine_batch.c - tiny jobs go to a worker together; each has its own end,
 * whatever happens to the others. */
#include <signal.h>

#include "queue/tenant.h"
#include "tests/queue/engine_room.h"

/* A job that may share a batch. */
static struct job *shared(enum fake_deed deed, int priority)
{
	struct job *j = room_job(deed, 3, "auto");

	j->alone = false;
	j->priority = priority;
	room_accepts(j);
	return j;
}

static void ran_in(const struct job *j, const char *batch)
{
	ck_assert_int_eq(j->state, JOB_SUCCESSFUL);
	ck_assert_str_eq(j->timing->kernel[0].name, batch);
	ck_assert(matrix_get(&j->args.out[0], 0) == 42);
}

START_TEST(jobs_of_one_turn_share_a_batch)
{
	struct job *j[5];

	room_start_ready("cpu");
	for (size_t i = 0; i < COUNT(j); i++)
		j[i] = shared(FAKE_ANSWER, 5);
	UNTIL(room.n_ended == (int)COUNT(j));
	for (size_t i = 0; i < COUNT(j); i++) {
		ran_in(j[i], "fake of 5");
		ck_assert_int_ge(j[i]->started_ns, j[i]->accepted_ns);
		if (i > 0)	/* it began when the one before it ended */
			ck_assert_int_ge(j[i]->started_ns,
			                 j[i - 1]->started_ns);
		job_unref(j[i]);
	}
}
END_TEST

START_TEST(jobs_of_two_tenants_share_no_batch)
{
	static const char *const batch[] = { "fake of 3", "fake of 2" };
	struct tenant tenant[2] = { 0 };
	struct job *j[5];

	room_start_ready("cpu");
	for (size_t i = 0; i < COUNT(j); i++) {
		j[i] = room_job(FAKE_ANSWER, 3, "auto");
		j[i]->alone = false;
		j[i]->tenant = &tenant[i % 2];
		room_accepts(j[i]);
	}
	UNTIL(room.n_ended == (int)COUNT(j));
	for (size_t i = 0; i < COUNT(j); i++) {
		ran_in(j[i], batch[i % 2]);
		job_unref(j[i]);
	}
}
END_TEST

START_TEST(many_jobs_do_not_wait_for_the_turn_to_end)
{
	struct job *j[40];
	int running = 0;

	room_start("cpu", 64);
	UNTIL(engine_ready(room.engine));
	for (size_t i = 0; i < COUNT(j); i++)
		j[i] = shared(FAKE_ANSWER, 5);
	for (size_t i = 0; i < COUNT(j); i++)
		running += j[i]->state == JOB_RUNNING;
	ck_assert_int_gt(running, 0);
	UNTIL(room.n_ended == (int)COUNT(j));
	for (size_t i = 0; i < COUNT(j); i++) {
		ck_assert_int_eq(j[i]->state, JOB_SUCCESSFUL);
		job_unref(j[i]);
	}
}
END_TEST

START_TEST(a_batch_is_bounded_and_keeps_the_order)
{
	struct job *j[CALL_BATCH + 3], *first;

	room_start("cpu", 64);
	UNTIL(engine_ready(room.engine));
	first = room_submit(FAKE_HOLD);
	for (int i = 0; i < (int)COUNT(j); i++)
		j[i] = shared(i % 2 ? FAKE_ANSWER : FAKE_FAIL, 5);
	engine_dismiss(room.engine, first);
	UNTIL(room.n_ended == (int)COUNT(j) + 1);
	for (int i = 0; i < (int)COUNT(j); i++) {
		ck_assert_int_eq(room.ended[i + 1],
		                 i % 2 ? FAKE_ANSWER : FAKE_FAIL);
		ck_assert_str_eq(j[i]->timing->kernel[0].name,
		                 i < CALL_BATCH ? "fake of 32" : "fake of 3");
		job_unref(j[i]);
	}
	job_unref(first);
}
END_TEST

START_TEST(a_job_that_does_not_share_ends_the_batch_before_it)
{
	struct job *a, *b, *c, *d;

	room_start_ready("cpu");
	a = room_submit(FAKE_HOLD);
	b = shared(FAKE_ANSWER, 5);
	c = room_submit(FAKE_ANSWER);
	d = shared(FAKE_ANSWER, 5);
	engine_dismiss(room.engine, a);
	UNTIL(room.n_ended == 4);
	ran_in(b, "fake of 1");
	ran_in(c, "fake of 1");
	ran_in(d, "fake of 1");
	ck_assert_int_ge(c->started_ns, b->started_ns);
	ck_assert_int_ge(d->started_ns, c->started_ns);
	job_unref(a);
	job_unref(b);
	job_unref(c);
	job_unref(d);
}
END_TEST

START_TEST(the_urgent_ones_are_in_front_of_their_batch)
{
	struct job *hold, *later, *sooner;

	room_start_ready("cpu");
	hold = room_submit(FAKE_HOLD);
	later = shared(FAKE_FAIL, 9);
	sooner = shared(FAKE_ANSWER, 0);
	engine_dismiss(room.engine, hold);
	UNTIL(room.n_ended == 3);
	ck_assert_int_eq(room.ended[1], FAKE_ANSWER);
	ck_assert_int_eq(room.ended[2], FAKE_FAIL);
	job_unref(hold);
	job_unref(later);
	job_unref(sooner);
}
END_TEST

START_TEST(a_crash_in_a_batch_fails_the_guilty_alone)
{
	struct job *j[5];

	room_start_ready("cpu");
	for (size_t i = 0; i < COUNT(j); i++)
		j[i] = shared(i == 2 ? FAKE_CRASH : FAKE_ANSWER, 5);
	UNTIL(room.n_ended == (int)COUNT(j));
	for (size_t i = 0; i < COUNT(j); i++) {
		if (i == 2) {
			ck_assert_int_eq(j[i]->state, JOB_FAILED);
			ck_assert_int_eq(j[i]->err.code, ERR_DEVICE);
			ck_assert_ptr_nonnull(strstr(j[i]->err.text,
			                             "died by signal 11"));
		} else {
			ran_in(j[i], "fake of 1");
		}
		ck_assert_int_eq(j[i]->attempts, 1);
		job_unref(j[i]);
	}
}
END_TEST

START_TEST(a_killed_batch_runs_once_more)
{
	struct job *a, *b;

	room_start_ready("cpu");
	a = shared(FAKE_HOLD_ONCE, 5);
	b = shared(FAKE_ANSWER, 5);
	UNTIL(room_at_work(a));
	kill(room.engine->worker[0].pid, SIGKILL);
	UNTIL(room.n_ended == 2);
	ran_in(a, "fake of 1");
	ran_in(b, "fake of 1");
	job_unref(a);
	job_unref(b);
}
END_TEST

START_TEST(one_of_a_batch_is_dismissed_and_the_others_answered)
{
	struct job *a, *b, *c;

	room_start_ready("cpu");
	a = shared(FAKE_HOLD, 5);
	b = shared(FAKE_ANSWER, 5);
	c = shared(FAKE_ANSWER, 5);
	UNTIL(room_at_work(a));
	engine_dismiss(room.engine, b);
	ck_assert_int_eq(b->state, JOB_DISMISSED);
	ck_assert_ptr_nonnull(matrix_data(&b->args.in[0]));
	engine_dismiss(room.engine, a);
	UNTIL(room.n_ended == 3);
	ck_assert_int_eq(a->state, JOB_DISMISSED);
	ck_assert_ptr_null(matrix_data(&b->args.in[0]));
	ran_in(c, "fake of 3");
	job_unref(a);
	job_unref(b);
	job_unref(c);
}
END_TEST

START_TEST(time_up_in_a_batch_is_told_at_once)
{
	struct job *hangs, *next, *late;

	room.grace_ns = 20 * MS;
	room_start_ready("cpu");
	hangs = shared(FAKE_HANG, 5);
	late = room_job(FAKE_ANSWER, 3, "auto");
	late->alone = false;
	late->deadline_ns = clock_ns() + 10 * MS;
	room_accepts(late);
	next = shared(FAKE_ANSWER, 5);
	UNTIL(late->state == JOB_FAILED);
	ck_assert_int_eq(late->err.code, ERR_TIMEOUT);
	ck_assert_int_eq(room.n_ended, 1);
	engine_dismiss(room.engine, hangs);
	UNTIL(room.n_ended == 3);	/* by force, after the grace time */
	ran_in(next, "fake of 1");
	job_unref(hangs);
	job_unref(next);
	job_unref(late);
}
END_TEST

TCase *tcase_engine_batch(void)
{
	TCase *c = tcase_create("engine_batch");

	tcase_add_checked_fixture(c, room_open, room_close);
	tcase_add_test(c, jobs_of_one_turn_share_a_batch);
	tcase_add_test(c, jobs_of_two_tenants_share_no_batch);
	tcase_add_test(c, many_jobs_do_not_wait_for_the_turn_to_end);
	tcase_add_test(c, a_batch_is_bounded_and_keeps_the_order);
	tcase_add_test(c, a_job_that_does_not_share_ends_the_batch_before_it);
	tcase_add_test(c, the_urgent_ones_are_in_front_of_their_batch);
	tcase_add_test(c, a_crash_in_a_batch_fails_the_guilty_alone);
	tcase_add_test(c, a_killed_batch_runs_once_more);
	tcase_add_test(c, one_of_a_batch_is_dismissed_and_the_others_answered);
	tcase_add_test(c, time_up_in_a_batch_is_told_at_once);
	return c;
}
