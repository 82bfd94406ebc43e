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
#include "http/service.h"

enum {
	LIST_DEFAULT = 100, LIST_MOST = 1000,
	LIST_AT_ONCE = 64 << 10,	/* bytes printed before the reply: well
					 * below 1 ms */
};

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
	if (strlen(value) >= TENANT_NAME)
		return err_set(e, ERR_PARAMETER, "tenant is %.60s, must have "
		               "at most %d characters", value,
		               TENANT_NAME - 1);
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

struct list {
	struct exchange *x;
	struct asker by;
};

static int begin_list(struct exchange *x, void **state, struct err *e)
{
	struct list *l = calloc(1, sizeof *l);

	if (!l)
		return err_set(e, ERR_MEMORY, "no memory for the request");
	*l = (struct list){ .x = x, .by.arg = l };
	*state = l;
	return 0;
}

static void end_list(struct exchange *x, void *state)
{
	struct list *l = state;

	(void)x;
	if (l)
		ask_cancel(&l->by);
	free(l);
}

/* The text of a list, which is printed while it is sent if it is long: a job
 * with the times of many kernels has some 10 KiB. */
struct list_text {
	const struct engine *engine;
	struct text text;		/* printed; sent up to `sent` */
	size_t sent;
	int n, at;			/* jobs, and those that are printed */
	bool ended;			/* all is printed */
	struct job *job[];		/* references */
};

static void list_text_free(void *arg)
{
	struct list_text *s = arg;

	for (int i = 0; i < s->n; i++)
		job_unref(s->job[i]);
	text_fini(&s->text);
	free(s);
}

static struct list_text *list_text_new(const struct engine *g,
                                       struct job *const *jobs, int n)
{
	struct list_text *s = calloc(1, sizeof *s +
	                             (size_t)n * sizeof s->job[0]);

	if (!s)
		return NULL;
	s->engine = g;
	for (; s->n < n; s->n++)
		s->job[s->n] = job_ref(jobs[s->n]);
	text_puts(&s->text, "{\"jobs\":[");
	return s;
}

/* Prints jobs until the text has that many bytes, or all of them. */
static void print_jobs(struct list_text *s, size_t bytes)
{
	for (; s->at < s->n && s->text.length < bytes; s->at++) {
		text_puts(&s->text, s->at ? "," : "");
		job_text_status(&s->text, s->engine, s->job[s->at]);
	}
	if (s->at < s->n || s->ended)
		return;
	text_puts(&s->text, "]}");
	s->ended = true;
}

static ssize_t more_jobs(void *arg, char *room, size_t most)
{
	struct list_text *s = arg;
	size_t n;

	if (s->sent == s->text.length) {
		text_clear(&s->text);
		s->sent = 0;
		print_jobs(s, most);
	}
	if (s->text.failed)
		return -1;
	n = size_min(most, s->text.length - s->sent);
	memcpy(room, s->text.data + s->sent, n);
	s->sent += n;
	return (ssize_t)n;
}

static void on_listed(void *arg, struct job *const *jobs, int n,
                      const struct err *e)
{
	struct list *const l = arg;
	const struct api *a = exchange_context(l->x);
	struct list_text *s = e->code ? NULL :
	                      list_text_new(a->options.engine, jobs, n);
	struct err none = { .code = ERR_MEMORY, .text = "no memory for the "
	                    "reply" };

	if (!s) {
		exchange_reply_problem(l->x, e->code ? e : &none, NULL);
		return;
	}
	print_jobs(s, LIST_AT_ONCE);
	if (s->ended) {
		exchange_reply_text(l->x, 200, "application/json", &s->text);
		list_text_free(s);
	} else {
		exchange_reply_stream(l->x, 200, "application/json",
		                      UINT64_MAX, more_jobs, list_text_free,
		                      s);
	}
}

static int list(struct exchange *x, void *state, struct err *e)
{
	const struct api *a = exchange_context(x);
	struct list *const l = state;
	struct selection s = { .x = x, .state = -1 };
	struct depot_selection what;

	if (exchange_query(x, select_argument, &s, e))
		return -1;
	what = (struct depot_selection){
		.tenant = s.named ? s.tenant : service_sees(x),
		.state = s.state, .most = (int)(s.limit ? s.limit :
		                                LIST_DEFAULT),
	};
	if (s.named && !s.tenant)
		on_listed(l, NULL, 0, e);
	else
		depot_list(a->options.depot, &what, on_listed, &l->by);
	return 0;
}

const struct tenant *service_sees(const struct exchange *x)
{
	return exchange_is_admin(x) ? NULL : exchange_tenant(x);
}

int service_find_job(const struct exchange *x, bool results,
                     depot_job_fn *then, struct asker *by, struct err *e)
{
	const struct api *a = exchange_context(x);

	if (exchange_query(x, refuse_argument, NULL, e))
		return -1;
	depot_find(a->options.depot, exchange_segment(x, 0), service_sees(x),
	           results, then, by);
	return 0;
}

/* --- changing a job */

struct change {
	struct exchange *x;
	struct asker by;
};

static int begin_change(struct exchange *x, void **state, struct err *e)
{
	struct change *c = calloc(1, sizeof *c);

	if (!c)
		return err_set(e, ERR_MEMORY, "no memory for the request");
	*c = (struct change){ .x = x, .by.arg = c };
	*state = c;
	return 0;
}

static void end_change(struct exchange *x, void *state)
{
	struct change *c = state;

	(void)x;
	if (c)
		ask_cancel(&c->by);
	free(c);
}

static int change(struct change *c, depot_change_fn *how, depot_job_fn *then,
                  struct err *e)
{
	const struct api *a = exchange_context(c->x);

	if (exchange_query(c->x, refuse_argument, NULL, e))
		return -1;
	how(a->options.depot, exchange_segment(c->x, 0), service_sees(c->x),
	    then, &c->by);
	return 0;
}

/* Replies to a change of the job in the path; false: with a problem. */
static bool succeeded(struct exchange *x, const struct err *e)
{
	if (e->code)
		exchange_reply_problem(x, e, NULL);
	else
		exchange_reply_header(x, "Linalgd-Job",
		                      exchange_segment(x, 0));
	return !e->code;
}

static void on_removed(void *arg, struct job *j, const struct err *e)
{
	struct exchange *const x = ((struct change *)arg)->x;
	struct text none = { 0 };

	if (j)
		access_job(x, j);
	if (succeeded(x, e))
		exchange_reply_text(x, 204, NULL, &none);
}

static int delete(struct exchange *x, void *state, struct err *e)
{
	(void)x;
	return change(state, depot_remove, on_removed, e);
}

static void on_retried(void *arg, struct job *j, const struct err *e)
{
	struct exchange *const x = ((struct change *)arg)->x;
	struct text none = { 0 };
	char path[JOB_PATH];

	(void)j;
	if (!succeeded(x, e))
		return;
	snprintf(path, sizeof path, "/jobs/%s", exchange_segment(x, 0));
	exchange_reply_header(x, "Location", path);
	exchange_reply_text(x, 202, NULL, &none);
}

static int retry(struct exchange *x, void *state, struct err *e)
{
	(void)x;
	return change(state, depot_retry, on_retried, e);
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
