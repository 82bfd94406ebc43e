/* change.c - changes one job of the fleet: dismisses it, deletes it, or retries
 * it. */
#include <stdio.h>
#include <stdlib.h>

#include "fleet/asking.h"

struct pg_value asking_tenant(const struct asking *a)
{
	return pg_text(a->any_tenant ? NULL : a->tenant);
}

void asking_init(struct asking *a, struct fleet *f, const char *id,
                 const struct tenant *t,
                 int (*work)(struct call *c, struct pg *p, struct err *e),
                 void (*done)(struct call *c))
{
	a->call = (struct call){ .work = work, .done = done };
	a->fleet = f;
	a->any_tenant = t == NULL;
	snprintf(a->id, sizeof a->id, "%s", id);
	if (t)
		snprintf(a->tenant, sizeof a->tenant, "%s", t->name);
}

void *asking_new(struct fleet *f, size_t size, const char *id,
                 const struct tenant *t,
                 int (*work)(struct call *c, struct pg *p, struct err *e),
                 void (*done)(struct call *c), struct err *e)
{
	struct asking *a;

	if (!fleet_is_well(f, e))
		return NULL;
	a = calloc(1, size);
	if (!a) {
		err_set(e, ERR_MEMORY, "no memory for a query");
		return NULL;
	}
	asking_init(a, f, id, t, work, done);
	return a;
}

int asking_not_found(const struct asking *a, struct err *e)
{
	return err_set(e, ERR_NOT_FOUND, "there is no job %.40s (any more)",
	               a->id);
}

struct changing {
	struct asking asking;
	void (*then)(void *arg, const struct err *e);
	void *arg;
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
		return asking_not_found(&x->asking, e);
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

	if (!x->asking.ask.cancelled)
		x->then(x->arg, &c->err);
	free(x);
}

static struct fleet_ask *change(struct fleet *f, const char *id,
                                const struct tenant *t,
                                int (*work)(struct call *c, struct pg *p,
                                            struct err *e),
                                void (*then)(void *arg, const struct err *e),
                                void *arg, struct err *e)
{
	struct changing *x = asking_new(f, sizeof *x, id, t, work, changed,
	                                e);

	if (!x)
		return NULL;
	x->then = then;
	x->arg = arg;
	crew_submit(f->front, &x->asking.call);
	return &x->asking.ask;
}

struct fleet_ask *fleet_remove(struct fleet *f, const char *id,
                               const struct tenant *t,
                               void (*then)(void *arg, const struct err *e),
                               void *arg, struct err *e)
{
	return change(f, id, t, remove_job, then, arg, e);
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
	return !rows ? asking_not_found(&x->asking, e) :
	       err_set(e, ERR_CONFLICT, "job %s has not failed because hosts "
	               "were lost while it ran", x->asking.id);
}

struct fleet_ask *fleet_retry(struct fleet *f, const char *id,
                              const struct tenant *t,
                              void (*then)(void *arg, const struct err *e),
                              void *arg, struct err *e)
{
	return change(f, id, t, retry, then, arg, e);
}
