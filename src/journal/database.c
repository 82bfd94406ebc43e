/* database.c - see database.h. */
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "journal/schema.h"

struct database {
	sqlite3 *db;
	sqlite3_stmt *verb[JOURNAL_VERB_COUNT][SCHEMA_STATEMENTS];
	sqlite3_stmt *dropped[JOURNAL_VERB_COUNT];
	sqlite3_stmt *begin, *commit, *roll_back;
};

static int failed(const struct database *d, const char *what, struct err *e)
{
	return err_set(e, ERR_STATE, "the journal, %s: %.160s", what,
	               d->db ? sqlite3_errmsg(d->db) : "out of memory");
}

static int execute(struct database *d, const char *sql, struct err *e)
{
	return sqlite3_exec(d->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 :
	       failed(d, "changing it", e);
}

static int prepare(struct database *d, const char *sql, sqlite3_stmt **s,
                   struct err *e)
{
	return !sql || sqlite3_prepare_v3(d->db, sql, -1,
	       SQLITE_PREPARE_PERSISTENT, s, NULL) == SQLITE_OK ? 0 :
	       failed(d, "preparing a statement", e);
}

static int prepare_all(struct database *d, struct err *e)
{
	for (int v = 0; v < JOURNAL_VERB_COUNT; v++) {
		if (prepare(d, schema_dropped[v], &d->dropped[v], e))
			return -1;
		for (int i = 0; i < SCHEMA_STATEMENTS; i++)
			if (prepare(d, schema_verbs[v][i], &d->verb[v][i], e))
				return -1;
	}
	return prepare(d, "BEGIN IMMEDIATE", &d->begin, e) ||
	       prepare(d, "COMMIT", &d->commit, e) ||
	       prepare(d, "ROLLBACK", &d->roll_back, e) ? -1 : 0;
}

/* Sets *number to the first column of the statement's only row. */
static int ask(const struct database *d, const char *sql, int64_t *number,
               struct err *e)
{
	sqlite3_stmt *s = NULL;
	int rc = -1;

	if (sqlite3_prepare_v2(d->db, sql, -1, &s, NULL) == SQLITE_OK &&
	    sqlite3_step(s) == SQLITE_ROW) {
		*number = sqlite3_column_int64(s, 0);
		rc = 0;
	} else {
		failed(d, "reading it", e);
	}
	sqlite3_finalize(s);
	return rc;
}

int database_number(const struct database *d, const char *name, int64_t *n,
                    struct err *e)
{
	char sql[80];

	snprintf(sql, sizeof sql, "SELECT value FROM number WHERE name = '%s'",
	         name);
	return ask(d, sql, n, e);
}

static int migrate(struct database *d, struct err *e)
{
	int64_t version;
	char done[64];
	int known = 0;

	if (ask(d, "PRAGMA user_version", &version, e) < 0)
		return -1;
	while (schema_versions[known])
		known++;
	if (version < 0 || version > known)
		return err_set(e, ERR_STATE, "the journal is of version %lld, "
		               "written by a newer linalgd; this one reads up "
		               "to %d", (long long)version, known);
	for (int i = (int)version; i < known; i++) {
		snprintf(done, sizeof done, "PRAGMA user_version = %d; COMMIT",
		         i + 1);
		if (execute(d, "BEGIN", e) ||
		    execute(d, schema_versions[i], e) ||
		    execute(d, done, e))
			return -1;
	}
	return 0;
}

/* Every page that was written whole has its checksums in the WAL; what the
 * medium damaged afterwards is found here. */
static int check(struct database *d, struct err *e)
{
	sqlite3_stmt *s = NULL;
	const char *found = NULL;
	int rc = -1;

	if (sqlite3_prepare_v2(d->db, "PRAGMA quick_check(1)", -1, &s, NULL) ==
	    SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
		found = (const char *)sqlite3_column_text(s, 0);
	if (!found)
		failed(d, "checking it", e);
	else if (strcmp(found, "ok") != 0)
		err_set(e, ERR_STATE, "the journal is damaged: %.160s", found);
	else
		rc = 0;
	sqlite3_finalize(s);
	return rc;
}

static int set_up(struct database *d, const char *path, struct err *e)
{
	const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
	                  SQLITE_OPEN_NOMUTEX;
	const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	/* SQLite gives the WAL the permissions of the database. */
	if (fd < 0)
		return err_set(e, ERR_STATE, "the journal %.160s: %s", path,
		               strerror(errno));
	close(fd);
	if (sqlite3_open_v2(path, &d->db, flags, NULL) != SQLITE_OK)
		return failed(d, "opening it", e);
	/* The lock is held until the process ends. */
	return execute(d, "PRAGMA locking_mode = EXCLUSIVE;"
	               "PRAGMA journal_mode = WAL;"
	               "PRAGMA synchronous = FULL;"
	               "PRAGMA mmap_size = 0;"
	               "PRAGMA wal_autocheckpoint = 4000;"
	               "BEGIN IMMEDIATE; COMMIT", e) ||
	       migrate(d, e) || check(d, e) || prepare_all(d, e) ? -1 : 0;
}

struct database *database_open(const char *path, struct err *e)
{
	struct database *d = calloc(1, sizeof *d);

	if (!d) {
		err_set(e, ERR_MEMORY, "no memory for the journal");
		return NULL;
	}
	if (set_up(d, path, e) == 0)
		return d;
	if (d->db && sqlite3_errcode(d->db) == SQLITE_BUSY) {
		*e = (struct err){ 0 };
		err_set(e, ERR_STATE, "another linalgd uses the journal %.160s",
		        path);
	}
	database_close(d);
	return NULL;
}

void database_close(struct database *d)
{
	if (!d)
		return;
	for (int v = 0; v < JOURNAL_VERB_COUNT; v++) {
		sqlite3_finalize(d->dropped[v]);
		for (int i = 0; i < SCHEMA_STATEMENTS; i++)
			sqlite3_finalize(d->verb[v][i]);
	}
	sqlite3_finalize(d->begin);
	sqlite3_finalize(d->commit);
	sqlite3_finalize(d->roll_back);
	sqlite3_close(d->db);
	free(d);
}

/* --- writing */

static int run(struct database *d, sqlite3_stmt *s, const char *what,
               struct err *e)
{
	const int rc = sqlite3_step(s) == SQLITE_DONE ? 0 : failed(d, what, e);

	sqlite3_reset(s);
	return rc;
}

int database_begin(struct database *d, struct err *e)
{
	return run(d, d->begin, "beginning a transaction", e);
}

/* Writes a new random number each time, because SQLite does not write a page
 * whose bytes stay the same. */
int database_touch(struct database *d, struct err *e)
{
	return execute(d, "INSERT OR REPLACE INTO number "
	               "VALUES('probe', random())", e);
}

int database_commit(struct database *d, struct err *e)
{
	return run(d, d->commit, "writing", e);
}

void database_roll_back(struct database *d)
{
	if (!sqlite3_get_autocommit(d->db))
		run(d, d->roll_back, "", &(struct err){ 0 });
}

static void bind_text(sqlite3_stmt *s, const char *column, const char *value)
{
	const int i = sqlite3_bind_parameter_index(s, column);

	if (i)
		sqlite3_bind_text(s, i, value, -1, SQLITE_STATIC);
}

static void bind(sqlite3_stmt *s, const struct journal_row *r)
{
	const int number = sqlite3_bind_parameter_index(s, ":number");
	const int payload = sqlite3_bind_parameter_index(s, ":payload");

	bind_text(s, ":tenant", r->tenant);
	bind_text(s, ":name", r->name);
	bind_text(s, ":key", *r->key ? r->key : NULL);
	bind_text(s, ":state", r->state);
	bind_text(s, ":text", r->text.length ? r->text.data : "");
	if (number)
		sqlite3_bind_int64(s, number, r->number);
	if (payload && *r->file)
		sqlite3_bind_null(s, payload);
	else if (payload)
		sqlite3_bind_blob64(s, payload, r->packed ? r->packed : "",
		                    r->packed_bytes, SQLITE_STATIC);
}

/* Notes which file nobody needs when the row is written. */
static int find_dropped(struct database *d, struct journal_row *r,
                        struct err *e)
{
	sqlite3_stmt *const s = d->dropped[r->verb];
	int step;

	r->drop[0] = 0;
	if (!s)
		return 0;
	bind(s, r);
	step = sqlite3_step(s);
	if (step == SQLITE_ROW)
		snprintf(r->drop, sizeof r->drop, "%s",
		         (const char *)sqlite3_column_text(s, 0));
	sqlite3_reset(s);
	sqlite3_clear_bindings(s);
	return step == SQLITE_ROW || step == SQLITE_DONE ? 0 :
	       failed(d, "reading it", e);
}

int database_write(struct database *d, struct journal_row *r, struct err *e)
{
	if (find_dropped(d, r, e) < 0)
		return -1;
	for (int i = 0; i < SCHEMA_STATEMENTS && d->verb[r->verb][i]; i++) {
		sqlite3_stmt *const s = d->verb[r->verb][i];
		int rc;

		bind(s, r);
		rc = run(d, s, "writing", e);
		sqlite3_clear_bindings(s);
		if (rc)
			return -1;
	}
	return 0;
}

/* --- reading */

static const char *text_of(sqlite3_stmt *s, int column)
{
	const unsigned char *text = column < sqlite3_column_count(s) ?
	                            sqlite3_column_text(s, column) : NULL;

	return text ? (const char *)text : "";
}

/* An empty payload has bytes, none of them. */
static struct journal_packed payload_of(sqlite3_stmt *s, int column)
{
	struct journal_packed p = { .bytes = NULL };

	if (sqlite3_column_type(s, column) == SQLITE_NULL)
		return p;
	p.bytes = sqlite3_column_blob(s, column);
	p.size = (size_t)sqlite3_column_bytes(s, column);
	if (!p.bytes)
		p.bytes = "";
	return p;
}

static struct journal_found read_row(sqlite3_stmt *s, enum database_table t)
{
	struct journal_found f = {
		.tenant = text_of(s, 0), .name = text_of(s, 1),
		.number = sqlite3_column_int64(s, 2), .text = text_of(s, 3),
		.payload = payload_of(s, 4), .key = text_of(s, 5),
		.state = text_of(s, 6), .history = "", .answer = "",
	};

	if (t == DATABASE_MATRICES && !f.payload.bytes)
		journal_matrix_file(f.payload.file, f.number);
	if (t != DATABASE_JOBS)
		return f;
	f.epoch = sqlite3_column_int64(s, 7);
	f.attempts = sqlite3_column_int(s, 8);
	f.history = text_of(s, 9);
	f.answer = text_of(s, 10);
	f.results = payload_of(s, 11);
	if (!f.payload.bytes)
		journal_operands_file(f.payload.file, f.name);
	if (!f.results.bytes)
		journal_results_file(f.results.file, f.name);
	return f;
}

int database_read(struct database *d, enum database_table t,
                  journal_visit *fn, void *arg, struct err *e)
{
	sqlite3_stmt *s = NULL;
	int step = SQLITE_ERROR, rc = 0;

	if (sqlite3_prepare_v2(d->db, schema_tables[t], -1, &s, NULL) ==
	    SQLITE_OK)
		while ((step = sqlite3_step(s)) == SQLITE_ROW && rc == 0) {
			const struct journal_found f = read_row(s, t);

			rc = fn(arg, &f, e);
		}
	if (rc == 0 && step != SQLITE_DONE)
		rc = failed(d, "reading it", e);
	sqlite3_finalize(s);
	return rc;
}

int database_lose_runs(struct database *d, const char *moment, struct err *e)
{
	char sql[256];

	snprintf(sql, sizeof sql, "UPDATE job SET state = 'accepted', "
	         "attempts = attempts + 1, epoch = epoch + 1, "
	         "history = history || '%s ' WHERE state = 'running'", moment);
	return execute(d, sql, e);
}
