/* dispatch.c - see dispatch.h. */
#include <stdio.h>
#include <string.h>

#include "queue/answered.h"
#include "queue/batch.h"
#include "queue/dispatch.h"
#include "queue/end.h"
#include "queue/give.h"
#include "queue/plan.h"
#include "queue/put_off.h"
#include "queue/split.h"
#include "queue/steps.h"

/* A queue with this many jobs is sent at once, and does not gather more jobs
 * until the end of the loop's turn. */
enum { EAGER = 8 };

void dispatch_on_deadline(void *arg)
{
	struct job *j = arg;
	struct err e = { 0 };

	err_set(&e, ERR_TIMEOUT, "%s: time was up after %.0f ms, while the job "
	        "%s%s", j->args.op->name,
	        (double)(j->deadline_ns - j->accepted_ns) / 1e6,
	        j->state == JOB_RUNNING ? "ran" :
	        j->preparing ? "was prepared" : "waited for a device",
	        j->usual_deadline ? "; a request that may take longer says so "
	        "by its timeout_ms" : "");
	dispatch_end_early(j->engine, j, JOB_FAILED, &e);
}

/* Gives the worker the job and those that may be in a batch with it. */
static void give_next(struct engine *g, struct worker *w, struct job *j)
{
	struct job *batch[CALL_BATCH];

	give_jobs(g, w, batch, batch_take(&g->waiting, j,
	                                  (int)(w - g->worker), batch));
}

/* Gives idle workers the waiting jobs that plan.h assigns to them; arg is the
 * engine. */
static void take_all(void *arg)
{
	struct engine *g = arg;
	struct worker *w;
	struct job *j;
	int64_t again_ns = INT64_MAX;

	while ((j = plan_next(g, &w, &again_ns)))
		if (!split_begin(g, j))
			give_next(g, w, j);
	if (again_ns < INT64_MAX)
		loop_timer_set(g->loop, &g->again, again_ns, take_all, g);
	else
		loop_timer_clear(g->loop, &g->again);
}

void dispatch_end_early(struct engine *g, struct job *j, enum job_state s,
                        const struct err *why)
{
	if (job_is_over(j))
		return;
	if (j->split) {
		split_drop(g, j, why);
		end_job(g, j, s, why);
	} else {
		end_early(g, j, s, why);
	}
	loop_later(g->loop, &g->later, take_all, g);
}

void dispatch_place(struct engine *g, struct job *j)
{
	j->shares = batch_fits(j);
	waiting_add(&g->waiting, j);
	if (j->shares && g->waiting.n < EAGER)
		loop_later(g->loop, &g->later, take_all, g);
	else
		take_all(g);
}

void dispatch_on_ready(void *arg, struct worker *w)
{
	(void)w;
	take_all(arg);
}

void dispatch_on_compiled(void *arg, struct worker *w)
{
	struct engine *g = arg;

	waiting_warmed(&g->waiting, UINT64_C(1) << (w - g->worker),
	               clock_ns());
	take_all(g);
}

static void let_go(struct worker *w, int n)
{
	w->n_running -= n;
	memmove(w->running, w->running + n,
	        (size_t)w->n_running * sizeof w->running[0]);
}

/* Gives out jobs that a tenant's limit of running jobs has held back until the
 * answered ones were concluded. */
static void take_held(struct engine *g)
{
	if (g->waiting.n)
		take_all(g);
}

static int on_steps(struct engine *g, struct worker *w,
                    const struct answers *a, struct err *e)
{
	struct job *const j = w->running[0];
	const struct done *last;
	bool again;

	if (steps_take(w, a, &last, e) ||
	    (last && answered_trace(w, j, last, e)))
		return -1;
	if (!last)
		return 0;
	let_go(w, 1);
	again = put_off_by(g, w, j, last);
	give_stay_awake(g, w);
	take_all(g);
	if (!again)
		answered_finish(g, w, j, last);
	take_held(g);
	return 0;
}

/* The device gets its next jobs before the answered ones are concluded. Between
 * these steps the answered jobs are in no list. A callback of one job may end
 * another answered job early; answered_finish() then still releases that
 * job. */
int dispatch_on_done(void *arg, struct worker *w, const struct answers *a,
                     struct err *e)
{
	struct engine *g = arg;
	struct job *ended[CALL_BATCH];
	const struct done *answer[CALL_BATCH], *d = NULL;
	int n = 0;

	if (steps_run(w))
		return on_steps(g, w, a, e);
	if (answered_check(w, a, e) || answered_traces(w, a, e))
		return -1;
	for (; (d = answers_next(a, d)); n++) {
		ended[n] = w->running[n];
		answer[n] = d;
		answered_fetch(w, ended[n], d);
	}
	let_go(w, n);
	for (int i = 0; i < n; i++)
		if (put_off_by(g, w, ended[i], answer[i]))
			ended[i] = NULL;
	give_stay_awake(g, w);
	take_all(g);
	for (int i = 0; i < n; i++)
		if (ended[i])
			answered_finish(g, w, ended[i], answer[i]);
	take_held(g);
	return 0;
}

static void lose(struct engine *g, struct worker *w, struct job *j,
                 const char *how, bool own_fault)
{
	char text[160];

	snprintf(text, sizeof text, "%s while this job ran", how);
	if (job_is_over(j))
		end_release(g, j);
	else if (own_fault || j->attempts >= GIVE_ATTEMPTS)
		end_by_device(g, j, w, text);
	else
		give_elsewhere(g, j, w, text);
}

/* Has a job of a lost batch run again, alone: if this job was the cause of the
 * loss, it alone is lost with the next worker. */
static void lose_shared(struct engine *g, struct job *j)
{
	j->alone = true;
	j->shares = false;
	j->attempts--;
	if (job_is_over(j))
		end_release(g, j);
	else
		give_again(g, j);
}

void dispatch_on_lost(void *arg, struct worker *w, const char *how,
                      bool own_fault)
{
	struct engine *g = arg;
	struct job *lost[CALL_BATCH];
	const int n = w->n_running;

	memcpy(lost, w->running, (size_t)n * sizeof lost[0]);
	w->n_running = 0;
	g->losses[w - g->worker]++;
	rates_forget(&g->rates[w - g->worker]);
	waiting_warmed(&g->waiting, UINT64_C(1) << (w - g->worker),
	               clock_ns());
	for (int i = n; i-- > 0;)
		if (n > 1)
			lose_shared(g, lost[i]);
		else
			lose(g, w, lost[i], how, own_fault);
	take_all(g);
}
