/* journal.c - see journal.h: entries, and what the loop's thread calls. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock_wait.h"
#include "journal/journal_state.h"
#include "journal/payload_file.h"

/* A payload up to this size is a value in the database. A larger one costs two
 * more fsyncs, but would be written twice there, to the WAL and from it. */
enum { INLINE_BYTES = 16 << 10 };

/* --- entries */

struct journal_entry *journal_entry_new(size_t n)
{
	struct journal_entry *e = calloc(1, sizeof *e + n * sizeof e->row[0]);

	if (e)
		e->n = n;
	return e;
}

static void row_fini(struct journal_row *r)
{
	for (size_t i = 0; i < r->n; i++)
		matrix_fini(&r->payload[i]);
	free(r->payload);
	free(r->packed);
	text_fini(&r->text);
}

void journal_entry_free(struct journal_entry *e)
{
	for (size_t i = 0; e && i < e->n; i++)
		row_fini(&e->row[i]);
	free(e);
}

int journal_row_take(struct journal_row *r, const struct matrix *m, size_t n)
{
	r->payload = calloc(n + !n, sizeof *m);
	if (!r->payload)
		return -1;
	for (; r->n < n; r->n++)
		r->payload[r->n] = matrix_ref(&m[r->n]);
	return 0;
}

bool journal_is_large(const struct matrix *m, size_t n)
{
	uint64_t bytes;

	return payload_bytes(m, n, &bytes, &(struct err){ 0 }) < 0 ||
	       bytes > INLINE_BYTES;
}

void journal_operands_file(char file[PAYLOAD_NAME], const char *id)
{
	snprintf(file, PAYLOAD_NAME, "operands-%.40s", id);
}

void journal_results_file(char file[PAYLOAD_NAME], const char *id)
{
	snprintf(file, PAYLOAD_NAME, "results-%.40s", id);
}

void journal_matrix_file(char file[PAYLOAD_NAME], int64_t version)
{
	snprintf(file, PAYLOAD_NAME, "matrix-%lld", (long long)version);
}

static void name_file(struct journal_row *r)
{
	if (!journal_is_large(r->payload, r->n))
		return;
	if (r->verb == JOURNAL_ADD_JOB)
		journal_operands_file(r->file, r->name);
	else if (r->verb == JOURNAL_END_JOB)
		journal_results_file(r->file, r->name);
	else
		journal_matrix_file(r->file, r->number);
}

/* --- the journal */

static int open_parts(struct journal *j, const char *directory, struct err *e)
{
	char path[512];
	int64_t identity;

	if (snprintf(path, sizeof path, "%s/payloads", directory) >=
	    (int)sizeof path)
		return err_set(e, ERR_STATE, "--state %.120s...: the path is "
		               "too long", directory);
	j->payloads = payloads_open(path, e);
	if (!j->payloads)
		return -1;
	snprintf(path, sizeof path, "%s/journal.sqlite", directory);
	j->database = database_open(path, e);
	if (!j->database ||
	    database_number(j->database, "identity", &identity, e) < 0 ||
	    database_number(j->database, "version", &j->version, e) < 0)
		return -1;
	j->identity = (uint64_t)identity;
	return 0;
}

struct journal *journal_open(const char *directory, struct err *e)
{
	struct journal *j = calloc(1, sizeof *j);

	if (!j) {
		err_set(e, ERR_MEMORY, "no memory for the journal");
		return NULL;
	}
	pthread_mutex_init(&j->lock, NULL);
	clock_cond_init(&j->changed);
	if (open_parts(j, directory, e) == 0)
		return j;
	journal_close(j);
	return NULL;
}

int journal_start(struct journal *j, struct loop *l, struct err *e)
{
	j->loop = l;
	if (pthread_create(&j->files_thread, NULL, journal_files_main, j) != 0)
		return err_set(e, ERR_MEMORY, "no thread for the journal");
	if (pthread_create(&j->rows_thread, NULL, journal_rows_main, j) == 0) {
		j->started = true;
		return 0;
	}
	pthread_mutex_lock(&j->lock);
	j->closing = true;
	pthread_cond_broadcast(&j->changed);
	pthread_mutex_unlock(&j->lock);
	pthread_join(j->files_thread, NULL);
	return err_set(e, ERR_MEMORY, "no thread for the journal");
}

void journal_close(struct journal *j)
{
	if (!j)
		return;
	if (j->started) {
		pthread_mutex_lock(&j->lock);
		j->closing = true;
		pthread_cond_broadcast(&j->changed);
		pthread_mutex_unlock(&j->lock);
		pthread_join(j->files_thread, NULL);
		pthread_join(j->rows_thread, NULL);
		j->closed = true;
		loop_run_posts(j->loop);
	}
	database_close(j->database);
	payloads_close(j->payloads);
	pthread_cond_destroy(&j->changed);
	pthread_mutex_destroy(&j->lock);
	free(j);
}

void journal_submit(struct journal *j, struct journal_entry *e)
{
	bool large = e->ordered;
	struct err why = { 0 };

	assert(loop_is_here(j->loop));
	e->journal = j;
	for (size_t i = 0; i < e->n; i++) {
		name_file(&e->row[i]);
		large |= *e->row[i].file != 0;
	}
	if (j->closed)
		err_set(&why, ERR_STATE, "the journal is closed");
	if (j->closed ||
	    (!e->must && !e->frees && !journal_is_well(j, &why))) {
		journal_end_entry(j, e, &why);
		return;
	}
	pthread_mutex_lock(&j->lock);
	line_append(large ? &j->files : &j->rows, e);
	pthread_cond_broadcast(&j->changed);
	pthread_mutex_unlock(&j->lock);
}

bool journal_is_well(const struct journal *j, struct err *e)
{
	struct journal *const own = (struct journal *)j;
	const struct health *sick;

	if (!j)
		return true;
	pthread_mutex_lock(&own->lock);
	sick = journal_sickness(j);
	if (sick) {
		*e = sick->why;
		e->retry_s = JOURNAL_RETRY_SECONDS;
	}
	pthread_mutex_unlock(&own->lock);
	return !sick;
}

uint64_t journal_identity(const struct journal *j)
{
	return j->identity;
}

int64_t journal_version(const struct journal *j)
{
	return j->version;
}
