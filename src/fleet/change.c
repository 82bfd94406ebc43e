/* change.c - changes one job of the fleet: dismisses it, deletes it, or retries
 * it. */
#include <stdio.h>
#include <stdlib.h>

#include "fleet/asking.h"

struct pg_value asking_tenant(const struct asking *a)
{
	return pg_text(a->any_tenant ? NULL : a->tenant);
}

void asking_init(struct asking *a, struct depot *d, const char *id,
                 const struct tenant *t,
                 int (*work)(struct call *c, struct pg *p, struct err *e),
                 void (*done)(struct call *c))
{
	a->call = (struct call){ .work = work, .done = done };
	a->fleet = fleet_of(d);
	a->any_tenant = t == NULL;
	snprintf(a->id, sizeof a->id, "%s", id);
	if (t)
		snprintf(a->tenant, sizeof a->tenant, "%s", t->name);
}

void *asking_new(struct depot *d, size_t size, const char *id,
                 const struct tenant *t,
                 int (*work)(struct call *c, struct pg *p, struct err *e),
                 void (*done)(struct call *c), struct err *e)
{
	struct asking *a;

	if (!fleet_is_well(fleet_of(d), e))
		return NULL;
	a = calloc(1, size);
	if (!a) {
		err_set(e, ERR_MEMORY, "no memory for a query");
		return NULL;
	}
	asking_init(a, d, id, t, work, done);
	return a;
}

void asking_submit(struct asking *a, struct asker *by)
{
	ask_begin(&a->ask, by);
	crew_submit(a->fleet->front, &a->call);
}

struct changing {
	struct asking asking;
	depot_job_fn *then;
};

/* The row is locked first, so that the job cannot end in between. */
static int remove_locked(struct changing *x, struct pg *p, struct err *e)
{
	const struct pg_value v[] = {
		pg_text(x->asking.id), asking_tenant(&x->asking),
	};
	struct pg_answer *a = pg_ask(p, S_LOCK, v, e);
	bool ended;

	if (!a)
		return -1;
	if (pg_rows(a) == 0) {
		pg_answer_free(a);
		return depot_no_job(x->asking.id, e);
	}
	ended = job_state_is_end((enum job_state)
	                         job_state_find(pg_get(a, 0, 0)));
	pg_answer_free(a);
	return pg_do(p, ended ? S_REMOVE : S_DISMISS, v, e);
}

static int remove_job(struct call *c, struct pg *p, struct err *e)
{
	struct changing *const x = (struct changing *)c;

	return pg_begin(p, e) ? -1 : pg_end(p, remove_locked(x, p, e), e);
}

static void changed(struct call *c)
{
	struct changing *const x = (struct changing *)c;

	struct asker *const by = ask_end(&x->asking.ask);

	if (by)
		x->then(by->arg, NULL, &c->err);
	free(x);
}

static void change(struct depot *d, const char *id, const struct tenant *t,
                   int (*work)(struct call *c, struct pg *p, struct err *e),
                   depot_job_fn *then, struct asker *by)
{
	struct err e = { 0 };
	struct changing *x = NULL;

	if (fleet_is_id(id))
		x = asking_new(d, sizeof *x, id, t, work, changed, &e);
	else
		depot_no_job(id, &e);
	if (!x) {
		then(by->arg, NULL, &e);
		return;
	}
	x->then = then;
	asking_submit(&x->asking, by);
}

void fleet_remove(struct depot *d, const char *id, const struct tenant *t,
                  depot_job_fn *then, struct asker *by)
{
	change(d, id, t, remove_job, then, by);
}

/* --- retrying a job */

static int retry(struct call *c, struct pg *p, struct err *e)
{
	const struct changing *const x = (struct changing *)c;
	const struct pg_value v[] = {
		pg_text(x->asking.id), asking_tenant(&x->asking),
	};
	int rows = pg_count(p, S_RETRY, v, e);

	if (rows)
		return rows < 0 ? -1 : 0;
	rows = pg_count(p, S_FIND, v, e);
	if (rows < 0)
		return -1;
	return (rows ? depot_not_lost : depot_no_job)(x->asking.id, e);
}

void fleet_retry(struct depot *d, const char *id, const struct tenant *t,
                 depot_job_fn *then, struct asker *by)
{
	change(d, id, t, retry, then, by);
}
