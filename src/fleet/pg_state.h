/* pg_state.h - a connection, for src/fleet/pg*.c alone. */
#ifndef FLEET_PG_STATE_H
#define FLEET_PG_STATE_H

#include <libpq-fe.h>

#include "fleet/pg.h"

enum { PG_RETRY_SECONDS = 1 };

struct pg {
	const char *url, *name;
	PGconn *connection;		/* NULL: it is closed */
	bool prepared[STATEMENT_COUNT];	/* in this session */
};

/* Fills in what a result says, or what the connection says if there is none,
 * and takes the result; closes a connection that is lost. Returns -1. */
int pg_fail(struct pg *p, const char *what, PGresult *r, struct err *e);

/* Executes statements without parameters; `what` names them in an error. */
int pg_run(struct pg *p, const char *sql, const char *what, struct err *e);

#endif
