/* pg.c - see pg.h: opens and closes connections, migrates the schema, begins
 * and ends transactions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/pg_state.h"

/* Parameters of the connection unless the URL sets them. With these, a database
 * server that has vanished is noticed within half a minute. */
static const struct { const char *name, *value; } defaults[] = {
	{ "connect_timeout", "10" },
	{ "keepalives_idle", "10" },
	{ "keepalives_interval", "5" },
	{ "keepalives_count", "3" },
	{ "tcp_user_timeout", "20000" },
};
enum { DEFAULTS = sizeof defaults / sizeof defaults[0] };

/* The timeouts bound every statement, and end the open transaction of a process
 * that was stopped (SIGSTOP). Every statement is written to find few rows by an
 * index. The planner is kept from other plans, which it would choose while it
 * has no statistics of a queue that has just grown; and from a new plan for
 * each execution, which takes longer than to claim a job. */
static const char session[] =
	"SET enable_seqscan = off; SET enable_bitmapscan = off;"
	"SET enable_sort = off; SET enable_hashjoin = off;"
	"SET enable_mergejoin = off; SET jit = off;"
	"SET plan_cache_mode = force_generic_plan;"
	"SET statement_timeout = '60s'; SET lock_timeout = '20s';"
	"SET idle_in_transaction_session_timeout = '60s';"
	"SET client_min_messages = warning; SET standard_conforming_strings = "
	"on";

static const char listening[] =
	"LISTEN linalgd_job; LISTEN linalgd_end; LISTEN linalgd_cancel";

/* Was the connection lost? PQstatus() alone does not tell: libpq may still call
 * a connection good after it has noticed the loss. But an error that libpq
 * itself reports has no SQLSTATE, and a server that shuts down reports one of
 * class 57P. */
static bool is_lost(const struct pg *p, const PGresult *r)
{
	const char *state = r ? PQresultErrorField(r, PG_DIAG_SQLSTATE) : NULL;

	return PQstatus(p->connection) == CONNECTION_BAD || !state ||
	       strncmp(state, "57P", 3) == 0;
}

static void drop_notice(void *arg, const char *message)
{
	(void)arg;
	(void)message;
}

int pg_fail(struct pg *p, const char *what, PGresult *r, struct err *e)
{
	const char *said = r ? PQresultErrorMessage(r) :
	                       PQerrorMessage(p->connection);
	const size_t n = strcspn(said, "\n");
	const bool lost = is_lost(p, r);

	err_set(e, ERR_STATE, "the queue's database, %s: %.*s", what,
	        n < 160 ? (int)n : 160, n ? said : "the connection was lost");
	e->retry_s = PG_RETRY_SECONDS;
	PQclear(r);
	if (lost)
		pg_close(p);
	return -1;
}

int pg_check(const char *url, struct err *e)
{
	char *why = NULL;
	PQconninfoOption *o = PQconninfoParse(url, &why);

	if (!o)
		err_set(e, ERR_PARAMETER, "--queue is no URL of a PostgreSQL "
		        "database, as in postgres://user@host/database%s",
		        strncmp(url, "postgres", 8) ? "" :
		        ": it cannot be parsed");
	PQconninfoFree(o);
	PQfreemem(why);
	return o ? 0 : -1;
}

struct pg *pg_new(const char *url, const char *name, struct err *e)
{
	struct pg *p = calloc(1, sizeof *p);

	if (p) {
		p->url = url;
		p->name = name;
	} else {
		err_set(e, ERR_MEMORY, "no memory for a connection");
	}
	return p;
}

void pg_close(struct pg *p)
{
	PQfinish(p->connection);
	p->connection = NULL;
	memset(p->prepared, 0, sizeof p->prepared);
}

void pg_free(struct pg *p)
{
	if (!p)
		return;
	pg_close(p);
	free(p);
}

bool pg_is_open(const struct pg *p)
{
	return p->connection;
}

int pg_socket(const struct pg *p)
{
	return p->connection ? PQsocket(p->connection) : -1;
}

int pg_run(struct pg *p, const char *sql, const char *what, struct err *e)
{
	PGresult *r = PQexec(p->connection, sql);
	const ExecStatusType s = PQresultStatus(r);

	if (s != PGRES_COMMAND_OK && s != PGRES_TUPLES_OK)
		return pg_fail(p, what, r, e);
	PQclear(r);
	return 0;
}

static PGconn *connect_to(const struct pg *p)
{
	const char *names[DEFAULTS + 4], *values[DEFAULTS + 4];
	int n = 0;

	for (; n < DEFAULTS; n++) {
		names[n] = defaults[n].name;
		values[n] = defaults[n].value;
	}
	names[n] = "fallback_application_name";
	values[n++] = p->name;
	names[n] = "dbname";		/* libpq parses a URL in this place */
	values[n++] = p->url;
	names[n] = values[n] = NULL;
	return PQconnectdbParams(names, values, 1);
}

int pg_open(struct pg *p, bool listens, struct err *e)
{
	if (p->connection)
		return 0;
	p->connection = connect_to(p);
	if (!p->connection)
		return err_set(e, ERR_MEMORY, "no memory for a connection");
	if (PQstatus(p->connection) != CONNECTION_OK)
		return pg_fail(p, "connecting", NULL, e);
	PQsetNoticeProcessor(p->connection, drop_notice, NULL);
	if (pg_run(p, session, "the session's settings", e) ||
	    (listens && pg_run(p, listening, "LISTEN", e))) {
		if (p->connection)
			pg_close(p);
		return -1;
	}
	return 0;
}

/* --- the schema */

static int version_of(struct pg *p, int *version, struct err *e)
{
	PGresult *r = PQexec(p->connection,
	                     "SELECT version FROM linalgd.schema");

	if (PQresultStatus(r) != PGRES_TUPLES_OK || PQntuples(r) != 1)
		return pg_fail(p, "its version", r, e);
	*version = atoi(PQgetvalue(r, 0, 0));
	PQclear(r);
	return 0;
}

static int newest_version(void)
{
	int version = 0;

	while (schema_changes[version])
		version++;
	return version;
}

static int bring_up(struct pg *p, struct err *e)
{
	const int newest = newest_version();
	char sql[64];
	int version;

	if (pg_run(p, "SELECT pg_advisory_xact_lock(7094712317);"
	           "CREATE SCHEMA IF NOT EXISTS linalgd;"
	           "CREATE TABLE IF NOT EXISTS linalgd.schema("
	           " version int NOT NULL);"
	           "INSERT INTO linalgd.schema SELECT 0 WHERE NOT EXISTS ("
	           " SELECT FROM linalgd.schema)", "its schema", e) ||
	    version_of(p, &version, e))
		return -1;
	if (version > newest)
		return err_set(e, ERR_CONFLICT, "the schema of the queue's "
		               "database has version %d, and this version of "
		               "linalgd needs %d: install the newer version "
		               "of linalgd that changed it", version, newest);
	for (; version < newest; version++)
		if (pg_run(p, schema_changes[version], "its schema", e))
			return -1;
	snprintf(sql, sizeof sql, "UPDATE linalgd.schema SET version = %d",
	         newest);
	return pg_run(p, sql, "its schema", e);
}

/* The version is read first, because a role that may not create anything can
 * still use a schema that is up to date. */
int pg_migrate(struct pg *p, struct err *e)
{
	int version;

	if (pg_open(p, false, e))
		return -1;
	if (version_of(p, &version, &(struct err){ 0 }) == 0 &&
	    version == newest_version())
		return 0;
	if (pg_begin(p, e))
		return -1;
	return pg_end(p, bring_up(p, e), e);
}

/* --- transactions */

int pg_begin(struct pg *p, struct err *e)
{
	return pg_open(p, false, e) || pg_run(p, "BEGIN", "BEGIN", e) ? -1 : 0;
}

int pg_commit(struct pg *p, struct err *e)
{
	PGresult *r = PQexec(p->connection, "COMMIT");

	if (PQresultStatus(r) != PGRES_COMMAND_OK)
		return pg_fail(p, "COMMIT", r, e);
	if (strcmp(PQcmdStatus(r), "COMMIT")) {
		PQclear(r);
		return err_set(e, ERR_STATE, "the queue's database rolled a "
		               "transaction back");
	}
	PQclear(r);
	return 0;
}

void pg_roll_back(struct pg *p)
{
	if (p->connection)
		pg_run(p, "ROLLBACK", "ROLLBACK", &(struct err){ 0 });
}

int pg_end(struct pg *p, int rc, struct err *e)
{
	if (rc == 0)
		return pg_commit(p, e);
	pg_roll_back(p);
	return -1;
}
