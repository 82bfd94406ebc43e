/* pg.h - a connection to the fleet's PostgreSQL database.
 *
 * A connection is used by one thread at a time, and blocks it: never the
 * loop's. It is opened by the first use, and again by the first use after it
 * was lost. Every function that fails returns -1 or NULL with ERR_STATE; the
 * message never holds the URL, which may have a password.
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

/* Checks a URL (or a libpq connection string); -1 with ERR_PARAMETER. */
int pg_check(const char *url, struct err *e);

struct pg *pg_new(const char *url, const char *name, struct err *e);
void pg_free(struct pg *p);			/* NULL is fine */

/* Opens the connection unless it is open; listens: it is to be notified. */
int pg_open(struct pg *p, bool listens, struct err *e);
void pg_close(struct pg *p);
bool pg_is_open(const struct pg *p);
int pg_socket(const struct pg *p);		/* -1: it is closed */

/* Brings the schema up to date. ERR_STATE with a schema of a newer version. */
int pg_migrate(struct pg *p, struct err *e);

/* A parameter: text, bytes if n is not 0, or NULL. */
struct pg_value {
	const void *data;
	size_t n;
	bool binary;
};
struct pg_value pg_text(const char *s);		/* NULL: NULL */
struct pg_value pg_bytes(const void *bytes, size_t n);
/* The number's digits are in room. */
enum { PG_DIGITS = 24 };
struct pg_value pg_number(int64_t n, char room[PG_DIGITS]);

/* Executes a statement with its parameters; the answer is to be freed. */
struct pg_answer *pg_ask(struct pg *p, enum statement s,
                         const struct pg_value *v, struct err *e);
/* The same, without an answer. */
int pg_do(struct pg *p, enum statement s, const struct pg_value *v,
          struct err *e);
void pg_answer_free(struct pg_answer *a);	/* NULL is fine */

int pg_rows(const struct pg_answer *a);
/* A column's value, "" if it is NULL, with a NUL after its end. */
const char *pg_get(const struct pg_answer *a, int row, int column);
size_t pg_length(const struct pg_answer *a, int row, int column);
bool pg_is_null(const struct pg_answer *a, int row, int column);
int64_t pg_integer(const struct pg_answer *a, int row, int column);

/* A transaction. pg_roll_back() needs no error: a lost connection has rolled
 * back, too. */
int pg_begin(struct pg *p, struct err *e);
int pg_commit(struct pg *p, struct err *e);
void pg_roll_back(struct pg *p);

/* Reads the rows of a statement one by one, as they arrive: begin; next: the
 * row, NULL at the end (e->code is ERR_NONE) or with *e. Every row is to be
 * freed, and next to be called until NULL, or pg_stream_end() then. */
int pg_stream(struct pg *p, enum statement s, const struct pg_value *v,
              struct err *e);
struct pg_answer *pg_stream_next(struct pg *p, struct err *e);
void pg_stream_end(struct pg *p);

/* Takes notifications that have arrived: calls fn for each, with its channel
 * and its text. -1: the connection is lost. */
int pg_notifications(struct pg *p,
                     void (*fn)(void *arg, const char *channel,
                                const char *text), void *arg, struct err *e);

#endif
