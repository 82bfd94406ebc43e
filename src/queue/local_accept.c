/* local_accept.c - accepts jobs for a local depot (local.h): the engine holds a
 * job while the journal writes it. */
#include <stdlib.h>

#include "queue/journaled.h"
#include "queue/local_state.h"

struct accepting {
	struct engine *engine;
	struct job *job;		/* a reference */
	void (*then)(void *arg, const char *old, const struct err *e);
	void *arg;
};

/* An accepted job is told before it begins, and a refused one when it has
 * ended. */
static void on_written(void *arg, const struct err *e)
{
	const struct accepting x = *(struct accepting *)arg;

	free(arg);
	if (!e->code)
		x.then(x.arg, "", e);
	engine_prepared(x.engine, x.job, e);
	if (e->code)
		x.then(x.arg, "", e);
	job_unref(x.job);
}

int local_reserve(struct depot *d, struct job *j, struct err *e)
{
	return engine_accept(d->engine, j, e);
}

void local_release(struct depot *d, struct job *j, const struct err *why)
{
	engine_prepared(d->engine, j, why);
}

/* Writes a job that the engine holds, unless it has ended meanwhile. */
static void write_job(struct accepting *x)
{
	struct err e = job_is_over(x->job) ? x->job->err : (struct err){ 0 };

	if (e.code || journaled_accept(x->engine, x->job, on_written, x, &e))
		on_written(x, &e);
}

void local_accept(struct depot *d, struct job *j, const struct depot_offer *o,
                  void (*then)(void *arg, const char *old,
                               const struct err *e), void *arg)
{
	struct accepting *x = malloc(sizeof *x);
	struct err e = { 0 };

	if (!x)
		err_set(&e, ERR_MEMORY, "no memory for a job");
	if (o->reserved && e.code)
		engine_prepared(d->engine, j, &e);
	else if (!o->reserved && !e.code)
		engine_submit_held(d->engine, j, &e);
	if (e.code) {
		free(x);
		then(arg, "", &e);
		return;
	}
	*x = (struct accepting){ d->engine, job_ref(j), then, arg };
	write_job(x);
}
