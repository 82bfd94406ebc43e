/* pg_state.h - struct pg, private to src/fleet/pg*.c. */
#ifndef FLEET_PG_STATE_H
#define FLEET_PG_STATE_H

#include <libpq-fe.h>

#include "fleet/pg.h"

enum { PG_RETRY_SECONDS = 1 };

struct pg {
	const char *url, *name;
	PGconn *connection;		/* NULL: it is closed */
	bool prepared[STATEMENT_COUNT];	/* on this connection */
};

/* Sets *e to the message of a result or, if r is NULL, of the connection;
 * `what` names the statement that failed. Frees r, closes the connection if it
 * is lost, and returns -1. */
int pg_fail(struct pg *p, const char *what, PGresult *r, struct err *e);

/* Executes SQL without parameters on an open connection; `what` names it in an
 * error. */
int pg_run(struct pg *p, const char *sql, const char *what, struct err *e);

#endif
