/* jobs.c - the handlers of GET /jobs and DELETE /jobs/{id}. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/size.h"
#include "http/access.h"
#include "http/job_text.h"
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
	       (s->state < 0 || (int)j->state == s->state) &&
	       (!s->named || (s->tenant && j->tenant == s->tenant));
}

static int list(struct exchange *x, void *state, struct err *e)
{
	const struct api *a = exchange_context(x);
	const struct engine *g = a->options.engine;
	struct selection s = { .x = x, .state = -1 };
	struct text t = { 0 };
	bool any = false;

	(void)state;
	if (exchange_query(x, select_argument, &s, e))
		return -1;
	s.limit = s.limit ? s.limit : LIST_DEFAULT;
	text_puts(&t, "{\"jobs\":[");
	for (const struct job *j = engine_newest(g); j && s.limit; j = j->older)
		if (is_selected(&s, j)) {
			text_puts(&t, any ? "," : "");
			job_text_status(&t, g, j);
			any = true;
			s.limit--;
		}
	text_puts(&t, "]}");
	exchange_reply_text(x, 200, "application/json", &t);
	return 0;
}

bool service_may_see(const struct exchange *x, const struct job *j)
{
	return j->tenant == exchange_tenant(x) || exchange_is_admin(x);
}

struct job *service_job(const struct exchange *x, struct err *e)
{
	const struct api *a = exchange_context(x);
	struct job *j;

	if (exchange_query(x, refuse_argument, NULL, e))
		return NULL;
	j = engine_find(a->options.engine, exchange_segment(x, 0));
	if (j && service_may_see(x, j))
		return j;
	err_set(e, ERR_NOT_FOUND, "there is no job %.40s (any more)",
	        exchange_segment(x, 0));
	return NULL;
}

/* Dismisses an unfinished job, whose record stays; forgets an ended one. The
 * engine writes that to the journal; the entry here comes after it. */
static int delete(struct exchange *x, void *state, struct err *e)
{
	struct api *a = exchange_context(x);
	struct job *j = service_job(x, e);
	struct journal_entry *entry;

	if (!j || (j->durable && written_check(a, e)))
		return -1;
	entry = j->durable ? written_entry(a, 0, e) : NULL;
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

const struct handler job_list_handler = { .done = list };
const struct handler job_delete_handler = {
	.begin = written_begin, .done = delete, .end = written_end,
};
