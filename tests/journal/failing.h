/* failing.h - makes one call of the test's process fail: a call by our objects
 * of an allocator, of a function on files, or of one that makes mappings and
 * threads (tests/faults/faulty.c), or a call by SQLite of its allocator or its
 * VFS. A write that fails because the disk is full has written half of its
 * bytes. */
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

/* Makes the next call of that kind fail if `at` is 1, the one after it if `at`
 * is 2, and so on. Until failing_end() the test must not call Check, which
 * needs memory and files, too. */
void failing_at(enum failing f, int at);

/* Makes every call of SQLite's VFS that may write fail, or none. */
void failing_disk(bool full);

/* Has a call failed since failing_at() or failing_disk()? */
bool failing_met(void);

/* Makes no call fail any more. Returns what failing_met() was before. */
bool failing_end(void);

/* Returns the lowest free descriptor, which is a higher one if one leaks. */
int failing_next_fd(void);

#endif
