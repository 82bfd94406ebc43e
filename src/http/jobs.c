/* jobs.c - the handlers of GET /jobs, DELETE /jobs/{id} and
 * POST /jobs/{id}/retry. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/size.h"
#include "http/access.h"
#include "http/job_text.h"
#include "http/lookup.h"
#include "http/service.h"
#include "http/written.h"

enum { LIST_DEFAULT = 100, LIST_MOST = 1000 };

struct selection {
	const struct exchange *x;
	long limit;			/* 0: not given */
	int state;			/* -1: any */
	bool named;			/* a tenant is given */
	const struct tenant *tenant;	/* NULL: any; or, if named, none */
};

static int unknown_argument(const char *name, struct err *e)
{
	struct nearest near = nearest_to(name);

	nearest_try(&near, "limit");
	nearest_try(&near, "status");
	nearest_try(&near, "tenant");
	return err_set(e, ERR_PARAMETER, "there is no parameter %.60s here, "
	               "only limit, status and tenant%s", name,
	               nearest_hint(&near));
}

static int set_limit(struct selection *s, const char *value, struct err *e)
{
	char *end;

	if (s->limit)
		return err_set(e, ERR_PARAMETER, "limit is given twice");
	errno = 0;
	s->limit = strtol(value, &end, 10);
	if (end == value || *end || errno || s->limit < 1 ||
	    s->limit > LIST_MOST)
		return err_set(e, ERR_PARAMETER, "limit is %.40s, must be from "
		               "1 to %d", value, LIST_MOST);
	return 0;
}

static int set_status(struct selection *s, const char *value, struct err *e)
{
	struct nearest near = nearest_to(value);

	if (s->state >= 0)
		return err_set(e, ERR_PARAMETER, "status is given twice");
	s->state = job_state_find(value);
	if (s->state >= 0)
		return 0;
	for (int i = 0; i < JOB_STATE_COUNT; i++)
		nearest_add(&near, job_state_name((enum job_state)i));
	err_set(e, ERR_PARAMETER, "status is %.40s, must be one of %s%s",
	        value, nearest_list(&near), nearest_hint(&near));
	nearest_fini(&near);
	return -1;
}

/* A tenant that has no jobs is not made by being asked for. */
static int set_tenant(struct selection *s, const char *value, struct err *e)
{
	const struct api *a = exchange_context(s->x);
	const struct tenant *own = exchange_tenant(s->x);

	if (s->named)
		return err_set(e, ERR_PARAMETER, "tenant is given twice");
	s->named = true;
	if (!exchange_is_admin(s->x) && strcmp(own->name, value) != 0)
		return err_set(e, ERR_FORBIDDEN, "the jobs of another tenant "
		               "are for tokens with the scope admin");
	s->tenant = tenants_first(engine_tenants(a->options.engine));
	while (s->tenant && strcmp(s->tenant->name, value) != 0)
		s->tenant = s->tenant->next;
	return 0;
}

static const struct {
	const char *name;
	int (*set)(struct selection *s, const char *value, struct err *e);
} arguments[] = {
	{ "limit", set_limit },
	{ "status", set_status },
	{ "tenant", set_tenant },
};

static int select_argument(void *arg, const char *name, const char *value,
                           struct err *e)
{
	for (size_t i = 0; i < COUNT(arguments); i++)
		if (strcmp(arguments[i].name, name) == 0)
			return arguments[i].set(arg, value, e);
	return unknown_argument(name, e);
}

static bool is_selected(const struct selection *s, const struct job *j)
{
	return service_may_see(s->x, j) &&
	       (s->state < 0 || (int)job_told_state(j) == s->state) &&
	       (!s->named || (s->tenant && j->tenant == s->tenant));
}

struct list {
	struct selection selection;
	struct exchange *x;
	struct fleet_ask *ask;
};

static int begin_list(struct exchange *x, void **state, struct err *e)
{
	struct list *l = calloc(1, sizeof *l);

	if (!l)
		return err_set(e, ERR_MEMORY, "no memory for the request");
	l->x = x;
	*state = l;
	return 0;
}

static void end_list(struct exchange *x, void *state)
{
	struct list *l = state;

	(void)x;
	if (l)
		fleet_cancel(l->ask);
	free(l);
}

static const struct job *next_selected(const struct selection *s,
                                       const struct job *j)
{
	while (j && !(is_selected(s, j) && lookup_is_own(j)))
		j = j->older;
	return j;
}

/* Merges the fleet's n jobs and this process's own, both sorted by age, and
 * sends the newest of them. */
static void send_list(struct list *l, struct job *const *jobs, int n)
{
	const struct api *a = exchange_context(l->x);
	const struct engine *g = a->options.engine;
	const struct job *own = next_selected(&l->selection,
	                                      engine_newest(g));
	struct text t = { 0 };
	long left = l->selection.limit;

	text_puts(&t, "{\"jobs\":[");
	for (int i = 0; left && (own || i < n); left--) {
		const bool takes_own = own && (i == n || own->created_ms >=
		                               jobs[i]->created_ms);

		text_puts(&t, left < l->selection.limit ? "," : "");
		job_text_status(&t, g, takes_own ? own : jobs[i]);
		if (takes_own)
			own = next_selected(&l->selection, own->older);
		else
			i++;
	}
	text_puts(&t, "]}");
	exchange_reply_text(l->x, 200, "application/json", &t);
}

static void on_listed(void *arg, struct job *const *jobs, int n,
                      const struct err *e)
{
	struct list *const l = arg;

	l->ask = NULL;
	if (e->code)
		exchange_reply_problem(l->x, e, NULL);
	else
		send_list(l, jobs, n);
}

static int list(struct exchange *x, void *state, struct err *e)
{
	const struct api *a = exchange_context(x);
	struct list *const l = state;
	struct selection *const s = &l->selection;

	*s = (struct selection){ .x = x, .state = -1 };
	if (exchange_query(x, select_argument, s, e))
		return -1;
	s->limit = s->limit ? s->limit : LIST_DEFAULT;
	if (!a->options.fleet || (s->named && !s->tenant)) {
		send_list(l, NULL, 0);
		return 0;
	}
	l->ask = fleet_list(a->options.fleet, s->named ? s->tenant :
	                    lookup_tenant(x), s->state, (int)s->limit,
	                    on_listed, l, e);
	return l->ask ? 0 : -1;
}

bool service_may_see(const struct exchange *x, const struct job *j)
{
	return j->tenant == exchange_tenant(x) || exchange_is_admin(x);
}

struct job *service_own_job(const struct exchange *x, struct err *e)
{
	const struct api *a = exchange_context(x);
	struct job *j;

	if (exchange_query(x, refuse_argument, NULL, e))
		return NULL;
	j = engine_find(a->options.engine, exchange_segment(x, 0));
	return j && lookup_is_own(j) && service_may_see(x, j) ? j : NULL;
}

int service_no_job(const struct exchange *x, struct err *e)
{
	return err_set(e, ERR_NOT_FOUND, "there is no job %.40s (any more)",
	               exchange_segment(x, 0));
}

/* --- changing a job */

struct change {
	struct written written;
	struct fleet_ask *ask;
};

static int begin_change(struct exchange *x, void **state, struct err *e)
{
	struct change *r = calloc(1, sizeof *r);

	if (!r)
		return err_set(e, ERR_MEMORY, "no memory for the request");
	written_init(&r->written, x, free);
	*state = r;
	return 0;
}

static void end_change(struct exchange *x, void *state)
{
	struct change *r = state;

	if (r)
		fleet_cancel(r->ask);
	written_end(x, state);
}

static void on_removed(void *arg, const struct err *e)
{
	struct change *const r = arg;

	r->ask = NULL;
	if (!e->code)
		exchange_reply_header(r->written.x, "Linalgd-Job",
		                      exchange_segment(r->written.x, 0));
	written_reply_204(&r->written, e);
}

static int remove_from_fleet(struct change *r, struct err *e)
{
	struct exchange *const x = r->written.x;
	const struct api *a = exchange_context(x);

	if (!a->options.fleet)
		return service_no_job(x, e);
	r->ask = fleet_remove(a->options.fleet, exchange_segment(x, 0),
	                      lookup_tenant(x), on_removed, r, e);
	return r->ask ? 0 : -1;
}

/* Dismisses an unfinished job, whose record stays; forgets an ended one. The
 * engine writes that to the journal; the entry here comes after it. */
static int delete(struct exchange *x, void *state, struct err *e)
{
	struct api *a = exchange_context(x);
	struct job *j = service_own_job(x, e);
	struct journal_entry *entry;

	if (e->code || (j && j->backing && written_check(a, e)))
		return -1;
	if (!j)
		return remove_from_fleet(state, e);
	entry = j->backing ? written_entry(a, 0, e) : NULL;
	if (e->code)
		return -1;
	access_job(x, j);
	exchange_reply_header(x, "Linalgd-Job", j->id);
	if (job_state_is_end(j->state))
		engine_forget(a->options.engine, j);
	else
		engine_dismiss(a->options.engine, j);
	written_reply(state, a, entry, written_reply_204);
	return 0;
}

/* --- retrying a job of the fleet */

static void on_retried(void *arg, const struct err *e)
{
	struct change *const r = arg;
	struct exchange *const x = r->written.x;
	struct text none = { 0 };
	char path[JOB_PATH];

	r->ask = NULL;
	if (e->code) {
		exchange_reply_problem(x, e, NULL);
		return;
	}
	snprintf(path, sizeof path, "/jobs/%s", exchange_segment(x, 0));
	exchange_reply_header(x, "Location", path);
	exchange_reply_header(x, "Linalgd-Job", exchange_segment(x, 0));
	exchange_reply_text(x, 202, NULL, &none);
}

static int retry(struct exchange *x, void *state, struct err *e)
{
	const struct api *a = exchange_context(x);
	struct change *const r = state;
	const struct job *own = service_own_job(x, e);

	if (e->code)
		return -1;
	if (own)
		return err_set(e, ERR_CONFLICT, "job %s has not failed because "
		               "hosts were lost while it ran", own->id);
	if (!a->options.fleet)
		return service_no_job(x, e);
	r->ask = fleet_retry(a->options.fleet, exchange_segment(x, 0),
	                     lookup_tenant(x), on_retried, r, e);
	return r->ask ? 0 : -1;
}

const struct handler job_retry_handler = {
	.begin = begin_change, .done = retry, .end = end_change,
};
const struct handler job_list_handler = {
	.begin = begin_list, .done = list, .end = end_list,
};
const struct handler job_delete_handler = {
	.begin = begin_change, .done = delete, .end = end_change,
};
