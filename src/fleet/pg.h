/* pg.h - a connection to the fleet's PostgreSQL database.
 *
 * All functions block, so they are never called on the loop's thread; one
 * thread at a time may use a connection. pg_ask(), pg_begin() and the functions
 * built on them open the connection if it is closed, also after it was lost.
 * Every function that fails returns -1 or NULL with ERR_STATE (ERR_MEMORY
 * without memory). Its message never contains the URL, because that may contain
 * a password.
 */
#ifndef FLEET_PG_H
#define FLEET_PG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "fleet/statements.h"

struct pg;
struct pg_answer;

/* Checks that a URL, or a connection string of libpq, can be parsed; -1 with
 * ERR_PARAMETER. */
int pg_check(const char *url, struct err *e);

/* Makes a connection, which is closed at first. It borrows both strings; the
 * name is shown in the server's list of connections. */
struct pg *pg_new(const char *url, const char *name, struct err *e);
void pg_free(struct pg *p);			/* NULL is fine */

/* Opens the connection unless it is open. `listens`: also subscribes it to the
 * fleet's notifications. */
int pg_open(struct pg *p, bool listens, struct err *e);
void pg_close(struct pg *p);
bool pg_is_open(const struct pg *p);
int pg_socket(const struct pg *p);		/* -1 if it is closed */

/* Creates the schema, or brings it up to date. ERR_CONFLICT if the database has
 * the schema of a newer version of linalgd. */
int pg_migrate(struct pg *p, struct err *e);

/* A statement's parameter, which borrows what it points to. */
struct pg_value {
	const void *data;		/* NULL: SQL's NULL */
	size_t n;			/* bytes, if it is binary */
	bool binary;			/* bytea; else text, ended by a NUL */
};
struct pg_value pg_text(const char *s);
struct pg_value pg_bytes(const void *bytes, size_t n);
/* Writes the number in decimal to `digits`, and makes a parameter of that. */
enum { PG_DIGITS = 24 };
struct pg_value pg_number(int64_t n, char digits[PG_DIGITS]);

/* Executes a statement with its parameters and returns the rows of its result,
 * which the caller frees. */
struct pg_answer *pg_ask(struct pg *p, enum statement s,
                         const struct pg_value *v, struct err *e);
/* Executes a statement and returns how many rows its result has. */
int pg_count(struct pg *p, enum statement s, const struct pg_value *v,
             struct err *e);
/* Executes a statement and ignores the rows of its result. */
int pg_do(struct pg *p, enum statement s, const struct pg_value *v,
          struct err *e);
void pg_answer_free(struct pg_answer *a);	/* NULL is fine */

int pg_rows(const struct pg_answer *a);
/* A column's value, with a NUL after its end; "" if the value is NULL. */
const char *pg_get(const struct pg_answer *a, int row, int column);
size_t pg_length(const struct pg_answer *a, int row, int column);
bool pg_is_null(const struct pg_answer *a, int row, int column);
int64_t pg_integer(const struct pg_answer *a, int row, int column);

/* Begins and ends a transaction. pg_roll_back() reports no error, because the
 * server rolls back by itself when the connection is lost. */
int pg_begin(struct pg *p, struct err *e);
int pg_commit(struct pg *p, struct err *e);
void pg_roll_back(struct pg *p);
/* Commits if rc, the result of the transaction's statements, is 0; otherwise
 * rolls back and returns -1. */
int pg_end(struct pg *p, int rc, struct err *e);

/* Executes a statement whose rows are read one by one as they arrive, so that
 * they need not fit into memory together. pg_stream_next() returns the next
 * row, which the caller frees; NULL after the last one (then e->code is
 * ERR_NONE), or with *e. pg_stream_end() drops rows that were not read. */
int pg_stream(struct pg *p, enum statement s, const struct pg_value *v,
              struct err *e);
struct pg_answer *pg_stream_next(struct pg *p, struct err *e);
void pg_stream_end(struct pg *p);

/* Reads what has arrived on the socket, and calls fn with the channel and the
 * text of each notification. -1 if the connection was lost. */
int pg_notifications(struct pg *p,
                     void (*fn)(void *arg, const char *channel,
                                const char *text), void *arg, struct err *e);

#endif
