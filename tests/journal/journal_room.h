/* journal_room.h - what the tests of the journal share: a journal in a
 * directory of its own, entries for it, and what a journal of a directory
 * holds. */
#ifndef TESTS_JOURNAL_JOURNAL_ROOM_H
#define TESTS_JOURNAL_JOURNAL_ROOM_H

#include "base/clock.h"
#include "base/loop.h"
#include "journal/journal_read.h"
#include "tests/test.h"

enum { JOURNAL_TOLD = 256 };

/* The state of the test that runs. */
struct journal_room {
	char path[64];
	struct loop *loop;
	struct journal *journal;
	struct err e;
	size_t used_before;
	/* The entries' numbers, in the order in which their then() was called,
	 * and what it was told. */
	int told[JOURNAL_TOLD], n_told;
	enum err_code code[JOURNAL_TOLD];
};
extern struct journal_room disk;

void journal_room_open(void);		/* fixtures */
void journal_room_close(void);

/* Open the directory's journal, and begin to write; close it. */
void journal_room_begin(void);
void journal_room_end(void);

/* Lets the loop run for a moment. */
void journal_room_run(void);

#define UNTIL_TOLD(n)                                                    \
	do {                                                             \
		const int64_t until = clock_ns() + INT64_C(180000000000); \
		while (disk.n_told < (n)) {                              \
			ck_assert_msg(clock_ns() < until, "never told"); \
			journal_room_run();                              \
		}                                                        \
	} while (0)

/* Makes an entry of one row, whose then() notes its number. */
struct journal_entry *journal_room_entry(int number, enum journal_verb verb,
                                         const char *name, int64_t of_row);

/* Gives the row n numbers as its payload: 16 KiB and more are a file. */
void journal_room_give(struct journal_entry *e, size_t n);

/* Submits an entry of one row and waits for its end, which is a success. */
void journal_room_write(enum journal_verb verb, const char *name,
                        int64_t of_row, size_t payload);

/* The rows of a journal as lines, "id serial state epoch attempts key request
 * answer operands results" each, of a matrix "name version text elements", of a
 * pipeline "name text"; payloads by their number of elements, `-` if there is
 * none. In static memory. */
const char *journal_room_rows(struct journal *j);

/* Is the file there? */
bool journal_room_has(const char *file);

#endif
