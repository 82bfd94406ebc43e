/* durable.c - see durable.h. */
#include <stdlib.h>

#include "queue/durable.h"
#include "queue/journaled.h"
#include "queue/keep.h"

/* --- while a job waits and runs */

/* Is batch[i] the first of the batch with its backing? */
static bool is_first(struct job *const batch[], int i)
{
	for (int k = 0; k < i; k++)
		if (batch[k]->backing == batch[i]->backing)
			return false;
	return true;
}

void durable_begin(struct engine *g, struct job *const batch[], int n)
{
	for (int i = 0; i < n; i++) {
		struct backing *const b = batch[i]->backing;

		if (b && b->begin && is_first(batch, i))
			b->begin(b, g, batch, n);
	}
}

void durable_put_back(struct engine *g, struct job *j)
{
	if (j->backing && j->backing->put_back)
		j->backing->put_back(j->backing, g, j);
}

void durable_leave(struct engine *g, struct job *j)
{
	j->backing->leave(j->backing, g, j);
}

void durable_expire(struct engine *g, const struct job *j)
{
	if (j->backing && j->backing->expire)
		j->backing->expire(j->backing, g, j);
}

void durable_forget(struct engine *g, const struct job *j)
{
	if (j->backing && j->backing->forget)
		j->backing->forget(j->backing, g, j);
}

/* --- the end of a job */

struct ending *ending_new(struct engine *g, struct job *j, enum job_state s,
                          const struct err *why,
                          void (*then)(struct engine *g, struct job *j,
                                       enum job_state s,
                                       const struct err *why))
{
	struct ending *x = malloc(sizeof *x);

	if (x)
		*x = (struct ending){ g, job_ref(j), s, *why, then };
	return x;
}

void ending_free(struct ending *x)
{
	if (x)
		job_unref(x->job);
	free(x);
}

void ending_tell(struct ending *x)
{
	x->then(x->engine, x->job, x->state, &x->err);
	ending_free(x);
}

/* Has the job outputs for a keeper, which no backing records? */
static bool needs_keeper(const struct job *j, enum job_state s)
{
	const struct keeping *const k = j->keeping;

	return k && k->keeper && k->done && !j->backing && s == JOB_SUCCESSFUL;
}

bool durable_records_end(const struct engine *g, const struct job *j)
{
	return j->backing || needs_keeper(j, j->end_state) ||
	       (journaled_stored(g, j) && j->end_state == JOB_SUCCESSFUL);
}

/* Ends a job whose outputs were given to a keeper. */
static void on_kept(struct job *j, const struct err *e)
{
	struct ending *const x = j->keeping->ending;

	keep_settled(j->keeping, e->code != ERR_NONE);
	if (e->code) {
		j->end_state = x->state = JOB_FAILED;
		x->err = *e;
		job_drop_outputs(j);
	}
	ending_tell(x);
}

static void keep(struct engine *g, struct job *j, enum job_state s,
                 const struct err *why,
                 void (*then)(struct engine *g, struct job *j,
                              enum job_state s, const struct err *why))
{
	static const struct err full = {
		.code = ERR_MEMORY, .retry_s = 1,
		.text = "no memory to store the outputs",
	};
	struct keeping *const k = j->keeping;
	struct ending *const x = ending_new(g, j, s, why, then);

	if (!x) {
		keep_settled(k, true);
		then(g, j, JOB_FAILED, &full);
		return;
	}
	k->ending = x;
	k->keeper->keep(k->keeper, j, on_kept);
}

void durable_end(struct engine *g, struct job *j, enum job_state s,
                 const struct err *why,
                 void (*then)(struct engine *g, struct job *j,
                              enum job_state s, const struct err *why))
{
	if (j->backing)
		j->backing->end(j->backing, g, j, s, why, then);
	else if (needs_keeper(j, s))
		keep(g, j, s, why, then);
	else
		journaled_end(g, j, s, why, then);
}
