/* restore.c - see restore.h. */
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "http/etag.h"
#include "http/pipelines.h"
#include "http/restore.h"
#include "http/service.h"
#include "journal/journal_read.h"
#include "queue/journaled.h"
#include "queue/restore.h"

void restore_on_expiry(void *arg, const struct stored *s)
{
	struct api *a = arg;
	struct journal_entry *entry = a->options.journal ?
	                              journal_entry_new(1) : NULL;

	if (!entry)
		return;		/* the next process finds it expired */
	entry->ordered = true;
	journaled_matrix_row(entry->row, JOURNAL_REMOVE_MATRIX, s);
	journal_submit(a->options.journal, entry);
}

static int read_times(struct stored *s, const char *text, struct err *e)
{
	long long created, expires;

	if (sscanf(text, "created %lld expires %lld", &created, &expires) != 2)
		return err_set(e, ERR_FORMAT, "its times cannot be read");
	s->created_ms = created;
	s->expires_ms = expires;
	return 0;
}

/* A matrix that is damaged is left out, and its file set aside: the others are
 * not to be lost with it. */
static int leave_out(const struct journal_found *f, const struct err *why,
                     struct err *e)
{
	if (why->code != ERR_FORMAT && why->code != ERR_NOT_FOUND)
		return err_set(e, why->code, "the stored matrix %.60s: %.160s",
		               f->name, why->text);
	log_error("the stored matrix %s is lost: %s", f->name, why->text);
	return 0;
}

static int visit_matrix(void *arg, const struct journal_found *f,
                        struct err *e)
{
	struct api *a = arg;
	struct stored s = { .version = (uint64_t)f->number };
	struct err why = { 0 };
	size_t n;

	snprintf(s.tenant, sizeof s.tenant, "%s", f->tenant);
	snprintf(s.name, sizeof s.name, "%s", f->name);
	if (read_times(&s, f->text, &why) ||
	    journal_unpack(a->options.journal, &f->payload, f->name, &s.matrix,
	                   1, &n, a->options.memory, &why))
		return leave_out(f, &why, e);
	if (n == 1)
		return store_restore(a->store, &s, e);
	err_set(&why, ERR_FORMAT, "it has no elements");
	return leave_out(f, &why, e);
}

static int visit_pipeline(void *arg, const struct journal_found *f,
                          struct err *e)
{
	struct api *a = arg;
	struct tenants *all = engine_tenants(a->options.engine);
	const struct tenant *t = tenants_get(all, f->tenant, e);

	return t ? pipelines_restore(a->pipelines, t, f->name, f->text, e) :
	           -1;
}

/* The matrices and pipelines that this host has stored before it joined a fleet
 * stay on its disk: those of the fleet are in the database. */
static int restore_stored(struct api *a, struct err *e)
{
	struct journal *const j = a->options.journal;

	return a->options.fleet ? 0 :
	       journal_read_matrices(j, visit_matrix, a, e) ||
	       journal_read_pipelines(j, visit_pipeline, a, e) ? -1 : 0;
}

int api_restore(struct api *a, struct err *e)
{
	struct journal *const j = a->options.journal;
	struct engine *const g = a->options.engine;
	struct restored *jobs;

	if (!j)
		return 0;
	etag_set_service(journal_identity(j));
	store_see_version(a->store, (uint64_t)journal_version(j));
	if (restore_stored(a, e))
		return -1;
	jobs = restore_read(g, a->store, a->options.codec, e);
	if (!jobs)
		return -1;
	if (journal_sweep(j, e) ||
	    journal_start(j, a->options.loop, e)) {
		restore_free(jobs);
		return -1;
	}
	restore_place(g, jobs);
	return 0;
}
