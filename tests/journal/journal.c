/* journal.c - what the journal tells as written is found by the next process,
 * whenever this one ends; journal_refused.c has disks that refuse to write. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/journal/journal_room.h"

enum { SMALL = 4, LARGE = 5000 };

/* Opens a copy of the directory as it is at this moment, as after a kill, and
 * returns its rows. */
static const char *rows_after_a_kill(void)
{
	char command[280], copy[80];
	struct err e = { 0 };
	struct journal *j;
	const char *rows;

	snprintf(copy, sizeof copy, "%s-copy", disk.path);
	snprintf(command, sizeof command, "rm -rf %s; cp -r %s %s", copy,
	         disk.path, copy);
	ck_assert_int_eq(system(command), 0);
	j = journal_open(copy, &e);
	ck_assert_msg(j != NULL, "%s", e.text);
	rows = journal_room_rows(j);
	journal_close(j);
	snprintf(command, sizeof command, "rm -rf %s", copy);
	ck_assert_int_eq(system(command), 0);
	return rows;
}

static const char *then_rows;

static void look(void *arg, const struct err *e)
{
	(void)arg;
	ck_assert_int_eq(e->code, ERR_NONE);
	then_rows = rows_after_a_kill();
	disk.n_told++;
}

START_TEST(an_entry_is_on_the_disk_when_it_is_told)
{
	struct journal_entry *e;

	journal_room_begin();
	e = journal_room_entry(0, JOURNAL_ADD_JOB, "a", 7);
	strcpy(e->row[0].key, "k");
	journal_room_give(e, _i ? LARGE : SMALL);
	e->then = look;
	journal_submit(disk.journal, e);
	ck_assert_int_eq(disk.n_told, 0);	/* not from within submit */
	UNTIL_TOLD(1);
	ck_assert_str_eq(then_rows, _i ?
	                 "a 7 accepted 0 0 k text-of-a  5000 -\n" :
	                 "a 7 accepted 0 0 k text-of-a  4 -\n");
	ck_assert_int_eq(journal_room_has("operands-a"), _i);
}
END_TEST

/* A job that runs when the process ends has had an attempt. */
START_TEST(the_next_process_finds_what_was_written)
{
	static const char expected[] =
		"waits 1 accepted 0 0 - text-of-waits  4 -\n"
		"runs 2 accepted 2 1 - text-of-runs  5000 -\n"
		"back 3 accepted 1 0 - text-of-back  4 -\n"
		"ended 4 successful 1 0 - text-of-ended text-of-ended - 5000\n"
		"small 5 successful 0 0 - text-of-small text-of-small - 4\n"
		"gone 6 successful 0 0 - text-of-gone text-of-gonegone - -\n"
		"m 9 text-of-m 5000\n"
		"n 10 text-of-n 4\n"
		"p text-of-p\n";

	journal_room_begin();
	journal_room_write(JOURNAL_ADD_JOB, "waits", 1, SMALL);
	journal_room_write(JOURNAL_ADD_JOB, "runs", 2, LARGE);
	journal_room_write(JOURNAL_BEGIN_JOB, "runs", 1, 0);
	journal_room_write(JOURNAL_ADD_JOB, "back", 3, SMALL);
	journal_room_write(JOURNAL_BEGIN_JOB, "back", 1, 0);
	journal_room_write(JOURNAL_PUT_BACK_JOB, "back", 1, 0);
	journal_room_write(JOURNAL_ADD_JOB, "ended", 4, LARGE);
	journal_room_write(JOURNAL_BEGIN_JOB, "ended", 1, 0);
	journal_room_write(JOURNAL_END_JOB, "ended", 1, LARGE);
	journal_room_write(JOURNAL_ADD_JOB, "small", 5, SMALL);
	journal_room_write(JOURNAL_END_JOB, "small", 0, SMALL);
	journal_room_write(JOURNAL_ADD_JOB, "gone", 6, SMALL);
	journal_room_write(JOURNAL_END_JOB, "gone", 0, LARGE);
	journal_room_write(JOURNAL_EXPIRE_JOB, "gone", 0, 0);
	journal_room_write(JOURNAL_ADD_JOB, "removed", 8, SMALL);
	journal_room_write(JOURNAL_END_JOB, "removed", 0, LARGE);
	journal_room_write(JOURNAL_REMOVE_JOB, "removed", 0, 0);
	journal_room_write(JOURNAL_PUT_MATRIX, "m", 9, LARGE);
	journal_room_write(JOURNAL_PUT_MATRIX, "n", 10, SMALL);
	journal_room_write(JOURNAL_PUT_MATRIX, "o", 11, SMALL);
	journal_room_write(JOURNAL_REMOVE_MATRIX, "o", 11, 0);
	journal_room_write(JOURNAL_PUT_PIPELINE, "p", 0, 0);
	journal_room_write(JOURNAL_PUT_PIPELINE, "q", 0, 0);
	journal_room_write(JOURNAL_REMOVE_PIPELINE, "q", 0, 0);
	if (_i) {
		journal_room_end();
		disk.journal = journal_open(disk.path, &disk.e);
		ck_assert_str_eq(journal_room_rows(disk.journal), expected);
		ck_assert_int_eq(journal_version(disk.journal), 11);
	} else {
		ck_assert_str_eq(rows_after_a_kill(), expected);
	}
}
END_TEST

/* Each start that finds it running costs a run; its end is that of the last. */
START_TEST(only_the_present_run_writes_a_jobs_end)
{
	journal_room_begin();
	journal_room_write(JOURNAL_ADD_JOB, "a", 1, SMALL);
	journal_room_write(JOURNAL_BEGIN_JOB, "a", 1, 0);
	journal_room_end();
	disk.journal = journal_open(disk.path, &disk.e);
	ck_assert_str_eq(journal_room_rows(disk.journal),
	                 "a 1 accepted 2 1 - text-of-a  4 -\n");
	ck_assert_str_eq(journal_room_rows(disk.journal),
	                 "a 1 accepted 2 1 - text-of-a  4 -\n");
	ck_ok(journal_start(disk.journal, disk.loop, &disk.e), &disk.e);
	journal_room_write(JOURNAL_END_JOB, "a", 1, 0);
	ck_assert_str_eq(rows_after_a_kill(),
	                 "a 1 accepted 2 1 - text-of-a  4 -\n");
	journal_room_write(JOURNAL_BEGIN_JOB, "a", 3, 0);
	journal_room_write(JOURNAL_PUT_BACK_JOB, "a", 2, 0);
	journal_room_write(JOURNAL_END_JOB, "a", 3, SMALL);
	journal_room_write(JOURNAL_END_JOB, "a", 3, 0);
	journal_room_write(JOURNAL_BEGIN_JOB, "a", 4, 0);
	ck_assert_str_eq(rows_after_a_kill(),
	                 "a 1 successful 3 1 - text-of-a text-of-a - 4\n");
}
END_TEST

START_TEST(a_key_is_the_newest_jobs)
{
	struct journal_entry *e;

	journal_room_begin();
	for (int i = 0; i < 2; i++) {
		e = journal_room_entry(i, JOURNAL_ADD_JOB, i ? "b" : "a",
		                       i + 1);
		strcpy(e->row[0].key, "k");
		journal_submit(disk.journal, e);
	}
	e = journal_room_entry(2, JOURNAL_ADD_JOB, "c", 3);
	strcpy(e->row[0].tenant, "other");
	strcpy(e->row[0].key, "k");
	journal_submit(disk.journal, e);
	UNTIL_TOLD(3);
	ck_assert_str_eq(rows_after_a_kill(),
	                 "a 1 accepted 0 0 - text-of-a  - -\n"
	                 "b 2 accepted 0 0 k text-of-b  - -\n"
	                 "c 3 accepted 0 0 k text-of-c  - -\n");
}
END_TEST

/* Where in the order of ends the entry was told. */
static int place_of(int number)
{
	for (int i = 0; i < disk.n_told; i++)
		if (disk.told[i] == number)
			return i;
	ck_abort_msg("%d was not told", number);
}

/* Every third entry has a large payload, and every fifth overtakes none; the
 * one without rows ends when all of those before it have. */
START_TEST(entries_keep_their_order)
{
	enum { N = 100 };
	struct journal_entry *none = journal_entry_new(0);

	journal_room_begin();
	for (int i = 0; i < N; i++) {
		char name[16];
		struct journal_entry *e;

		snprintf(name, sizeof name, "job%d", i);
		e = journal_room_entry(i, JOURNAL_ADD_JOB, name, i + 1);
		if (i % 3 == 0)
			journal_room_give(e, LARGE);
		e->ordered = i % 5 == 0;
		journal_submit(disk.journal, e);
	}
	none->ordered = true;
	none->then = look;
	journal_submit(disk.journal, none);
	UNTIL_TOLD(N + 1);
	for (int i = 0; i < N; i++)
		for (int k = 0; k < i; k++) {
			const bool may_pass = k % 3 == 0 || k % 5 == 0;

			if (!may_pass || i % 3 == 0 || i % 5 == 0)
				ck_assert_int_lt(place_of(k), place_of(i));
		}
	ck_assert_ptr_nonnull(strstr(then_rows, "job99 100 "));
}
END_TEST

/* What waits is written and told before the journal is closed. */
START_TEST(closing_writes_what_waits)
{
	struct journal_entry *late;

	journal_room_begin();
	for (int i = 0; i < 20; i++) {
		char name[16];
		struct journal_entry *e;

		snprintf(name, sizeof name, "job%d", i);
		e = journal_room_entry(i, JOURNAL_ADD_JOB, name, i + 1);
		if (i % 2)
			journal_room_give(e, LARGE);
		journal_submit(disk.journal, e);
	}
	journal_room_end();
	ck_assert_int_eq(disk.n_told, 20);
	for (int i = 0; i < 20; i++)
		ck_assert_int_eq(disk.code[i], ERR_NONE);
	journal_room_begin();
	late = journal_room_entry(20, JOURNAL_ADD_JOB, "job0", 99);
	journal_entry_free(late);
}
END_TEST

/* --- whose it is */

START_TEST(a_second_process_is_refused)
{
	int status;
	pid_t child;

	journal_room_begin();
	child = fork();
	if (child == 0) {
		struct err e = { 0 };
		struct journal *j = journal_open(disk.path, &e);

		_exit(!j && e.code == ERR_STATE &&
		      strstr(e.text, "another linalgd uses the journal") &&
		      strstr(e.text, disk.path) ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	ck_assert_ptr_null(journal_open(disk.path, &disk.e));
	ck_assert_ptr_nonnull(strstr(disk.e.text, "another linalgd uses"));
	journal_room_write(JOURNAL_ADD_JOB, "a", 1, SMALL);
}
END_TEST

/* Overwrites bytes of the closed database. */
static void overwrite(off_t at, const void *bytes, size_t n)
{
	char path[160];
	int fd;

	snprintf(path, sizeof path, "%s/journal.sqlite", disk.path);
	fd = open(path, O_WRONLY);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pwrite(fd, bytes, n, at), (ssize_t)n);
	close(fd);
}

static void ck_not_opened(const char *word)
{
	struct err e = { 0 };

	disk.journal = journal_open(disk.path, &e);
	ck_assert_ptr_null(disk.journal);
	ck_assert_int_eq(e.code, ERR_STATE);
	ck_assert_msg(strstr(e.text, word) != NULL, "%s", e.text);
}

/* SQLite keeps the version at byte 60, the most significant byte first. */
START_TEST(a_newer_version_is_refused)
{
	static const unsigned char newer[] = { 0, 0, 1, 2 };
	static const unsigned char negative[] = { 255, 255, 255, 255 };
	static const unsigned char now[] = { 0, 0, 0, 1 };

	journal_room_begin();
	journal_room_write(JOURNAL_ADD_JOB, "a", 1, SMALL);
	journal_room_end();
	overwrite(60, newer, sizeof newer);
	ck_not_opened("version 258");
	overwrite(60, negative, sizeof negative);
	ck_not_opened("version -1");
	overwrite(60, now, sizeof now);
	disk.journal = journal_open(disk.path, &disk.e);
	ck_assert_str_eq(journal_room_rows(disk.journal),
	                 "a 1 accepted 0 0 - text-of-a  4 -\n");
}
END_TEST

START_TEST(a_damaged_database_is_refused)
{
	char noise[512];

	memset(noise, 0xa5, sizeof noise);
	journal_room_begin();
	for (int i = 1; i < 40; i++) {
		char name[16];

		snprintf(name, sizeof name, "job%d", i);
		journal_room_write(JOURNAL_ADD_JOB, name, i, 100);
	}
	journal_room_end();
	overwrite(_i ? 4096 * 4 : 0, noise, sizeof noise);
	ck_not_opened("the journal");
}
END_TEST

START_TEST(its_identity_stays)
{
	uint64_t identity;

	journal_room_begin();
	identity = journal_identity(disk.journal);
	journal_room_end();
	journal_room_begin();
	ck_assert_uint_eq(journal_identity(disk.journal), identity);
}
END_TEST

TCase *tcase_journal(void)
{
	TCase *c = tcase_create("journal");

	tcase_add_checked_fixture(c, journal_room_open, journal_room_close);
	tcase_add_loop_test(c, an_entry_is_on_the_disk_when_it_is_told, 0, 2);
	tcase_add_loop_test(c, the_next_process_finds_what_was_written, 0, 2);
	tcase_add_test(c, only_the_present_run_writes_a_jobs_end);
	tcase_add_test(c, a_key_is_the_newest_jobs);
	tcase_add_test(c, entries_keep_their_order);
	tcase_add_test(c, closing_writes_what_waits);
	tcase_add_test(c, a_second_process_is_refused);
	tcase_add_test(c, a_newer_version_is_refused);
	tcase_add_loop_test(c, a_damaged_database_is_refused, 0, 2);
	tcase_add_test(c, its_identity_stays);
	return c;
}
