/* schema.h - the tables of the journal's database, and its statements in SQL;
 * for database.c alone. */
#ifndef JOURNAL_SCHEMA_H
#define JOURNAL_SCHEMA_H

#include "journal/database.h"

enum { SCHEMA_STATEMENTS = 2 };		/* of a verb, at most */

/* Row i brings a database of version i to i + 1; ended by NULL. */
extern const char *const schema_versions[];
/* The statements of each verb, in order; NULL: none. */
extern const char *const schema_verbs[JOURNAL_VERB_COUNT][SCHEMA_STATEMENTS];
extern const char *const schema_dropped[JOURNAL_VERB_COUNT];
extern const char *const schema_tables[];

#endif
