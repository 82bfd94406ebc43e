/* engine_prepare.c - a job whose operands are still being prepared can be
 * found, dismissed and timed out; its memory is kept until they are ready. */
#include "tests/queue/engine_room.h"

static const struct err none;

static struct job *accepted(int64_t deadline_ns)
{
	struct job *j = room_job(FAKE_ANSWER, 3, "auto");

	j->deadline_ns = deadline_ns;
	ck_ok(engine_accept(room.engine, j, &room.e), &room.e);
	return j;
}

START_TEST(an_accepted_job_runs_when_it_is_prepared)
{
	struct job *j, *other;

	room_start_ready("cpu");
	j = accepted(0);
	ck_assert_int_eq(j->state, JOB_ACCEPTED);
	ck_assert_ptr_eq(engine_find(room.engine, j->id), j);
	other = room_submit(FAKE_FAIL);
	UNTIL(room.n_ended);
	ck_assert_int_eq(j->state, JOB_ACCEPTED);
	engine_prepared(room.engine, j, &none);
	UNTIL(room.n_ended == 2);
	ck_assert_int_eq(j->state, JOB_SUCCESSFUL);
	job_unref(j);
	job_unref(other);
}
END_TEST

START_TEST(a_job_that_cannot_be_prepared_fails_with_the_reason)
{
	struct err why = { 0 };
	struct job *j;

	room_start_ready("cpu");
	j = accepted(0);
	err_set(&why, ERR_SHAPE, "3 and 4 do not agree");
	engine_prepared(room.engine, j, &why);
	ck_assert_int_eq(j->state, JOB_FAILED);
	ck_assert_int_eq(j->err.code, ERR_SHAPE);
	ck_assert_ptr_null(matrix_data(&j->args.in[0]));
	ck_assert_int_eq(room.n_ended, 1);
	job_unref(j);
}
END_TEST

START_TEST(dismissed_while_it_is_prepared_it_keeps_its_memory_until_then)
{
	struct job *j;

	room_start_ready("cpu");
	j = accepted(0);
	engine_dismiss(room.engine, j);
	ck_assert_int_eq(j->state, JOB_DISMISSED);
	ck_assert_int_eq(room.n_ended, 1);
	ck_assert_ptr_nonnull(matrix_data(&j->args.in[0]));
	engine_forget(room.engine, j);
	engine_prepared(room.engine, j, &none);
	ck_assert_ptr_null(matrix_data(&j->args.in[0]));
	ck_assert_int_eq(room.n_ended, 1);
	job_unref(j);
}
END_TEST

START_TEST(time_runs_while_a_job_is_prepared)
{
	struct job *j;

	room_start_ready("cpu");
	j = accepted(clock_ns() + 20 * MS);
	UNTIL(room.n_ended);
	ck_assert_int_eq(j->state, JOB_FAILED);
	ck_assert_int_eq(j->err.code, ERR_TIMEOUT);
	ck_assert_msg(strstr(j->err.text, "was prepared"), "%s", j->err.text);
	engine_prepared(room.engine, j, &none);
	ck_assert_int_eq(j->state, JOB_FAILED);
	job_unref(j);
}
END_TEST

START_TEST(prepared_jobs_count_as_waiting)
{
	struct job *j, *refused;

	room_start("cpu", 1);
	UNTIL(engine_ready(room.engine));
	j = accepted(0);
	refused = room_job(FAKE_ANSWER, 3, "auto");
	ck_refused(engine_accept(room.engine, refused, &room.e), &room.e,
	           ERR_BUSY);
	ck_assert_ptr_null(engine_find(room.engine, refused->id));
	engine_prepared(room.engine, j, &none);
	UNTIL(room.n_ended == 1);
	ck_ok(engine_check_room(room.engine, &room.e), &room.e);
	job_unref(j);
	job_unref(refused);
}
END_TEST

static void count(void *arg)
{
	++*(int *)arg;
}

START_TEST(nobody_wants_what_is_prepared_for_a_job_that_has_ended)
{
	int unwanted = 0;
	struct job *j;

	room_start_ready("cpu");
	j = accepted(0);
	j->unwanted = count;
	j->unwanted_arg = &unwanted;
	engine_dismiss(room.engine, j);
	ck_assert_int_eq(unwanted, 1);
	engine_prepared(room.engine, j, &none);
	ck_assert_int_eq(unwanted, 1);
	job_unref(j);
	j = accepted(0);
	j->unwanted = count;
	j->unwanted_arg = &unwanted;
	engine_prepared(room.engine, j, &none);
	UNTIL(job_state_is_end(j->state));
	ck_assert_int_eq(unwanted, 1);
	job_unref(j);
}
END_TEST

START_TEST(what_is_prepared_without_being_a_job_counts_as_waiting)
{
	room_start("cpu", 1);
	UNTIL(engine_ready(room.engine));
	ck_ok(engine_occupy(room.engine, &room.e), &room.e);
	ck_refused(engine_occupy(room.engine, &room.e), &room.e, ERR_BUSY);
	engine_vacate(room.engine);
	ck_ok(engine_check_room(room.engine, &room.e), &room.e);
}
END_TEST

START_TEST(jobs_that_wait_leave_the_pool_its_room)
{
	struct job *runs, *waits;

	room_start("cpu", 1);
	UNTIL(engine_ready(room.engine));
	runs = room_submit(FAKE_HOLD_ONCE);
	waits = room_submit(FAKE_ANSWER);
	ck_refused(engine_check_room(room.engine, &room.e), &room.e, ERR_BUSY);
	ck_ok(engine_occupy(room.engine, &room.e), &room.e);
	ck_refused(engine_occupy(room.engine, &room.e), &room.e, ERR_BUSY);
	engine_vacate(room.engine);
	engine_dismiss(room.engine, waits);
	engine_dismiss(room.engine, runs);
	UNTIL(job_state_is_end(runs->state));
	job_unref(waits);
	job_unref(runs);
}
END_TEST

TCase *tcase_engine_prepare(void)
{
	TCase *c = tcase_create("engine_prepare");

	tcase_add_checked_fixture(c, room_open, room_close);
	tcase_add_test(c, an_accepted_job_runs_when_it_is_prepared);
	tcase_add_test(c, a_job_that_cannot_be_prepared_fails_with_the_reason);
	tcase_add_test(c,
	    dismissed_while_it_is_prepared_it_keeps_its_memory_until_then);
	tcase_add_test(c, time_runs_while_a_job_is_prepared);
	tcase_add_test(c, prepared_jobs_count_as_waiting);
	tcase_add_test(c,
	    nobody_wants_what_is_prepared_for_a_job_that_has_ended);
	tcase_add_test(c,
	    what_is_prepared_without_being_a_job_counts_as_waiting);
	tcase_add_test(c, jobs_that_wait_leave_the_pool_its_room);
	return c;
}
