/* engine_durable.c - durable jobs among real processes that need no device:
 * each is written before it is dispatched and before its end is told, and the
 * next process goes on where this one ended. */
#include <signal.h>
#include <stdio.h>

#include "journal/journal_read.h"
#include "matrix/store.h"
#include "queue/journaled.h"
#include "queue/restore.h"
#include "tests/queue/engine_room.h"

static char path[64];
static struct store *store;
static int n_accepted, n_drained;
static char rows[1024];			/* what was on the disk at a moment */

static void open_room(void)
{
	room_open();
	n_accepted = n_drained = 0;
	ck_assert_ptr_nonnull(mkdtemp(strcpy(path, "/tmp/linalgd-XXXXXX")));
	store = store_new(&room.e);
	ck_assert_ptr_nonnull(store);
}

static void remove_directory(const char *at)
{
	char command[128];

	snprintf(command, sizeof command, "rm -rf %s", at);
	ck_assert_int_eq(system(command), 0);
}

static void close_room(void)
{
	room_end_process();
	store_free(store);
	remove_directory(path);
	room_close();
}

/* Begins a process, whose workers are ready. */
static void begin(void)
{
	struct restored *r;

	room.journal = journal_open(path, &room.e);
	ck_assert_msg(room.journal != NULL, "%s", room.e.text);
	room_start("cpu", 8);
	r = restore_read(room.engine, store, NULL, &room.e);
	ck_assert_msg(r != NULL, "%s", room.e.text);
	ck_ok(journal_start(room.journal, room.loop, &room.e), &room.e);
	restore_place(room.engine, r);
	UNTIL(engine_ready(room.engine));
}

static int put_row(void *arg, const struct journal_found *f, struct err *e)
{
	const size_t n = strlen(rows);

	(void)arg;
	(void)e;
	snprintf(rows + n, sizeof rows - n, "%s %lld %d;", f->state,
	         (long long)f->epoch, f->attempts);
	return 0;
}

/* Sets rows to what is on the disk, "state epoch attempts;" for each job; a run
 * counts as cut off. */
static void look(void)
{
	char copy[80], command[256];
	struct err e = { 0 };
	struct journal *j;

	snprintf(copy, sizeof copy, "%s-copy", path);
	snprintf(command, sizeof command, "cp -r %s %s", path, copy);
	ck_assert_int_eq(system(command), 0);
	j = journal_open(copy, &e);
	ck_assert_msg(j != NULL, "%s", e.text);
	rows[0] = 0;
	ck_ok(journal_read_jobs(j, put_row, NULL, &e), &e);
	journal_close(j);
	remove_directory(copy);
}

static void on_accepted(void *arg, const struct err *e)
{
	struct job *j = arg;

	ck_assert_int_eq(j->attempts, 0);
	n_accepted++;
	engine_prepared(room.engine, j, e);
}

/* Hands a durable job to the journal, for whose end no client waits. */
static struct job *submit(enum fake_deed deed,
                          void (*then)(void *arg, const struct err *e))
{
	struct job *j = room_job(deed, 3, "auto");
	struct err *const e = &room.e;

	j->on_end = NULL;
	j->keep = true;
	j->tenant = tenants_get(engine_tenants(room.engine), "t", e);
	ck_ok(engine_submit_held(room.engine, j, e), e);
	ck_ok(journaled_accept(room.engine, j, then, j, e), e);
	return j;
}

static struct job *accept(enum fake_deed deed)
{
	const int before = n_accepted;
	struct job *j = submit(deed, on_accepted);

	UNTIL(n_accepted > before);
	return j;
}

static void ck_rows(const char *expected)
{
	look();
	ck_assert_str_eq(rows, expected);
}

/* --- in one process */

static void look_when_accepted(void *arg, const struct err *e)
{
	struct job *j = arg;

	ck_assert_int_eq(j->state, JOB_ACCEPTED);
	ck_assert_int_eq(room.engine->worker[0].n_running, 0);
	ck_rows("accepted 0 0;");
	on_accepted(arg, e);
}

static void look_at_end(struct job *j, void *arg)
{
	(void)arg;
	ck_assert_int_eq(j->state, JOB_SUCCESSFUL);
	ck_rows("successful 1 0;");
	room.n_ended++;
}

START_TEST(a_job_is_written_before_it_runs_and_before_its_end_is_told)
{
	struct job *j;

	begin();
	j = submit(FAKE_ANSWER, look_when_accepted);
	j->on_end = look_at_end;
	ck_assert_int_eq(n_accepted, 0);
	UNTIL(room.n_ended);
	job_unref(j);
}
END_TEST

START_TEST(a_failure_is_written_too)
{
	struct job *j;

	begin();
	j = accept(FAKE_FAIL);
	UNTIL(j->state == JOB_FAILED);
	ck_rows("failed 1 0;");
	job_unref(j);
}
END_TEST

/* While it is written, while it waits, while it runs, and after its end. */
START_TEST(a_dismissed_job_stays_dismissed)
{
	struct job *runs, *waits, *fresh, *ended;

	begin();
	ended = accept(FAKE_ANSWER);
	UNTIL(ended->state == JOB_SUCCESSFUL);
	runs = accept(FAKE_HOLD);
	UNTIL(room_at_work(runs));
	waits = accept(FAKE_ANSWER);
	fresh = submit(FAKE_ANSWER, on_accepted);
	engine_dismiss(room.engine, ended);
	engine_dismiss(room.engine, runs);
	engine_dismiss(room.engine, waits);
	engine_dismiss(room.engine, fresh);
	UNTIL(runs->state == JOB_DISMISSED && waits->state == JOB_DISMISSED &&
	      fresh->state == JOB_DISMISSED && n_accepted == 4);
	ck_assert_int_eq(ended->state, JOB_SUCCESSFUL);
	ck_rows("successful 1 0;dismissed 1 0;dismissed 0 0;dismissed 0 0;");
	job_unref(ended);
	job_unref(runs);
	job_unref(waits);
	job_unref(fresh);
	room_end_process();
	begin();
	ck_assert_int_eq(engine_newest(room.engine)->state, JOB_DISMISSED);
	ck_assert_uint_eq(engine_waiting(room.engine), 0);
}
END_TEST

START_TEST(a_job_whose_worker_dies_runs_again_in_another_epoch)
{
	struct job *j;

	begin();
	j = accept(FAKE_HOLD_ONCE);
	UNTIL(room_at_work(j));
	kill(room.engine->worker[0].pid, SIGKILL);
	UNTIL(j->state == JOB_SUCCESSFUL);
	ck_rows("successful 2 0;");
	job_unref(j);
}
END_TEST

/* --- in the next one */

static void on_drained(void *arg)
{
	(void)arg;
	n_drained++;
}

static struct job *find(const char *id)
{
	struct job *j = engine_find(room.engine, id);

	ck_assert_msg(j != NULL, "the job is lost");
	return j;
}

START_TEST(draining_leaves_what_waits_to_the_next_process)
{
	struct job *runs, *waits;
	char id[2][JOB_ID];

	begin();
	runs = accept(FAKE_HOLD_ONCE);
	UNTIL(room_at_work(runs));
	waits = accept(FAKE_ANSWER);
	strcpy(id[0], runs->id);
	strcpy(id[1], waits->id);
	engine_drain(room.engine, on_drained, NULL);
	ck_assert_int_eq(n_drained, 0);
	engine_dismiss(room.engine, runs);
	UNTIL(n_drained);
	ck_rows("dismissed 1 0;accepted 0 0;");
	job_unref(runs);
	job_unref(waits);
	room_end_process();
	begin();
	ck_assert_int_eq(find(id[0])->state, JOB_DISMISSED);
	UNTIL(find(id[1])->state == JOB_SUCCESSFUL);
	ck_assert(matrix_get(&find(id[1])->args.out[0], 0) == 42);
}
END_TEST

/* A run that the process itself gives up costs the job no attempt. */
START_TEST(giving_up_puts_a_running_job_back)
{
	struct job *j;
	char id[JOB_ID];

	begin();
	j = accept(FAKE_HOLD_ONCE);
	strcpy(id, j->id);
	UNTIL(room_at_work(j));
	engine_drain(room.engine, on_drained, NULL);
	engine_give_up(room.engine);
	job_unref(j);
	room_end_process();
	look();
	ck_assert_str_eq(rows, "accepted 1 0;");
	begin();
	UNTIL(find(id)->state == JOB_SUCCESSFUL);
	ck_rows("successful 2 0;");
}
END_TEST

/* When the time for draining is over, an end that has not been written yet is
 * left to journal_close(). */
START_TEST(giving_up_does_not_wait_for_the_disk)
{
	struct job *j;

	begin();
	j = accept(FAKE_HOLD);
	UNTIL(room_at_work(j));
	engine_dismiss(room.engine, j);
	engine_drain(room.engine, on_drained, NULL);
	ck_assert_int_eq(n_drained, 0);
	engine_give_up(room.engine);
	ck_assert_int_eq(n_drained, 1);
	ck_assert_int_eq(j->state, JOB_RUNNING);
	journal_close(room.journal);
	room.journal = NULL;
	ck_assert_int_eq(n_drained, 1);
	ck_assert_int_eq(j->state, JOB_DISMISSED);
	job_unref(j);
	ck_rows("dismissed 1 0;");
}
END_TEST

START_TEST(a_job_that_ran_in_three_processes_fails_with_their_times)
{
	struct job *j;
	const char *at;
	char id[JOB_ID];
	int times = 0;

	begin();
	j = accept(FAKE_HOLD);
	strcpy(id, j->id);
	job_unref(j);
	for (int i = 1; i <= 3; i++) {
		UNTIL(room_at_work(find(id)));
		room_end_process();
		begin();
		ck_assert_int_ge(find(id)->attempts, i);
	}
	UNTIL(find(id)->state == JOB_FAILED);
	j = find(id);
	ck_assert_int_eq(j->err.code, ERR_DEVICE);
	for (at = j->err.text; (at = strchr(at, 'Z')); at++)
		times++;
	ck_assert_int_eq(times, 3);
	ck_assert_ptr_nonnull(strstr(j->err.text, "ended 3 times"));
	room_end_process();
	begin();
	ck_assert_int_eq(find(id)->state, JOB_FAILED);
	ck_assert_ptr_nonnull(strstr(find(id)->err.text, "ended 3 times"));
}
END_TEST

/* They run in the order in which they were accepted. */
START_TEST(waiting_jobs_keep_their_order)
{
	struct job *first;
	char id[4][JOB_ID];

	begin();
	first = accept(FAKE_HOLD);
	UNTIL(room_at_work(first));
	for (int i = 0; i < 4; i++) {
		struct job *j = accept(FAKE_ANSWER);

		strcpy(id[i], j->id);
		job_unref(j);
	}
	engine_dismiss(room.engine, first);
	engine_drain(room.engine, on_drained, NULL);
	UNTIL(n_drained);
	job_unref(first);
	room_end_process();
	begin();
	for (int i = 0; i < 4; i++)
		UNTIL(find(id[i])->state == JOB_SUCCESSFUL);
	for (int i = 1; i < 4; i++) {
		ck_assert_uint_gt(find(id[i])->serial, find(id[i - 1])->serial);
		ck_assert_int_ge(find(id[i])->started_ns,
		                 find(id[i - 1])->started_ns);
	}
}
END_TEST

TCase *tcase_engine_durable(void)
{
	TCase *c = tcase_create("engine_durable");

	tcase_add_checked_fixture(c, open_room, close_room);
	tcase_add_test(c,
	    a_job_is_written_before_it_runs_and_before_its_end_is_told);
	tcase_add_test(c, a_failure_is_written_too);
	tcase_add_test(c, a_dismissed_job_stays_dismissed);
	tcase_add_test(c, a_job_whose_worker_dies_runs_again_in_another_epoch);
	tcase_add_test(c, draining_leaves_what_waits_to_the_next_process);
	tcase_add_test(c, giving_up_puts_a_running_job_back);
	tcase_add_test(c, giving_up_does_not_wait_for_the_disk);
	tcase_add_test(c,
	    a_job_that_ran_in_three_processes_fails_with_their_times);
	tcase_add_test(c, waiting_jobs_keep_their_order);
	return c;
}
