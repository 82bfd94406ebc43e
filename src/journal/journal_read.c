/* journal_read.c - see journal_read.h. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "journal/journal_state.h"

int journal_read_jobs(struct journal *j, journal_visit *fn, void *arg,
                      struct err *e)
{
	char moment[CLOCK_TEXT];

	return database_lose_runs(j->database, clock_text(clock_wall_ms(),
	                                                  moment), e) ||
	       database_read(j->database, DATABASE_JOBS, fn, arg, e) ? -1 : 0;
}

int journal_read_matrices(struct journal *j, journal_visit *fn, void *arg,
                          struct err *e)
{
	return database_read(j->database, DATABASE_MATRICES, fn, arg, e);
}

int journal_read_pipelines(struct journal *j, journal_visit *fn, void *arg,
                           struct err *e)
{
	return database_read(j->database, DATABASE_PIPELINES, fn, arg, e);
}

int journal_unpack(struct journal *j, const struct journal_packed *p,
                   const char *what, struct matrix *m, size_t most, size_t *n,
                   struct memory_pool *pool, struct err *e)
{
	int rc;

	*n = 0;
	if (p->bytes)
		return p->size == 0 ? 0 :
		       payload_unpack(p->bytes, p->size, what, m, most, n,
		                      pool, e);
	rc = payload_read(j->payloads, p->file, m, most, n, pool, e);
	if (rc < 0 && e->code == ERR_FORMAT)
		payload_set_aside(j->payloads, p->file, &(struct err){ 0 });
	return rc;
}

/* The names of files that rows name. */
struct names {
	char (*at)[PAYLOAD_NAME];
	size_t n, room;
	const struct payloads *d;
};

static int note_file(struct names *s, const struct journal_packed *p,
                     struct err *e)
{
	char (*at)[PAYLOAD_NAME];

	if (p->bytes || !*p->file)
		return 0;
	if (s->n == s->room) {
		at = reallocarray(s->at, 2 * s->room + 16, sizeof *at);
		if (!at)
			return err_set(e, ERR_MEMORY, "no memory for the names "
			               "of the journal's files");
		s->at = at;
		s->room = 2 * s->room + 16;
	}
	memcpy(s->at[s->n++], p->file, PAYLOAD_NAME);
	return 0;
}

static int note_files(void *arg, const struct journal_found *f, struct err *e)
{
	return note_file(arg, &f->payload, e) || note_file(arg, &f->results, e)
	       ? -1 : 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

static int remove_orphan(void *arg, const char *name, struct err *e)
{
	const struct names *s = arg;

	return s->n && bsearch(name, s->at, s->n, sizeof s->at[0], by_name) ?
	       0 : payload_remove(s->d, name, e);
}

int journal_sweep(struct journal *j, struct err *e)
{
	struct names s = { .d = j->payloads };
	int rc = database_read(j->database, DATABASE_JOBS, note_files, &s, e) ||
	         database_read(j->database, DATABASE_MATRICES, note_files, &s,
	                       e) ? -1 : 0;

	if (rc == 0 && s.n)
		qsort(s.at, s.n, sizeof s.at[0], by_name);
	if (rc == 0)
		rc = payloads_list(j->payloads, remove_orphan, &s, e);
	free(s.at);
	return rc;
}
