/* journal_fails.c - each system call and each allocation fails once while a
 * journal is created, opened, read or swept. The journal then reports an error
 * or has managed without that call, and no entry is lost. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/journal/failing.h"
#include "tests/journal/journal_room.h"
#include "tests/journal/payload_room.h"

enum { SMALL = 4, LARGE = 5000 };

static void setup(void)
{
	journal_room_open();
	failing_setup();
}

static void teardown(void)
{
	journal_room_end();
	failing_teardown();
	journal_room_close();
}

static const char held[] =
	"a 1 accepted 0 0 - text-of-a  4 -\n"
	"b 2 accepted 0 0 - text-of-b  5000 -\n"
	"c 3 successful 0 0 - text-of-c text-of-c - 5000\n"
	"m 9 text-of-m 4\n"
	"p text-of-p\n";

/* Creates a journal with these rows and closes it. */
static void make(void)
{
	journal_room_begin();
	journal_room_write(JOURNAL_ADD_JOB, "a", 1, SMALL);
	journal_room_write(JOURNAL_ADD_JOB, "b", 2, LARGE);
	journal_room_write(JOURNAL_ADD_JOB, "c", 3, SMALL);
	journal_room_write(JOURNAL_END_JOB, "c", 0, LARGE);
	journal_room_write(JOURNAL_PUT_MATRIX, "m", 9, SMALL);
	journal_room_write(JOURNAL_PUT_PIPELINE, "p", 0, 0);
	journal_room_end();
}

static void ck_told(const struct err *e)
{
	ck_assert_msg(e->code == ERR_STATE || e->code == ERR_MEMORY, "%s: %s",
	              err_slug(e->code), e->text);
	ck_assert_msg(strstr(e->text, "journal") || strstr(e->text, disk.path),
	              "%s", e->text);
	ck_assert_msg(!strstr(e->text, "newer"), "%s", e->text);
	ck_assert_msg(!strstr(e->text, "damaged") ||
	              strstr(e->text, "unable to get the page"), "%s",
	              e->text);
}

/* If a journal opens although a call has failed, it has the identity and the
 * rows of the journal in the directory. */
START_TEST(each_call_of_opening_fails_once)
{
	const int opened = failing_next_fd();
	uint64_t identity;
	bool met = true;

	make();
	disk.journal = journal_open(disk.path, &disk.e);
	identity = journal_identity(disk.journal);
	journal_room_end();
	for (int i = 1; met; i++) {
		struct err e = { 0 };

		failing_at(_i, i);
		disk.journal = journal_open(disk.path, &e);
		met = failing_end();
		if (!disk.journal) {
			ck_assert(met);
			ck_told(&e);
		} else {
			ck_assert_uint_eq(journal_identity(disk.journal),
			                  identity);
			ck_assert_int_eq(journal_version(disk.journal), 9);
			journal_room_end();
		}
		ck_assert_int_eq(failing_next_fd(), opened);
		ck_assert(met || i > 1);
	}
	disk.journal = journal_open(disk.path, &disk.e);
	ck_assert_str_eq(journal_room_rows(disk.journal), held);
}
END_TEST

/* A start that fails halfway leaves files that do not disturb the next start.
 * SQLite allocates too often for each allocation to fail here, so only some of
 * them do. */
START_TEST(each_call_of_making_fails_once)
{
	bool met = true;

	for (int i = 1; met; i += _i == SQLITES_MEMORY ? 1 + i / 16 : 1) {
		struct err e = { 0 };
		char command[96];

		disk.n_told = 0;
		failing_at(_i, i);
		disk.journal = journal_open(disk.path, &e);
		met = failing_end();
		if (!disk.journal)
			ck_told(&e);
		journal_room_end();
		journal_room_begin();
		ck_assert_str_eq(journal_room_rows(disk.journal), "");
		ck_assert_int_eq(journal_version(disk.journal), 0);
		journal_room_write(JOURNAL_ADD_JOB, "a", 1, SMALL);
		journal_room_end();
		ck_assert(met || i > 1);
		snprintf(command, sizeof command, "rm -r %s/*", disk.path);
		ck_assert_int_eq(system(command), 0);
	}
}
END_TEST

/* --- reading */

static struct text seen;

static int see(void *arg, const struct journal_found *f, struct err *e)
{
	(void)arg;
	(void)e;
	text_printf(&seen, "%s %s %s %lld %s %s %zu %zu;", f->tenant, f->name,
	            f->state, (long long)f->number, f->text, f->answer,
	            f->payload.size, f->results.size);
	return 0;
}

static int see_all(struct err *e)
{
	text_clear(&seen);
	return journal_read_jobs(disk.journal, see, NULL, e) ||
	       journal_read_matrices(disk.journal, see, NULL, e) ||
	       journal_read_pipelines(disk.journal, see, NULL, e) ? -1 : 0;
}

/* Reading reports all rows, each with its whole payload, or fails. */
START_TEST(each_call_of_reading_fails_once)
{
	char *expected;
	bool met = true;

	make();
	disk.journal = journal_open(disk.path, &disk.e);
	ck_ok(see_all(&disk.e), &disk.e);
	expected = strdup(seen.data);
	ck_assert_ptr_nonnull(expected);
	for (int i = 1; met; i++) {
		struct err e = { 0 };
		int rc;

		journal_room_end();
		disk.journal = journal_open(disk.path, &disk.e);
		ck_assert_msg(disk.journal != NULL, "%s", disk.e.text);
		failing_at(_i, i);
		rc = see_all(&e);
		met = failing_end();
		if (rc)
			ck_told(&e);
		else
			ck_assert_str_eq(seen.data, expected);
	}
	free(expected);
	ck_assert_str_eq(journal_room_rows(disk.journal), held);
}
END_TEST

static int stop_at_b(void *arg, const struct journal_found *f, struct err *e)
{
	++*(int *)arg;
	return strcmp(f->name, "b") ? 0 : err_set(e, ERR_CONFLICT, "enough");
}

START_TEST(a_visit_ends_at_the_first_refusal)
{
	struct err e = { 0 };
	int visited = 0;

	make();
	disk.journal = journal_open(disk.path, &disk.e);
	ck_refused(journal_read_jobs(disk.journal, stop_at_b, &visited, &e),
	           &e, ERR_CONFLICT);
	ck_assert_int_eq(visited, 2);
	ck_assert_str_eq(journal_room_rows(disk.journal), held);
}
END_TEST

/* --- sweeping */

static void put_orphan(void)
{
	char path[160];
	int fd;

	snprintf(path, sizeof path, "%s/payloads/operands-z", disk.path);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	ck_assert_int_ge(fd, 0);
	close(fd);
}

/* Whatever call fails, the sweep removes no file that a row names. */
START_TEST(each_call_of_a_sweep_fails_once)
{
	const int opened = failing_next_fd();
	bool met = true;

	make();
	for (int i = 1; met; i++) {
		struct err e = { 0 };
		int rc;

		disk.journal = journal_open(disk.path, &disk.e);
		ck_assert_msg(disk.journal != NULL, "%s", disk.e.text);
		put_orphan();
		failing_at(_i, i);
		rc = journal_sweep(disk.journal, &e);
		met = failing_end();
		if (rc)
			ck_told(&e);
		else
			ck_assert(!journal_room_has("operands-z"));
		ck_assert_str_eq(journal_room_rows(disk.journal), held);
		ck_ok(journal_sweep(disk.journal, &e), &e);
		ck_assert(!journal_room_has("operands-z"));
		journal_room_end();
		ck_assert_int_eq(failing_next_fd(), opened);
	}
}
END_TEST

START_TEST(a_sweep_of_a_journal_without_rows_removes_every_file)
{
	disk.journal = journal_open(disk.path, &disk.e);
	put_orphan();
	ck_ok(journal_sweep(disk.journal, &disk.e), &disk.e);
	ck_assert(!journal_room_has("operands-z"));
}
END_TEST

/* --- threads */

/* If only one of the two threads can be created, it has ended when the start
 * fails, and the journal can be started again. */
START_TEST(each_thread_fails_once)
{
	disk.journal = journal_open(disk.path, &disk.e);
	for (int i = 1; i <= 2; i++) {
		struct err e = { 0 };

		failing_at(OUR_SYSTEM, i);
		ck_refused(journal_start(disk.journal, disk.loop, &e), &e,
		           ERR_MEMORY);
		ck_assert(failing_end());
		journal_room_end();
		disk.journal = journal_open(disk.path, &disk.e);
	}
	ck_ok(journal_start(disk.journal, disk.loop, &disk.e), &disk.e);
	journal_room_write(JOURNAL_ADD_JOB, "a", 1, LARGE);
}
END_TEST

/* --- places where there can be no journal */

static void ck_no_journal(const char *directory, const char *word)
{
	const int opened = failing_next_fd();
	struct err e = { 0 };

	ck_assert_ptr_null(journal_open(directory, &e));
	ck_assert_int_eq(e.code, ERR_STATE);
	ck_assert_msg(strstr(e.text, word) != NULL, "%s", e.text);
	ck_assert_int_eq(failing_next_fd(), opened);
}

START_TEST(a_directory_that_cannot_be_is_refused)
{
	char path[600], longer[600];

	snprintf(path, sizeof path, "%s/none", disk.path);
	ck_no_journal(path, "No such file or directory");
	memset(longer, 'x', sizeof longer - 1);
	longer[sizeof longer - 1] = 0;
	ck_no_journal(longer, "the path is too long");
	snprintf(path, sizeof path, "%s/journal.sqlite", disk.path);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	ck_no_journal(disk.path, "Is a directory");
	ck_assert_int_eq(rmdir(path), 0);
	journal_close(NULL);
	journal_room_begin();
}
END_TEST

TCase *tcase_journal_fails(void)
{
	TCase *c = tcase_create("journal_fails");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_loop_test(c, each_call_of_opening_fails_once, 0,
	                    FAILING_CALLS);
	tcase_add_loop_test(c, each_call_of_making_fails_once, 0,
	                    FAILING_CALLS);
	tcase_add_loop_test(c, each_call_of_reading_fails_once, 0,
	                    FAILING_CALLS);
	tcase_add_test(c, a_visit_ends_at_the_first_refusal);
	tcase_add_loop_test(c, each_call_of_a_sweep_fails_once, 0,
	                    FAILING_CALLS);
	tcase_add_test(c, a_sweep_of_a_journal_without_rows_removes_every_file);
	tcase_add_test(c, each_thread_fails_once);
	tcase_add_test(c, a_directory_that_cannot_be_is_refused);
	return c;
}
