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

/* Truncates the file to that many bytes. */
static void cut_file(const char *name, off_t bytes)
{
	char path[160];

	snprintf(path, sizeof path, "%s/payloads/%s", disk.path, name);
	ck_assert_int_eq(truncate(path, bytes), 0);
}

/* If the payload file of one row is lost or truncated, only that row fails. */
START_TEST(a_lost_or_truncated_file_is_told)
{
	journal_room_begin();
	journal_room_write(JOURNAL_ADD_JOB, "a", 1, LARGE);
	journal_room_write(JOURNAL_ADD_JOB, "b", 2, LARGE);
	journal_room_write(JOURNAL_PUT_MATRIX, "m", 3, LARGE);
	journal_room_write(JOURNAL_PUT_MATRIX, "n", 4, LARGE);
	journal_room_end();
	cut_file("operands-a", LARGE * 4);
	cut_file("matrix-3", 0);
	if (_i) {
		char path[160];

		snprintf(path, sizeof path, "%s/payloads/operands-a",
		         disk.path);
		ck_assert_int_eq(unlink(path), 0);
	}
	disk.journal = journal_open(disk.path, &disk.e);
	ck_assert_str_eq(journal_room_rows(disk.journal), _i ?
	                 "a 1 accepted 0 0 - text-of-a  not-found -\n"
	                 "b 2 accepted 0 0 - text-of-b  5000 -\n"
	                 "m 3 text-of-m bad-matrix\n"
	                 "n 4 text-of-n 5000\n" :
	                 "a 1 accepted 0 0 - text-of-a  bad-matrix -\n"
	                 "b 2 accepted 0 0 - text-of-b  5000 -\n"
	                 "m 3 text-of-m bad-matrix\n"
	                 "n 4 text-of-n 5000\n");
	ck_assert(journal_room_has("matrix-3.damaged"));
	ck_assert_int_eq(journal_room_has("operands-a.damaged"), !_i);
}
END_TEST

/* A journal whose payload directory was removed still has its rows. It creates
 * the directory again for the next entry. */
START_TEST(a_lost_directory_is_made_again)
{
	char command[96];

	journal_room_begin();
	journal_room_write(JOURNAL_ADD_JOB, "a", 1, LARGE);
	journal_room_write(JOURNAL_ADD_JOB, "b", 2, SMALL);
	journal_room_end();
	snprintf(command, sizeof command, "rm -r %s/payloads", disk.path);
	ck_assert_int_eq(system(command), 0);
	journal_room_begin();
	journal_room_write(JOURNAL_ADD_JOB, "c", 3, LARGE);
	journal_room_end();
	disk.journal = journal_open(disk.path, &disk.e);
	ck_assert_str_eq(journal_room_rows(disk.journal),
	                 "a 1 accepted 0 0 - text-of-a  not-found -\n"
	                 "b 2 accepted 0 0 - text-of-b  4 -\n"
	                 "c 3 accepted 0 0 - text-of-c  5000 -\n");
}
END_TEST

/* The edges of the interface: reading an empty payload opens no file, a payload
 * larger than any memory is not inlined in the database, and a service without
 * a journal reports no failure of one. */
START_TEST(payloads_at_the_limits)
{
	const struct journal_packed empty = { .bytes = "" };
	const struct matrix impossible = {
		.dtype = FLOAT64, .ndim = 1, .dim = { SIZE_MAX },
	};
	size_t n = 1;

	journal_room_begin();
	ck_ok(journal_unpack(disk.journal, &empty, "it", NULL, 0, &n,
	                     test_pool, &disk.e), &disk.e);
	ck_assert_uint_eq(n, 0);
	ck_assert(journal_is_large(&impossible, 1));
	ck_assert(journal_is_well(NULL, &disk.e));
}
END_TEST

TCase *tcase_journal_files(void)
{
	TCase *c = tcase_create("journal_files");

	tcase_add_checked_fixture(c, journal_room_open, journal_room_close);
	tcase_add_test(c, files_go_with_what_they_belong_to);
	tcase_add_test(c, orphans_are_swept);
	tcase_add_test(c, a_damaged_file_is_set_aside);
	tcase_add_loop_test(c, a_lost_or_truncated_file_is_told, 0, 2);
	tcase_add_test(c, a_lost_directory_is_made_again);
	tcase_add_test(c, payloads_at_the_limits);
	return c;
}
