/* depot.c - see depot.h. */
#include <stdlib.h>
#include <string.h>

#include "queue/backing.h"
#include "queue/depot.h"
#include "queue/state.h"
#include "queue/written.h"

static const struct err none;

int depot_init(struct depot *d, const struct depot_calls *c, int64_t ttl_ns,
               struct err *e)
{
	d->calls = c;
	d->store = store_new(e);
	if (!d->store)
		return -1;
	store_set_ttl(d->store, ttl_ns);
	return 0;
}

void depot_fini(struct depot *d)
{
	store_free(d->store);
}

bool depot_disk_is_well(const struct depot *d, struct err *e)
{
	return journal_is_well(d->engine->journal, e);
}

bool depot_is_well(const struct depot *d, struct err *e)
{
	return (d->calls->is_well ? d->calls->is_well : depot_disk_is_well)(
	        d, e);
}

void depot_make_room(struct depot *d, uint64_t bytes)
{
	if (d->calls->make_room)
		d->calls->make_room(d, bytes);
}

/* Is it a job of this process alone, and not one that it runs for others? */
static bool is_own(const struct job *j)
{
	return !j->backing || !j->backing->shared;
}

static bool belongs_to(const struct job *j, const struct tenant *t)
{
	return !t || j->tenant == t;
}

static struct job *find_own(const struct depot *d, const char *id,
                            const struct tenant *t)
{
	struct job *const j = engine_find(d->engine, id);

	return j && is_own(j) && belongs_to(j, t) ? j : NULL;
}

int depot_no_job(const char *id, struct err *e)
{
	return err_set(e, ERR_NOT_FOUND, "there is no job %.40s (any more)",
	               id);
}

int depot_not_lost(const char *id, struct err *e)
{
	return err_set(e, ERR_CONFLICT, "job %s has not failed because hosts "
	               "were lost while it ran", id);
}

int depot_check_when(enum depot_when when, const char *was, const char *is,
                     struct err *e)
{
	if (when == DEPOT_IF_NEW && is)
		return err_set(e, ERR_PRECONDITION, "If-None-Match: the "
		               "pipeline is there");
	if (when >= DEPOT_IF_THERE && !is)
		return err_set(e, ERR_PRECONDITION, "If-Match: there is no "
		               "such pipeline");
	if (when == DEPOT_IF_SAME && strcmp(was, is) != 0)
		return err_set(e, ERR_PRECONDITION, "If-Match: the pipeline "
		               "has changed");
	return 0;
}

static void tell_no_job(const char *id, depot_job_fn *then, struct asker *by)
{
	struct err e = { 0 };

	depot_no_job(id, &e);
	then(by->arg, NULL, &e);
}

void depot_find(struct depot *d, const char *id, const struct tenant *t,
                bool results, depot_job_fn *then, struct asker *by)
{
	struct job *const own = find_own(d, id, t);

	if (own)
		then(by->arg, own, &none);
	else if (d->calls->find)
		d->calls->find(d, id, t, results, then, by);
	else
		tell_no_job(id, then, by);
}

void depot_follow(struct depot *d, struct job *j)
{
	if (depot_is_view(j) && d->calls->follow)
		d->calls->follow(d, j);
}

/* --- lists */

static struct job *next_own(const struct depot_selection *s, struct job *j)
{
	while (j && !(is_own(j) && belongs_to(j, s->tenant) &&
	              (s->state < 0 || (int)job_told_state(j) == s->state)))
		j = j->older;
	return j;
}

void depot_tell_list(const struct depot *d, const struct depot_selection *s,
                     struct job *const *jobs, int n, depot_jobs_fn *then,
                     void *arg)
{
	struct job **all = calloc((size_t)s->most, sizeof *all);
	struct job *own = next_own(s, engine_newest(d->engine));
	struct err e = { 0 };
	int count = 0;

	if (!all)
		err_set(&e, ERR_MEMORY, "no memory for a list");
	for (int i = 0; all && count < s->most && (own || i < n); count++)
		if (own && (i == n ||
		            own->created_ms >= jobs[i]->created_ms)) {
			all[count] = own;
			own = next_own(s, own->older);
		} else {
			all[count] = jobs[i++];
		}
	then(arg, all, count, &e);
	free(all);
}

void depot_list(struct depot *d, const struct depot_selection *s,
                depot_jobs_fn *then, struct asker *by)
{
	if (d->calls->list)
		d->calls->list(d, s, then, by);
	else
		depot_tell_list(d, s, NULL, 0, then, by->arg);
}

/* --- acceptance */

bool depot_keeps(const struct depot *d)
{
	return d->shared || d->engine->journal;
}

struct settling {
	struct written written;
	depot_done_fn *then;
};

static void settled(struct written *w, struct asker *by, const struct err *e)
{
	if (by)
		((const struct settling *)w)->then(by->arg, e);
}

void depot_settle(struct depot *d, depot_done_fn *then, struct asker *by)
{
	struct err e = { 0 };
	struct settling *x = written_new(d->engine->journal, sizeof *x, 0,
	                                 settled, &e);

	if (!x) {
		then(by->arg, &e);
		return;
	}
	x->then = then;
	written_submit(x, by);
}

/* --- changes */

struct removing {
	struct written written;
	struct job *job;		/* a reference */
	depot_job_fn *then;
};

static void removed(struct written *w, struct asker *by, const struct err *e)
{
	struct removing *const x = (struct removing *)w;

	if (by)
		x->then(by->arg, x->job, e);
	job_unref(x->job);
}

/* The engine writes the change to the journal; the entry of no rows that is
 * submitted here comes after it. */
static void remove_own(struct engine *g, struct job *j, depot_job_fn *then,
                       struct asker *by)
{
	struct err e = { 0 };
	struct removing *x = written_new(j->backing ? g->journal : NULL,
	                                 sizeof *x, 0, removed, &e);

	if (!x) {
		then(by->arg, j, &e);
		return;
	}
	x->job = job_ref(j);
	x->then = then;
	if (job_state_is_end(j->state))
		engine_forget(g, j);
	else
		engine_dismiss(g, j);
	written_submit(x, by);
}

void depot_remove(struct depot *d, const char *id, const struct tenant *t,
                  depot_job_fn *then, struct asker *by)
{
	struct job *const own = find_own(d, id, t);

	if (own)
		remove_own(d->engine, own, then, by);
	else if (d->calls->remove)
		d->calls->remove(d, id, t, then, by);
	else
		tell_no_job(id, then, by);
}

void depot_retry(struct depot *d, const char *id, const struct tenant *t,
                 depot_job_fn *then, struct asker *by)
{
	struct err e = { 0 };

	if (find_own(d, id, t))
		depot_not_lost(id, &e);
	else if (d->calls->retry)
		d->calls->retry(d, id, t, then, by);
	else
		depot_no_job(id, &e);
	if (e.code)
		then(by->arg, NULL, &e);
}
