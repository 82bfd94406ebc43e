/* engine_hostile.c - whatever a worker sends or writes, the front continues and
 * nobody else's data changes. */
#include "queue/give.h"
#include "tests/queue/engine_room.h"

static const char *const told[FAKE_LIES] = {
	[LIE_SERIAL] = "answered another call",
	[LIE_VARIANT] = "answered by a variant that there is not",
	[LIE_PRESENT] = "answered with outputs that nobody asked for",
	[LIE_REAL] = "which is never complex came out real",
	[LIE_SHORTER] = "which has one length came out shorter",
	[LIE_FAILURES] = "listed 1 failures, which cannot be",
	[LIE_TIME] = "told a time that cannot be",
	[LIE_NAME] = "told a kernel's name that cannot be",
	[LIE_TWICE] = "answered 2 calls of 1",
	[LIE_LENGTH] = "sent a message that is too long",
	[LIE_DESCRIPTOR] = "sent descriptors",
};

/* The job runs a second time, because the worker was killed, and then fails. */
START_TEST(a_worker_that_lies_is_killed_with_the_reason)
{
	const enum fake_lie lie = (enum fake_lie)_i;
	struct job *j, *next;
	pid_t pid;

	room_start_ready("cpu");
	pid = room.engine->worker[0].pid;
	j = room_submit((enum fake_deed)(FAKE_LIE + lie));
	next = room_submit(FAKE_ANSWER);
	UNTIL(room.n_ended == 2);
	ck_assert_int_eq(j->state, JOB_FAILED);
	ck_assert_int_eq(j->attempts, GIVE_ATTEMPTS);
	ck_assert_int_eq(j->err.code, ERR_DEVICE);
	ck_assert_msg(strstr(j->err.text, told[lie]), "%s", j->err.text);
	ck_assert_msg(strstr(j->err.text, "and was killed while this job ran"),
	              "%s", j->err.text);
	ck_assert_int_ne(room.engine->worker[0].pid, pid);
	ck_assert_int_eq(next->state, JOB_SUCCESSFUL);
	job_unref(j);
	job_unref(next);
}
END_TEST

/* A matrix in the slab, and one in a memfd of its own. */
static const size_t lengths[] = { 3, MEMORY_SLAB / sizeof(double) };

START_TEST(a_stray_write_to_an_operand_hits_the_worker_alone)
{
	struct job *other, *j;
	struct matrix operand;

	room_start_ready("cpu");
	other = room_job(FAKE_ANSWER, lengths[_i], "cpu");
	j = room_job(FAKE_STRAY, lengths[_i], "cpu");
	operand = matrix_ref(&j->args.in[0]);
	room_accepts(j);
	room_accepts(other);
	UNTIL(room.n_ended == 2);
	ck_assert_int_eq(j->state, JOB_FAILED);
	ck_assert_msg(strstr(j->err.text, "died by signal 11"), "%s",
	              j->err.text);
	ck_assert_double_eq(matrix_get(&operand, 0), FAKE_STRAY);
	ck_assert_int_eq(other->state, JOB_SUCCESSFUL);
	matrix_fini(&operand);
	job_unref(other);
	job_unref(j);
}
END_TEST

START_TEST(a_stray_write_to_the_slab_changes_no_small_matrix)
{
	struct memory *first;
	struct job *j;

	first = memory_new(room.pool, 8, &room.e);
	ck_assert_uint_eq(first->offset, 0);
	memcpy(first->data, "intact.", 8);
	room_start_ready("cpu");
	j = room_submit(FAKE_STRAY_FAR);
	UNTIL(room.n_ended);
	ck_assert_int_eq(j->state, JOB_FAILED);
	ck_assert_str_eq(first->data, "intact.");
	memory_unref(first);
	job_unref(j);
}
END_TEST

/* A small result is copied to the front's own memory when it is answered. */
START_TEST(a_result_that_was_answered_does_not_change_any_more)
{
	struct job *j, *next;

	room_start_ready("cpu");
	j = room_submit(FAKE_ANSWER);
	UNTIL(room.n_ended == 1);
	next = room_submit_to(FAKE_HOLD, 3, "cpu");
	UNTIL(room_at_work(next));
	memset(room.engine->worker[0].control->results, 0xff, 4096);
	ck_assert_double_eq(matrix_get(&j->args.out[0], 0), 42);
	engine_dismiss(room.engine, next);
	job_unref(j);
	job_unref(next);
}
END_TEST

TCase *tcase_engine_hostile(void)
{
	TCase *c = tcase_create("engine_hostile");

	tcase_add_checked_fixture(c, room_open, room_close);
	tcase_add_loop_test(c, a_worker_that_lies_is_killed_with_the_reason, 0,
	                    FAKE_LIES);
	tcase_add_loop_test(c,
	    a_stray_write_to_an_operand_hits_the_worker_alone, 0,
	    COUNT(lengths));
	tcase_add_test(c,
	    a_stray_write_to_the_slab_changes_no_small_matrix);
	tcase_add_test(c,
	    a_result_that_was_answered_does_not_change_any_more);
	return c;
}
