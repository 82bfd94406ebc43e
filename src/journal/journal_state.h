/* journal_state.h - the journal's state, for src/journal/journal*.c alone. */
#ifndef JOURNAL_JOURNAL_STATE_H
#define JOURNAL_JOURNAL_STATE_H

#include <pthread.h>

#include "journal/database.h"

/* Entries, the oldest first. */
struct line {
	struct journal_entry *first, **end;
};

/* Whether the disk takes what a thread writes. */
struct health {
	bool sick;
	struct err why;			/* why it is sick */
};

struct journal {
	struct payloads *payloads;
	struct database *database;
	struct loop *loop;
	uint64_t identity;
	int64_t version;
	bool started, closed;
	pthread_t files_thread, rows_thread;
	pthread_mutex_t lock;		/* guards all below */
	pthread_cond_t changed;
	struct line files, rows;	/* what each thread has to do */
	bool files_busy;		/* the thread has an entry in hand */
	bool closing;
	struct health files_health, rows_health;
};

enum { JOURNAL_RETRY_SECONDS = 1 };

/* Append an entry, and take the first one, or NULL. */
void line_append(struct line *l, struct journal_entry *e);
struct journal_entry *line_take(struct line *l);

/* The lock is held. The health of the thread that is sick, or NULL. */
const struct health *journal_sickness(const struct journal *j);

/* The entry is done with: its then() is called on the loop's thread. */
void journal_end_entry(struct journal *j, struct journal_entry *e,
                       const struct err *why);

/* The threads: of files, and of rows; arg is the journal. */
void *journal_files_main(void *arg);
void *journal_rows_main(void *arg);

#endif
