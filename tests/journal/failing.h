/* failing.h - calls of a test's process that fail: our own of memory, of files,
 * and of mappings and threads (tests/faults/faulty.c), SQLite's of memory and
 * files. A write that fails for want of space has written half of its bytes. */
#ifndef TESTS_JOURNAL_FAILING_H
#define TESTS_JOURNAL_FAILING_H

#include <stdbool.h>

enum failing {
	OUR_MEMORY, OUR_FILES, SQLITES_MEMORY, SQLITES_FILES,
	FAILING_CALLS,
	OUR_SYSTEM = FAILING_CALLS,
	FAILING_COUNT
};

/* Fixtures. SQLite must be idle. */
void failing_setup(void);
void failing_teardown(void);

/* The calls of that kind are counted from here on; the one of number `at`, from
 * 1 on, fails. Until failing_end() the test must not check anything: Check
 * needs memory and files, too. */
void failing_at(enum failing f, int at);

/* From here on, every call of SQLite's on files that may write fails. */
void failing_disk(bool full);

/* Has one failed since? */
bool failing_met(void);

/* From here on nothing fails. Returns failing_met(). */
bool failing_end(void);

/* The number of the next descriptor: it grows if one leaks. */
int failing_next_fd(void);

#endif
