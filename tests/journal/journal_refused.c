/* journal_refused.c - a disk that refuses to write: what may be refused is,
 * what must be written is written later, and whether the disk writes is
 * told. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "tests/journal/journal_room.h"

enum { LARGE = 5000 };

/* Calls of payload files are counted from 0; those from `first` on, `many` of
 * them, fail. The journal's thread makes them. */
static _Atomic int first, many, calls;
static struct payload_calls honest;
static int retry_ms;

static bool fails(void)
{
	const int i = calls++;

	errno = ENOSPC;
	return i >= first && i - first < many;
}

static int open_or_fail(int dir, const char *name, int flags, ...)
{
	va_list more;
	mode_t mode;

	va_start(more, flags);
	mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
	va_end(more);
	return fails() ? -1 : openat(dir, name, flags, mode);
}

static ssize_t write_or_fail(int fd, const void *bytes, size_t n)
{
	return fails() ? -1 : write(fd, bytes, n);
}

static int fdatasync_or_fail(int fd)
{
	return fails() ? -1 : fdatasync(fd);
}

static int fsync_or_fail(int fd)
{
	return fails() ? -1 : fsync(fd);
}

static int rename_or_fail(int from_dir, const char *from, int to_dir,
                          const char *to)
{
	return fails() ? -1 : renameat(from_dir, from, to_dir, to);
}

static void setup(void)
{
	retry_ms = journal_retry_ms;
	journal_retry_ms = 10;
	journal_room_open();
	journal_room_begin();
	honest = payload_calls;
	payload_calls.openat = open_or_fail;
	payload_calls.write = write_or_fail;
	payload_calls.fdatasync = fdatasync_or_fail;
	payload_calls.fsync = fsync_or_fail;
	payload_calls.renameat = rename_or_fail;
	calls = first = many = 0;
}

static void teardown(void)
{
	payload_calls = honest;
	journal_room_close();
	journal_retry_ms = retry_ms;
}

static void fail_from(int i, int n)
{
	calls = 0;
	first = i;
	many = n;
}

static bool is_well(void)
{
	return journal_is_well(disk.journal, &(struct err){ 0 });
}

static void until_well(void)
{
	const int64_t until = clock_ns() + INT64_C(180000000000);

	while (!is_well()) {
		ck_assert_msg(clock_ns() < until, "never well again");
		journal_room_run();
	}
}

static struct journal_entry *large(int i, enum journal_verb verb)
{
	char name[16];
	struct journal_entry *e;

	snprintf(name, sizeof name, "job%d", i);
	e = journal_room_entry(i, verb, name, i + 1);
	journal_room_give(e, LARGE);
	return e;
}

/* Returns the number of calls that the file of an entry takes. */
static int count_calls(void)
{
	fail_from(0, 0);
	journal_submit(disk.journal, large(0, JOURNAL_ADD_JOB));
	UNTIL_TOLD(1);
	ck_assert_int_eq(disk.code[0], ERR_NONE);
	return calls;
}

/* Each call of writing the file fails once; the journal is then well as soon as
 * it has found out that the disk writes. */
START_TEST(an_entry_that_may_be_refused_is)
{
	const int n = count_calls();

	ck_assert_int_ge(n, 5);
	for (int i = 0; i < n; i++) {
		struct err why = { 0 };
		const int told = disk.n_told;

		fail_from(i, 1);
		journal_submit(disk.journal, large(i + 1, JOURNAL_ADD_JOB));
		UNTIL_TOLD(told + 1);
		ck_assert_int_eq(disk.code[told], ERR_STATE);
		if (!journal_is_well(disk.journal, &why)) {
			ck_assert_ptr_nonnull(strstr(why.text,
			                             strerror(ENOSPC)));
			ck_assert_uint_ge(why.retry_s, 1);
		}
		until_well();
	}
	journal_room_end();
	disk.journal = journal_open(disk.path, &disk.e);
	ck_assert_str_eq(journal_room_rows(disk.journal),
	                 "job0 1 accepted 0 0 - text-of-job0  5000 -\n");
}
END_TEST

/* It is tried again until the disk takes it, and what comes after it waits. */
START_TEST(an_entry_that_must_be_written_is_written_later)
{
	struct journal_entry *e, *after;

	count_calls();
	fail_from(0, 2);
	e = large(1, JOURNAL_ADD_JOB);
	e->must = true;
	journal_submit(disk.journal, e);
	while (calls == 0)
		journal_room_run();
	after = journal_room_entry(2, JOURNAL_BEGIN_JOB, "job1", 1);
	after->must = after->ordered = true;
	journal_submit(disk.journal, after);
	UNTIL_TOLD(3);
	ck_assert_int_eq(disk.told[1], 1);
	ck_assert_int_eq(disk.told[2], 2);
	ck_assert_int_eq(disk.code[1], ERR_NONE);
	ck_assert_int_eq(disk.code[2], ERR_NONE);
	ck_assert_int_ge(calls, 3);
	until_well();
	journal_room_end();
	disk.journal = journal_open(disk.path, &disk.e);
	ck_assert_str_eq(journal_room_rows(disk.journal),
	                 "job0 1 accepted 0 0 - text-of-job0  5000 -\n"
	                 "job1 2 accepted 2 1 - text-of-job1  5000 -\n");
}
END_TEST

/* From now on the disk refuses files, and entry 1, which must be written, waits
 * for it. */
static void refuse_files(void)
{
	struct journal_entry *e = large(1, JOURNAL_ADD_JOB);

	fail_from(0, 1 << 30);
	e->must = true;
	journal_submit(disk.journal, e);
	while (is_well())
		journal_room_run();
}

START_TEST(an_entry_that_frees_space_overtakes_one_that_is_refused)
{
	struct journal_entry *frees;

	refuse_files();
	frees = journal_room_entry(2, JOURNAL_REMOVE_JOB, "job0", 0);
	frees->frees = frees->ordered = true;
	journal_submit(disk.journal, frees);
	UNTIL_TOLD(1);
	ck_assert_int_eq(disk.told[0], 2);
	ck_assert_int_eq(disk.code[0], ERR_NONE);
	fail_from(0, 0);
	UNTIL_TOLD(2);
	ck_assert_int_eq(disk.told[1], 1);
	ck_assert_int_eq(disk.code[1], ERR_NONE);
}
END_TEST

/* While it is sick, small entries are refused, too, at once. */
START_TEST(a_sick_journal_accepts_nothing)
{
	struct err why = { 0 };

	refuse_files();
	ck_assert(!journal_is_well(disk.journal, &why));
	ck_assert_int_eq(why.code, ERR_STATE);
	fail_from(0, 0);
	until_well();
	UNTIL_TOLD(1);
	ck_assert_int_eq(disk.code[0], ERR_NONE);
}
END_TEST

/* The database can be written all the time, which does not make the journal
 * well while files cannot be. */
START_TEST(a_journal_stays_sick_while_files_are_refused)
{
	int tries;

	fail_from(0, 1 << 30);
	journal_submit(disk.journal, large(1, JOURNAL_ADD_JOB));
	UNTIL_TOLD(1);
	ck_assert_int_eq(disk.code[0], ERR_STATE);
	tries = calls;
	while (calls < tries + 3) {
		ck_assert(!is_well());
		journal_room_run();
	}
	fail_from(0, 0);
	until_well();
	journal_submit(disk.journal, large(2, JOURNAL_ADD_JOB));
	UNTIL_TOLD(2);
	ck_assert_int_eq(disk.code[1], ERR_NONE);
}
END_TEST

/* The process may end while the disk refuses: what could not be written is told
 * so. */
START_TEST(closing_gives_up_what_the_disk_refuses)
{
	refuse_files();
	journal_room_end();
	ck_assert_int_eq(disk.n_told, 1);
	ck_assert_int_eq(disk.code[0], ERR_STATE);
}
END_TEST

TCase *tcase_journal_refused(void)
{
	TCase *c = tcase_create("journal_refused");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, an_entry_that_may_be_refused_is);
	tcase_add_test(c, an_entry_that_must_be_written_is_written_later);
	tcase_add_test(c,
	    an_entry_that_frees_space_overtakes_one_that_is_refused);
	tcase_add_test(c, a_sick_journal_accepts_nothing);
	tcase_add_test(c, a_journal_stays_sick_while_files_are_refused);
	tcase_add_test(c, closing_gives_up_what_the_disk_refuses);
	return c;
}
