/* journal_files.c - the files beside the journal: they go with the rows that
 * they belong to, and damaged ones are kept apart. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "tests/journal/journal_room.h"

enum { SMALL = 4, LARGE = 5000 };

/* --- files */

START_TEST(files_go_with_what_they_belong_to)
{
	journal_room_begin();
	journal_room_write(JOURNAL_ADD_JOB, "a", 1, LARGE);
	ck_assert(journal_room_has("operands-a"));
	journal_room_write(JOURNAL_END_JOB, "a", 0, LARGE);
	ck_assert(!journal_room_has("operands-a"));
	ck_assert(journal_room_has("results-a"));
	journal_room_write(JOURNAL_EXPIRE_JOB, "a", 0, 0);
	ck_assert(!journal_room_has("results-a"));
	journal_room_write(JOURNAL_ADD_JOB, "b", 2, SMALL);
	journal_room_write(JOURNAL_END_JOB, "b", 0, LARGE);
	journal_room_write(JOURNAL_REMOVE_JOB, "b", 0, 0);
	ck_assert(!journal_room_has("results-b"));
	journal_room_write(JOURNAL_PUT_MATRIX, "m", 3, LARGE);
	journal_room_write(JOURNAL_PUT_MATRIX, "m", 4, LARGE);
	ck_assert(!journal_room_has("matrix-3") &&
	          journal_room_has("matrix-4"));
	journal_room_write(JOURNAL_PUT_MATRIX, "m", 5, SMALL);
	ck_assert(!journal_room_has("matrix-4") &&
	          !journal_room_has("matrix-5"));
	journal_room_write(JOURNAL_PUT_MATRIX, "m", 6, LARGE);
	journal_room_write(JOURNAL_REMOVE_MATRIX, "m", 5, 0);
	ck_assert(journal_room_has("matrix-6"));
	journal_room_write(JOURNAL_REMOVE_MATRIX, "m", 6, 0);
	ck_assert(!journal_room_has("matrix-6"));
}
END_TEST

static void put_file(const char *name)
{
	char path[160];
	int fd;

	snprintf(path, sizeof path, "%s/payloads/%s", disk.path, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, "no payload", 10), 10);
	close(fd);
}

START_TEST(orphans_are_swept)
{
	journal_room_begin();
	journal_room_write(JOURNAL_ADD_JOB, "a", 1, LARGE);
	journal_room_write(JOURNAL_PUT_MATRIX, "m", 2, LARGE);
	journal_room_write(JOURNAL_ADD_JOB, "b", 3, LARGE);
	journal_room_write(JOURNAL_END_JOB, "b", 0, LARGE);
	journal_room_end();
	put_file("operands-b");
	put_file("matrix-1");
	put_file(".new-results-a");
	put_file("foreign");
	disk.journal = journal_open(disk.path, &disk.e);
	ck_ok(journal_sweep(disk.journal, &disk.e), &disk.e);
	ck_assert(!journal_room_has("operands-b") &&
	          !journal_room_has("matrix-1") &&
	          !journal_room_has(".new-results-a") &&
	          !journal_room_has("foreign"));
	ck_assert_str_eq(journal_room_rows(disk.journal),
	                 "a 1 accepted 0 0 - text-of-a  5000 -\n"
	                 "b 3 successful 0 0 - text-of-b text-of-b - 5000\n"
	                 "m 2 text-of-m 5000\n");
}
END_TEST

START_TEST(a_damaged_file_is_set_aside)
{
	journal_room_begin();
	journal_room_write(JOURNAL_ADD_JOB, "a", 1, LARGE);
	journal_room_write(JOURNAL_ADD_JOB, "b", 2, LARGE);
	journal_room_end();
	put_file("operands-a");
	disk.journal = journal_open(disk.path, &disk.e);
	ck_assert_str_eq(journal_room_rows(disk.journal),
	                 "a 1 accepted 0 0 - text-of-a  bad-matrix -\n"
	                 "b 2 accepted 0 0 - text-of-b  5000 -\n");
	ck_assert(journal_room_has("operands-a.damaged") &&
	          !journal_room_has("operands-a"));
	ck_ok(journal_sweep(disk.journal, &disk.e), &disk.e);
	ck_assert(journal_room_has("operands-a.damaged"));
}
END_TEST

TCase *tcase_journal_files(void)
{
	TCase *c = tcase_create("journal_files");

	tcase_add_checked_fixture(c, journal_room_open, journal_room_close);
	tcase_add_test(c, files_go_with_what_they_belong_to);
	tcase_add_test(c, orphans_are_swept);
	tcase_add_test(c, a_damaged_file_is_set_aside);
	return c;
}
