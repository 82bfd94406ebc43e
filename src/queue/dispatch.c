/* dispatch.c - see dispatch.h. */
#include <stdio.h>
#include <string.h>

#include "queue/batch.h"
#include "queue/plan.h"
#include "queue/put_off.h"
#include "queue/split.h"
#include "queue/worker_log.h"

enum {
	ATTEMPTS = 2,		/* runs of a job whose workers were killed */
	EAGER = 8,		/* jobs in the queue from which on it is not
				 * left to gather until the turn's end */
};

/* How long the loop waits for the answer to a tiny job without sleeping. */
static const int64_t awake_ns = 60000;

bool dispatch_is_idle(const struct worker *w)
{
	return worker_is_well(w) && !w->n_running;
}

static bool works_on(const struct worker *w, const struct job *j)
{
	for (int i = 0; i < w->n_running; i++)
		if (w->running[i] == j)
			return true;
	return false;
}

struct worker *dispatch_worker(struct engine *g, const struct job *j)
{
	for (int i = 0; i < g->n_workers; i++)
		if (works_on(&g->worker[i], j))
			return &g->worker[i];
	return NULL;
}

void dispatch_tell_drained(struct engine *g)
{
	void (*const fn)(void *arg) = g->drained;

	if (!fn || g->unended)
		return;
	g->drained = NULL;
	fn(g->drained_arg);
}

/* The job has no result to fetch (any more): its record may be forgotten when
 * enough others have ended. */
static void keep_record(struct job *j)
{
	job_discharge(j);
	records_forgettable(&j->engine->records, j);
}

static void on_expiry(void *arg)
{
	struct job *j = arg;

	j->gone = true;
	j->updated_ms = clock_wall_ms();
	job_forget_outputs(j);
	keep_record(j);
}

void dispatch_release(struct engine *g, struct job *j)
{
	loop_timer_clear(g->loop, &j->grace);
	job_drop_operands(j);
	if (j->state != JOB_SUCCESSFUL)
		job_drop_outputs(j);
	job_unref(j);
}

static void conclude(struct engine *g, struct job *j, enum job_state s,
                     const struct err *why)
{
	j->state = s;
	j->err = *why;
	j->ended_ns = clock_ns();
	job_go_on(j, j->ended_ns);
	j->finished_ms = j->updated_ms = clock_wall_ms();
	g->unended--;
	loop_timer_clear(g->loop, &j->deadline);
	if (s == JOB_SUCCESSFUL && j->keep)
		loop_timer_set(g->loop, &j->expiry,
		               j->ended_ns + g->result_ttl_ns, on_expiry, j);
	else
		keep_record(j);
	if (j->on_end)
		j->on_end(j, j->on_end_arg);
	dispatch_tell_drained(g);
}

void dispatch_end(struct engine *g, struct job *j, enum job_state s,
                  const struct err *why)
{
	conclude(g, j, s, why);
	if (!j->preparing)
		dispatch_release(g, j);
	else if (j->unwanted)
		j->unwanted(j->unwanted_arg);
}

static void on_grace_over(void *arg)
{
	struct job *j = arg;
	struct worker *w = dispatch_worker(j->engine, j);

	if (!w)
		return;
	worker_log_stuck(w, j->id);
	worker_kill(w);
}

void dispatch_end_early(struct engine *g, struct job *j, enum job_state s,
                        const struct err *why)
{
	struct worker *w = dispatch_worker(g, j);

	if (w) {
		worker_cancel(w, j->serial);
		loop_timer_set(g->loop, &j->grace, clock_ns() + g->grace_ns,
		               on_grace_over, j);
		conclude(g, j, s, why);
	} else if (j->split) {
		split_drop(g, j, why);
		dispatch_end(g, j, s, why);
	} else if (j->waiting) {
		waiting_remove(&g->waiting, j);
		dispatch_end(g, j, s, why);
	} else if (j->preparing) {
		dispatch_end(g, j, s, why);
	} else {
		/* Its answer has arrived: finish() releases it. */
		conclude(g, j, s, why);
	}
}

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

/* Fails a job that is in no list, unless it has ended already. */
static void fail(struct engine *g, struct job *j, const struct worker *w,
                 const char *how)
{
	struct err e = { 0 };

	if (job_state_is_end(j->state)) {
		dispatch_release(g, j);
		return;
	}
	err_set(&e, ERR_DEVICE, "the worker of device %d (%.60s) %.140s",
	        w->sheet.index, w->sheet.name, how);
	dispatch_end(g, j, JOB_FAILED, &e);
}

/* Sends the jobs to the worker; -1 if that fails, which is not their fault. */
static int send_to(struct worker *w, struct job *const batch[], int n)
{
	const int64_t now = clock_ns();	/* the worker may preempt us below */
	struct call_out calls[CALL_BATCH];
	struct err e = { 0 };
	size_t results = 0;

	for (int i = 0; i < n; i++) {
		struct job *const j = batch[i];

		calls[i] = (struct call_out){ j->serial, j->timing_level,
		                              &j->args, results };
		job_go_on(j, now);
		j->results = results;
		results = call_results_end(&j->args, results);
		j->attempts++;
		j->device = w->sheet.index;
		j->started_ns = now;
	}
	if (worker_call(w, calls, n, &e)) {
		worker_log_unsent(w, batch[0]->id, e.text);
		worker_kill(w);
		return -1;
	}
	return 0;
}

static void run_on(struct engine *g, struct worker *w,
                   struct job *const batch[], int n)
{
	const int64_t wall_ms = clock_wall_ms();

	g->due_ns[w - g->worker] = plan_due(g, w, batch, n, clock_ns());

	for (int i = 0; i < n; i++) {
		w->running[i] = batch[i];
		batch[i]->state = JOB_RUNNING;
		batch[i]->begun_ms = batch[i]->updated_ms = wall_ms;
	}
	w->n_running = n;
}

void dispatch_stay_awake(struct engine *g, const struct worker *w)
{
	const bool brief = g->many_cores && w->n_running == 1 &&
	                   ((const struct job *)w->running[0])->shares;

	loop_stay_awake(g->loop, brief ? clock_ns() + awake_ns : 0);
}

void dispatch_wait_again(struct engine *g, struct job *j)
{
	j->state = JOB_ACCEPTED;
	j->device = -1;
	j->started_ns = j->begun_ms = 0;
	j->updated_ms = clock_wall_ms();
	waiting_add_again(&g->waiting, j);
}

/* A job that could not be sent to one worker may go to another. */
static void give(struct engine *g, struct worker *w, struct job *batch[],
                 int n)
{
	if (n == 0)
		return;
	if (send_to(w, batch, n)) {
		while (n > 0)
			dispatch_wait_again(g, batch[--n]);
		return;
	}
	run_on(g, w, batch, n);
	dispatch_stay_awake(g, w);
}

/* Jobs that were tried too often fail last: the end of a job may make its
 * client submit another, which must not be sent to this worker before the
 * present ones have made it busy. */
void dispatch_give(struct engine *g, struct worker *w, struct job *batch[],
                   int n)
{
	struct job *fresh[CALL_BATCH], *worn[CALL_BATCH];
	int n_fresh = 0, n_worn = 0;

	for (int i = 0; i < n; i++)
		if (batch[i]->attempts < ATTEMPTS)
			fresh[n_fresh++] = batch[i];
		else
			worn[n_worn++] = batch[i];
	give(g, w, fresh, n_fresh);
	while (n_worn > 0)
		fail(g, worn[--n_worn], w, "could not be sent this job");
}

/* Gives the worker the job and those that may be in a batch with it. */
static void give_next(struct engine *g, struct worker *w, struct job *j)
{
	const uint64_t bit = UINT64_C(1) << (w - g->worker);
	struct job *batch[CALL_BATCH];

	dispatch_give(g, w, batch, batch_take(&g->waiting, j, bit, batch));
}

void dispatch_take_all(void *arg)
{
	struct engine *g = arg;
	struct worker *w;
	struct job *j;
	int64_t again_ns = INT64_MAX;

	while ((j = plan_next(g, &w, &again_ns)))
		if (!split_begin(g, j))
			give_next(g, w, j);
	if (again_ns < INT64_MAX)
		loop_timer_set(g->loop, &g->again, again_ns,
		               dispatch_take_all, g);
	else
		loop_timer_clear(g->loop, &g->again);
}

void dispatch_place(struct engine *g, struct job *j)
{
	j->shares = batch_fits(j);
	waiting_add(&g->waiting, j);
	if (j->shares && g->waiting.n < EAGER)
		loop_later(g->loop, &g->later, dispatch_take_all, g);
	else
		dispatch_take_all(g);
}

void dispatch_on_ready(void *arg, struct worker *w)
{
	(void)w;
	dispatch_take_all(arg);
}

static void lose(struct engine *g, struct worker *w, struct job *j,
                 const char *how, bool own_fault)
{
	char text[160];

	snprintf(text, sizeof text, "%s while this job ran", how);
	if (job_state_is_end(j->state))
		dispatch_release(g, j);
	else if (own_fault || j->attempts >= ATTEMPTS)
		fail(g, j, w, text);
	else
		dispatch_wait_again(g, j);
}

/* Has a job of a lost batch run again, alone: if the job was the cause, the
 * worker is then lost with it only. */
static void lose_shared(struct engine *g, struct job *j)
{
	j->alone = true;
	j->shares = false;
	j->attempts--;
	if (job_state_is_end(j->state))
		dispatch_release(g, j);
	else
		dispatch_wait_again(g, j);
}

void dispatch_on_lost(void *arg, struct worker *w, const char *how,
                      bool own_fault)
{
	struct engine *g = arg;
	struct job *lost[CALL_BATCH];
	const int n = w->n_running;

	memcpy(lost, w->running, (size_t)n * sizeof lost[0]);
	w->n_running = 0;
	rates_forget(&g->rates[w - g->worker]);
	waiting_warmed(&g->waiting, UINT64_C(1) << (w - g->worker),
	               clock_ns());
	for (int i = n; i-- > 0;)
		if (n > 1)
			lose_shared(g, lost[i]);
		else
			lose(g, w, lost[i], how, own_fault);
	dispatch_take_all(g);
}
