/* database.h - the journal's SQLite database: its schema and its statements.
 * Only src/journal includes this. One thread at a time may call it. */
#ifndef JOURNAL_DATABASE_H
#define JOURNAL_DATABASE_H

#include "journal/journal_read.h"

struct database;

struct database *database_open(const char *path, struct err *e);
void database_close(struct database *d);	/* NULL is fine */

/* begin, write ..., commit: ERR_STATE as soon as the system refuses; the
 * transaction is then rolled back. */
int database_begin(struct database *d, struct err *e);
int database_write(struct database *d, struct journal_row *r, struct err *e);
/* Writes a random number, to find out whether the disk accepts writes. */
int database_touch(struct database *d, struct err *e);
int database_commit(struct database *d, struct err *e);
void database_roll_back(struct database *d);

enum database_table { DATABASE_JOBS, DATABASE_MATRICES, DATABASE_PIPELINES };

int database_read(struct database *d, enum database_table t,
                  journal_visit *fn, void *arg, struct err *e);

/* Has jobs that ran wait again: see journal_read.h. */
int database_lose_runs(struct database *d, const char *moment, struct err *e);

/* Sets *n to the number that the database keeps under a name. */
int database_number(const struct database *d, const char *name, int64_t *n,
                    struct err *e);

#endif
