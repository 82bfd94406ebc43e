/* engine_told.c - what clients are told of a durable job's run, while the disk
 * does not take its record. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "journal/journal_read.h"
#include "queue/journaled.h"
#include "tests/queue/engine_room.h"

static char path[64], row[64];
static int retry_ms;

static void open_disk(void)
{
	room_open();
	retry_ms = journal_retry_ms;
	journal_retry_ms = 10;
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_ptr_nonnull(mkdtemp(strcpy(path, "/tmp/linalgd-XXXXXX")));
	room.journal = journal_open(path, &room.e);
	ck_assert_msg(room.journal != NULL, "%s", room.e.text);
	room_start("cpu", 8);
	ck_ok(journal_start(room.journal, room.loop, &room.e), &room.e);
	UNTIL(engine_ready(room.engine));
}

static void close_disk(void)
{
	char command[128];

	room_end_process();
	snprintf(command, sizeof command, "rm -rf %s", path);
	ck_assert_int_eq(system(command), 0);
	journal_retry_ms = retry_ms;
	room_close();
}

/* While the disk is full, no file of this process grows. */
static void set_disk_full(bool full)
{
	struct rlimit r;

	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &r), 0);
	r.rlim_cur = full ? 0 : r.rlim_max;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &r), 0);
}

static void on_accepted(void *arg, const struct err *e)
{
	set_disk_full(true);
	engine_prepared(room.engine, arg, e);
}

static struct job *submit(void)
{
	struct job *j = room_job(FAKE_HOLD, 3, "auto");
	struct err *const e = &room.e;

	j->on_end = NULL;
	j->keep = true;
	j->tenant = tenants_get(engine_tenants(room.engine), "t", e);
	ck_ok(engine_submit_held(room.engine, j, e), e);
	ck_ok(journaled_accept(room.engine, j, on_accepted, j, e), e);
	return j;
}

static int put_row(void *arg, const struct journal_found *f, struct err *e)
{
	(void)arg;
	(void)e;
	snprintf(row, sizeof row, "%s %d", f->state, f->attempts);
	return 0;
}

/* If the process were lost before the record of the run, the run would not
 * count as an attempt. */
START_TEST(a_job_is_told_to_run_only_when_that_is_on_the_disk)
{
	struct job *j = submit();

	UNTIL(room_at_work(j) && !journal_is_well(room.journal, &room.e));
	ck_assert_int_eq(job_told_state(j), JOB_ACCEPTED);
	ck_assert_str_eq(job_stage(j), "waiting");
	set_disk_full(false);
	UNTIL(job_told_state(j) == JOB_RUNNING);
	ck_assert_str_eq(job_stage(j), "running");
	job_unref(j);
	room_end_process();
	room.journal = journal_open(path, &room.e);
	ck_assert_msg(room.journal != NULL, "%s", room.e.text);
	ck_ok(journal_read_jobs(room.journal, put_row, NULL, &room.e),
	      &room.e);
	ck_assert_str_eq(row, "accepted 1");
}
END_TEST

TCase *tcase_engine_told(void)
{
	TCase *c = tcase_create("engine_told");

	tcase_add_checked_fixture(c, open_disk, close_disk);
	tcase_add_test(c, a_job_is_told_to_run_only_when_that_is_on_the_disk);
	return c;
}
