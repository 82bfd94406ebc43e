/* journal_torn.c - SQLite's write-ahead log is truncated, as after a power
 * failure, or one of its bytes is changed. The journal then has every entry
 * before that place, whole, and no entry after it. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/journal/journal_room.h"

enum { JOBS = 5, SMALL = 4 };

static char log_path[160], copy[80];

static off_t log_size(void)
{
	struct stat st;

	ck_assert_int_eq(stat(log_path, &st), 0);
	return st.st_size;
}

/* The size of the log before the first job, and after each job. */
static off_t size[JOBS + 1];

static void setup(void)
{
	journal_room_open();
	journal_room_begin();
	snprintf(log_path, sizeof log_path, "%s/journal.sqlite-wal",
	         disk.path);
	snprintf(copy, sizeof copy, "%s-copy", disk.path);
	size[0] = log_size();
	for (int i = 1; i <= JOBS; i++) {
		char name[16];

		snprintf(name, sizeof name, "job%d", i);
		journal_room_write(JOURNAL_ADD_JOB, name, i, SMALL);
		size[i] = log_size();
		ck_assert_int_gt(size[i], size[i - 1]);
	}
}

static void teardown(void)
{
	char command[96];

	snprintf(command, sizeof command, "rm -rf %s", copy);
	ck_assert_int_eq(system(command), 0);
	journal_room_close();
}

/* Copies the directory and damages the log of the copy at that byte. */
static void damage(off_t at, bool flip)
{
	char command[280], path[160], byte;
	int fd;

	snprintf(command, sizeof command, "rm -rf %s; cp -r %s %s", copy,
	         disk.path, copy);
	ck_assert_int_eq(system(command), 0);
	snprintf(path, sizeof path, "%s/journal.sqlite-wal", copy);
	fd = open(path, O_RDWR);
	ck_assert_int_ge(fd, 0);
	if (flip) {
		ck_assert_int_eq(pread(fd, &byte, 1, at), 1);
		byte ^= 0x10;
		ck_assert_int_eq(pwrite(fd, &byte, 1, at), 1);
	} else {
		ck_assert_int_eq(ftruncate(fd, at), 0);
	}
	close(fd);
}

static void ck_jobs(int n)
{
	struct err e = { 0 };
	struct journal *j = journal_open(copy, &e);
	struct text expected = { 0 };

	ck_assert_msg(j != NULL, "%s", e.text);
	for (int i = 1; i <= n; i++)
		text_printf(&expected, "job%d %d accepted 0 0 - text-of-job%d "
		            " 4 -\n", i, i, i);
	ck_assert_str_eq(journal_room_rows(j), n ? expected.data : "");
	text_fini(&expected);
	journal_close(j);
}

START_TEST(what_is_before_a_torn_place_is_there)
{
	for (int i = 1; i <= JOBS; i++) {
		const off_t places[] = {
			size[i - 1], size[i - 1] + 30,
			(size[i - 1] + size[i]) / 2, size[i] - 1,
		};

		for (size_t k = 0; k < COUNT(places); k++) {
			damage(places[k], _i);
			ck_jobs(i - 1);
		}
	}
}
END_TEST

/* A journal that was opened with a torn log accepts entries. */
START_TEST(a_torn_log_is_written_again)
{
	struct journal *const whole = disk.journal;

	damage(size[JOBS] - 1, _i);
	disk.journal = journal_open(copy, &disk.e);
	ck_assert_msg(disk.journal != NULL, "%s", disk.e.text);
	ck_ok(journal_start(disk.journal, disk.loop, &disk.e), &disk.e);
	journal_room_write(JOURNAL_ADD_JOB, "job5", 5, SMALL);
	journal_room_end();
	disk.journal = whole;
	ck_jobs(JOBS);
}
END_TEST

TCase *tcase_journal_torn(void)
{
	TCase *c = tcase_create("journal_torn");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_loop_test(c, what_is_before_a_torn_place_is_there, 0, 2);
	tcase_add_loop_test(c, a_torn_log_is_written_again, 0, 2);
	return c;
}
