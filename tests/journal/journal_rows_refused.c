/* journal_rows_refused.c - SQLite or the allocator fails while the journal
 * writes rows. Every entry reported as written is in the database, every entry
 * reported as refused is not, and the next entry is written. */
#include <stdio.h>
#include <unistd.h>

#include "tests/journal/failing.h"
#include "tests/journal/journal_room.h"

enum { SMALL = 4, LARGE = 5000 };

static int retry_ms;

static void setup(void)
{
	retry_ms = journal_retry_ms;
	journal_retry_ms = 10;
	journal_room_open();
	failing_setup();
	journal_room_begin();
}

static void teardown(void)
{
	failing_end();
	journal_room_end();
	failing_teardown();
	journal_room_close();
	journal_retry_ms = retry_ms;
}

static bool is_well(void)
{
	return journal_is_well(disk.journal, &(struct err){ 0 });
}

#define UNTIL(condition)                                                    \
	do {                                                                \
		const int64_t until_ns = clock_ns() + INT64_C(180000000000); \
		while (!(condition)) {                                      \
			ck_assert_msg(clock_ns() < until_ns, #condition);   \
			journal_room_run();                                 \
		}                                                           \
	} while (0)

static struct journal_entry *entry(int i, enum journal_verb verb,
                                   const char *name, size_t payload)
{
	struct journal_entry *e = journal_room_entry(i, verb, name, i);

	journal_room_give(e, payload);
	return e;
}

static void ck_rows(const char *expected)
{
	journal_room_end();
	disk.journal = journal_open(disk.path, &disk.e);
	ck_assert_msg(disk.journal != NULL, "%s", disk.e.text);
	ck_assert_str_eq(journal_room_rows(disk.journal), expected);
}

/* Submits entries, each with the next call of its writing failing, until an
 * entry needs fewer calls than that. Calls written(number) for every entry that
 * the journal reports as written. */
static void write_with_failures(enum failing f, enum journal_verb verb,
                                size_t payload, void (*written)(int number))
{
	bool met = true;

	for (int i = 1; met; i++) {
		char name[16] = "m";

		if (verb == JOURNAL_ADD_JOB)
			snprintf(name, sizeof name, "job%d", i);
		disk.n_told = 0;
		failing_at(f, i);
		journal_submit(disk.journal, entry(i, verb, name, payload));
		UNTIL_TOLD(1);
		met = failing_end();
		ck_assert(disk.code[0] == ERR_NONE ||
		          (met && disk.code[0] == ERR_STATE));
		if (disk.code[0] == ERR_NONE)
			written(i);
		ck_assert(met || i > 1);
		UNTIL(is_well());
	}
}

static struct text expected_rows;

static void expect_job(int i)
{
	text_printf(&expected_rows, "job%d %d accepted 0 0 - text-of-job%d  "
	            "4 -\n", i, i, i);
}

/* A write of SQLite fails, or writes half of its bytes, or an fsync fails. */
START_TEST(each_call_of_adding_a_job_fails_once)
{
	write_with_failures(_i, JOURNAL_ADD_JOB, SMALL, expect_job);
	ck_rows(expected_rows.data);
	text_fini(&expected_rows);
}
END_TEST

static void expect_matrix(int i)
{
	char file[PAYLOAD_NAME];

	text_clear(&expected_rows);
	text_printf(&expected_rows, "m %d text-of-m 5000\n", i);
	journal_matrix_file(file, i);
	ck_assert(journal_room_has(file));
}

/* Whichever version of the matrix remains, its payload file remains, too. */
START_TEST(each_call_of_replacing_a_matrix_fails_once)
{
	write_with_failures(_i, JOURNAL_PUT_MATRIX, LARGE, expect_matrix);
	ck_rows(expected_rows.data);
	text_fini(&expected_rows);
}
END_TEST

/* On a full disk an entry with `must` waits. Any other entry is refused at
 * once, with the time after which the client should try again. */
START_TEST(a_full_disk_delays_what_must_be_written)
{
	struct journal_entry *e = entry(1, JOURNAL_ADD_JOB, "a", SMALL);
	struct err why = { 0 };

	failing_disk(true);
	e->must = true;
	journal_submit(disk.journal, e);
	UNTIL(!is_well());
	ck_assert(!journal_is_well(disk.journal, &why));
	ck_assert_msg(strstr(why.text, "the journal, writing: "
	                     "database or disk is full"), "%s", why.text);
	ck_assert_uint_ge(why.retry_s, 1);
	journal_submit(disk.journal, entry(2, JOURNAL_ADD_JOB, "b", SMALL));
	UNTIL_TOLD(1);
	ck_assert_int_eq(disk.told[0], 2);
	ck_assert_int_eq(disk.code[0], ERR_STATE);
	ck_assert(!is_well());
	failing_disk(false);
	UNTIL_TOLD(2);
	ck_assert_int_eq(disk.code[1], ERR_NONE);
	UNTIL(is_well());
	journal_room_write(JOURNAL_ADD_JOB, "c", 3, SMALL);
	ck_rows("a 1 accepted 0 0 - text-of-a  4 -\n"
	        "c 3 accepted 0 0 - text-of-c  4 -\n");
}
END_TEST

static void submit_freeing(int i)
{
	struct journal_entry *e = entry(i, JOURNAL_REMOVE_JOB, "b", 0);

	e->frees = e->ordered = true;
	journal_submit(disk.journal, e);
}

/* The journal tries to write an entry that makes room while the disk is full:
 * it refuses it if that fails, and writes it although it does not accept others
 * yet. */
START_TEST(a_full_disk_takes_what_makes_room)
{
	failing_disk(true);
	journal_submit(disk.journal, entry(1, JOURNAL_ADD_JOB, "a", SMALL));
	UNTIL_TOLD(1);
	submit_freeing(2);
	UNTIL_TOLD(2);
	ck_assert_int_eq(disk.told[1], 2);
	ck_assert_int_eq(disk.code[1], ERR_STATE);
	failing_disk(false);
	ck_assert(!is_well());
	submit_freeing(3);
	UNTIL_TOLD(3);
	ck_assert_int_eq(disk.told[2], 3);
	ck_assert_int_eq(disk.code[2], ERR_NONE);
}
END_TEST

/* The journal probes the disk although no entry waits to be written. */
START_TEST(a_journal_is_well_again_without_another_entry)
{
	failing_disk(true);
	journal_submit(disk.journal, entry(1, JOURNAL_ADD_JOB, "a", SMALL));
	UNTIL_TOLD(1);
	ck_assert_int_eq(disk.code[0], ERR_STATE);
	UNTIL(!is_well());
	for (int i = 0; i < 20; i++) {
		journal_room_run();
		ck_assert(!is_well());
	}
	failing_disk(false);
	UNTIL(is_well());
	ck_rows("");
}
END_TEST

/* Each allocation of SQLite fails once during the probe. The journal then takes
 * the disk for full for one more try, and no longer. */
START_TEST(a_try_may_fail_for_want_of_memory)
{
	bool met = true;

	for (int i = 1; met; i++) {
		failing_disk(true);
		journal_submit(disk.journal, entry(i, JOURNAL_ADD_JOB, "a",
		                                   SMALL));
		UNTIL(!is_well());
		failing_at(SQLITES_MEMORY, i);
		UNTIL(is_well());
		met = failing_end();
		UNTIL_TOLD(i);
		ck_assert_int_eq(disk.code[i - 1], ERR_STATE);
	}
	journal_room_write(JOURNAL_ADD_JOB, "b", 2, SMALL);
	ck_rows("b 2 accepted 0 0 - text-of-b  4 -\n");
}
END_TEST

START_TEST(closing_gives_up_what_a_full_disk_refuses)
{
	struct journal_entry *e = entry(2, JOURNAL_ADD_JOB, "b", SMALL);

	journal_room_write(JOURNAL_ADD_JOB, "a", 1, SMALL);
	failing_disk(true);
	e->must = true;
	journal_submit(disk.journal, e);
	if (_i)
		UNTIL(!is_well());
	journal_room_end();
	ck_assert_int_eq(disk.n_told, 2);
	ck_assert_int_eq(disk.code[1], ERR_STATE);
	failing_end();
	ck_rows("a 1 accepted 0 0 - text-of-a  4 -\n");
}
END_TEST

/* --- memory */

/* Submits the entry and makes the allocation fail that a thread of the journal
 * needs for it. */
static void submit_without_memory(struct journal_entry *e)
{
	const int64_t until = clock_ns() + INT64_C(180000000000);

	failing_at(OUR_MEMORY, 1);
	journal_submit(disk.journal, e);
	while (!failing_met() && clock_ns() < until)
		usleep(100);
	ck_assert(failing_end());
}

/* The entry is refused with ERR_MEMORY, and the journal accepts the next. */
START_TEST(a_lack_of_memory_refuses_one_entry)
{
	const size_t payload = _i ? LARGE : SMALL;

	submit_without_memory(entry(1, JOURNAL_ADD_JOB, "a", payload));
	UNTIL_TOLD(1);
	ck_assert_int_eq(disk.code[0], ERR_MEMORY);
	ck_assert(is_well());
	journal_submit(disk.journal, entry(2, JOURNAL_ADD_JOB, "b", payload));
	UNTIL_TOLD(2);
	ck_assert_int_eq(disk.code[1], ERR_NONE);
	ck_rows(_i ? "b 2 accepted 0 0 - text-of-b  5000 -\n" :
	             "b 2 accepted 0 0 - text-of-b  4 -\n");
}
END_TEST

START_TEST(a_lack_of_memory_delays_what_must_be_written)
{
	struct journal_entry *e = entry(1, JOURNAL_ADD_JOB, "a",
	                                _i ? LARGE : SMALL);

	e->must = true;
	submit_without_memory(e);
	UNTIL_TOLD(1);
	ck_assert_int_eq(disk.code[0], ERR_NONE);
	ck_assert(is_well());
	ck_rows(_i ? "a 1 accepted 0 0 - text-of-a  5000 -\n" :
	             "a 1 accepted 0 0 - text-of-a  4 -\n");
}
END_TEST

START_TEST(an_entry_without_memory_is_none)
{
	static const struct matrix absent = { .ndim = MATRIX_ABSENT };
	struct journal_row row = { .n = 0 };
	struct journal_entry *e;
	int taken;

	failing_at(OUR_MEMORY, 1);
	e = journal_entry_new(1);
	ck_assert(failing_end());
	ck_assert_ptr_null(e);
	journal_entry_free(e);
	failing_at(OUR_MEMORY, 1);
	taken = journal_row_take(&row, &absent, 1);
	ck_assert(failing_end());
	ck_assert_int_eq(taken, -1);
	ck_assert_uint_eq(row.n, 0);
}
END_TEST

/* --- an end */

static enum err_code late_code;

static void note_late(void *arg, const struct err *e)
{
	(void)arg;
	late_code = e->code;
}

static void submit_late(void *arg, const struct err *e)
{
	struct journal_entry *late = journal_entry_new(1);

	(void)arg;
	ck_assert_int_eq(e->code, ERR_NONE);
	late->must = true;
	late->then = note_late;
	journal_submit(disk.journal, late);
}

/* An entry that is submitted by then() while the journal closes is refused,
 * even one with `must`. */
START_TEST(a_journal_that_closes_takes_no_more)
{
	struct journal_entry *e = journal_room_entry(1, JOURNAL_ADD_JOB, "a",
	                                             1);

	e->then = submit_late;
	late_code = ERR_NONE;
	journal_submit(disk.journal, e);
	journal_room_end();
	journal_room_run();
	ck_assert_int_eq(late_code, ERR_STATE);
	ck_rows("a 1 accepted 0 0 - text-of-a  - -\n");
}
END_TEST

TCase *tcase_journal_rows_refused(void)
{
	TCase *c = tcase_create("journal_rows_refused");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_loop_test(c, each_call_of_adding_a_job_fails_once,
	                    SQLITES_MEMORY, FAILING_CALLS);
	tcase_add_loop_test(c, each_call_of_replacing_a_matrix_fails_once,
	                    SQLITES_MEMORY, FAILING_CALLS);
	tcase_add_test(c, a_full_disk_delays_what_must_be_written);
	tcase_add_test(c, a_full_disk_takes_what_makes_room);
	tcase_add_test(c, a_journal_is_well_again_without_another_entry);
	tcase_add_test(c, a_try_may_fail_for_want_of_memory);
	tcase_add_loop_test(c, closing_gives_up_what_a_full_disk_refuses, 0,
	                    2);
	tcase_add_loop_test(c, a_lack_of_memory_refuses_one_entry, 0, 2);
	tcase_add_loop_test(c, a_lack_of_memory_delays_what_must_be_written,
	                    0, 2);
	tcase_add_test(c, an_entry_without_memory_is_none);
	tcase_add_test(c, a_journal_that_closes_takes_no_more);
	return c;
}
