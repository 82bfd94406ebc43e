/* local_restore.c - see local.h: reads what an earlier process has stored. */
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "journal/journal_read.h"
#include "queue/local.h"
#include "queue/local_state.h"

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
	struct depot *const d = arg;
	struct stored s = { .version = (uint64_t)f->number };
	struct err why = { 0 };
	size_t n;

	snprintf(s.tenant, sizeof s.tenant, "%s", f->tenant);
	snprintf(s.name, sizeof s.name, "%s", f->name);
	if (read_times(&s, f->text, &why) ||
	    journal_unpack(local_journal(d), &f->payload, f->name, &s.matrix,
	                   1, &n, d->engine->memory, &why))
		return leave_out(f, &why, e);
	if (n == 1)
		return store_restore(d->store, &s, e);
	err_set(&why, ERR_FORMAT, "it has no elements");
	return leave_out(f, &why, e);
}

static int visit_pipeline(void *arg, const struct journal_found *f,
                          struct err *e)
{
	struct depot *const d = arg;
	const struct tenant *t = tenants_get(d->engine->tenants, f->tenant, e);

	return t && saved_put(&local_of(d)->pipelines, t, f->name, f->text,
	                      e) >= 0 ? 0 : -1;
}

int local_restore(struct depot *d, struct err *e)
{
	struct journal *const j = local_journal(d);

	if (!j)
		return 0;
	d->service = journal_identity(j);
	store_see_version(d->store, (uint64_t)journal_version(j));
	return journal_read_matrices(j, visit_matrix, d, e) ||
	       journal_read_pipelines(j, visit_pipeline, d, e) ? -1 : 0;
}
