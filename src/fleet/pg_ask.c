/* pg_ask.c - see pg.h: executes statements, and reads their results. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/pg_state.h"

struct pg_answer {
	PGresult *result;
};

struct pg_value pg_text(const char *s)
{
	return (struct pg_value){ .data = s };
}

struct pg_value pg_bytes(const void *bytes, size_t n)
{
	return (struct pg_value){ .data = bytes ? bytes : "", .n = n,
	                          .binary = true };
}

struct pg_value pg_number(int64_t n, char digits[PG_DIGITS])
{
	snprintf(digits, PG_DIGITS, "%" PRId64, n);
	return pg_text(digits);
}

static void name_of(enum statement s, char name[16])
{
	snprintf(name, 16, "linalgd_%d", (int)s);
}

/* Each connection parses a statement once, when it first uses it. */
static int prepare(struct pg *p, enum statement s, struct err *e)
{
	const struct statement_row *const row = &statements[s];
	char name[16];
	PGresult *r;

	if (pg_open(p, false, e))
		return -1;
	if (p->prepared[s])
		return 0;
	name_of(s, name);
	r = PQprepare(p->connection, name, row->sql, row->parameters, NULL);
	if (PQresultStatus(r) != PGRES_COMMAND_OK)
		return pg_fail(p, "preparing a statement", r, e);
	PQclear(r);
	p->prepared[s] = true;
	return 0;
}

struct parameters {
	const char *data[STATEMENT_PARAMETERS];
	int length[STATEMENT_PARAMETERS], format[STATEMENT_PARAMETERS];
};

static void fill(struct parameters *to, const struct pg_value *v, int n)
{
	assert(n <= STATEMENT_PARAMETERS);
	for (int i = 0; i < n; i++) {
		to->data[i] = v[i].data;
		to->length[i] = (int)v[i].n;
		to->format[i] = v[i].binary;
	}
}

static struct pg_answer *answer_of(PGresult *r, struct err *e)
{
	struct pg_answer *a = malloc(sizeof *a);

	if (a) {
		a->result = r;
		return a;
	}
	PQclear(r);
	err_set(e, ERR_MEMORY, "no memory for an answer");
	return NULL;
}

struct pg_answer *pg_ask(struct pg *p, enum statement s,
                         const struct pg_value *v, struct err *e)
{
	const int n = statements[s].parameters;
	struct parameters all;
	char name[16];
	PGresult *r;

	if (prepare(p, s, e))
		return NULL;
	name_of(s, name);
	fill(&all, v, n);
	r = PQexecPrepared(p->connection, name, n, all.data, all.length,
	                   all.format, 1);
	if (PQresultStatus(r) == PGRES_TUPLES_OK ||
	    PQresultStatus(r) == PGRES_COMMAND_OK)
		return answer_of(r, e);
	pg_fail(p, "a statement", r, e);
	return NULL;
}

int pg_count(struct pg *p, enum statement s, const struct pg_value *v,
             struct err *e)
{
	struct pg_answer *a = pg_ask(p, s, v, e);
	const int rows = a ? pg_rows(a) : -1;

	pg_answer_free(a);
	return rows;
}

int pg_do(struct pg *p, enum statement s, const struct pg_value *v,
          struct err *e)
{
	return pg_count(p, s, v, e) < 0 ? -1 : 0;
}

void pg_answer_free(struct pg_answer *a)
{
	if (a)
		PQclear(a->result);
	free(a);
}

int pg_rows(const struct pg_answer *a)
{
	return PQntuples(a->result);
}

const char *pg_get(const struct pg_answer *a, int row, int column)
{
	return PQgetvalue(a->result, row, column);
}

size_t pg_length(const struct pg_answer *a, int row, int column)
{
	return (size_t)PQgetlength(a->result, row, column);
}

bool pg_is_null(const struct pg_answer *a, int row, int column)
{
	return PQgetisnull(a->result, row, column);
}

int64_t pg_integer(const struct pg_answer *a, int row, int column)
{
	return strtoll(pg_get(a, row, column), NULL, 10);
}

/* --- streams of rows */

int pg_stream(struct pg *p, enum statement s, const struct pg_value *v,
              struct err *e)
{
	const int n = statements[s].parameters;
	struct parameters all;
	char name[16];

	if (prepare(p, s, e))
		return -1;
	name_of(s, name);
	fill(&all, v, n);
	if (!PQsendQueryPrepared(p->connection, name, n, all.data, all.length,
	                         all.format, 1))
		return pg_fail(p, "a statement", NULL, e);
	PQsetSingleRowMode(p->connection);
	return 0;
}

struct pg_answer *pg_stream_next(struct pg *p, struct err *e)
{
	PGresult *r = p->connection ? PQgetResult(p->connection) : NULL;

	if (PQresultStatus(r) == PGRES_SINGLE_TUPLE)
		return answer_of(r, e);
	if (r && PQresultStatus(r) != PGRES_TUPLES_OK)
		pg_fail(p, "a statement", r, e);
	else
		PQclear(r);
	pg_stream_end(p);
	return NULL;
}

void pg_stream_end(struct pg *p)
{
	PGresult *r;

	while (p->connection && (r = PQgetResult(p->connection)))
		PQclear(r);
}

int pg_notifications(struct pg *p,
                     void (*fn)(void *arg, const char *channel,
                                const char *text), void *arg, struct err *e)
{
	PGnotify *n;

	if (!PQconsumeInput(p->connection))
		return pg_fail(p, "notifications", NULL, e);
	while ((n = PQnotifies(p->connection))) {
		fn(arg, n->relname, n->extra);
		PQfreemem(n);
	}
	return 0;
}
