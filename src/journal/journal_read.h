/* journal_read.h - what a journal holds when a process starts.
 *
 * To be used between journal_open() and journal_start(). Rows come in the order
 * in which their jobs were accepted. A job that ran when the process ended
 * comes as an accepted one, with one attempt more, and its `history` names the
 * time.
 */
#ifndef JOURNAL_JOURNAL_READ_H
#define JOURNAL_JOURNAL_READ_H

#include "journal/journal.h"

/* A row. All strings are valid during the callback alone; those that a table
 * does not have are "". */
struct journal_found {
	const char *tenant, *name, *key, *state;
	const char *text;		/* of a job: its request */
	const char *answer, *history;
	int64_t number;			/* the serial, the version */
	int64_t epoch;
	int attempts;			/* runs that a process's end cut off */
	/* The payloads: a job's operands and its results, a matrix; NULL bytes
	 * with a file's name: it is in that file. */
	struct journal_packed {
		const void *bytes;
		size_t size;
		char file[PAYLOAD_NAME];
	} payload, results;
};

/* Call fn(arg, row) for each job, stored matrix or saved pipeline. Ends at fn's
 * first -1, and returns it. */
typedef int journal_visit(void *arg, const struct journal_found *f,
                          struct err *e);
int journal_read_jobs(struct journal *j, journal_visit *fn, void *arg,
                      struct err *e);
int journal_read_matrices(struct journal *j, journal_visit *fn, void *arg,
                          struct err *e);
int journal_read_pipelines(struct journal *j, journal_visit *fn, void *arg,
                           struct err *e);

/* Reads a payload of at most `most` matrices into m[0 .. *n), which the caller
 * frees. A file that is damaged is set aside. Errors as payload_read()'s. */
int journal_unpack(struct journal *j, const struct journal_packed *p,
                   const char *what, struct matrix *m, size_t most, size_t *n,
                   struct memory_pool *pool, struct err *e);

/* Removes the files that no row names. */
int journal_sweep(struct journal *j, struct err *e);

#endif
