/* dispatch.c - see dispatch.h. */
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "queue/batch.h"
#include "queue/plan.h"
#include "queue/split.h"

enum {
	ATTEMPTS = 2,		/* of a job whose worker was killed */
	EAGER = 8,		/* jobs that do not wait for the turn's end */
};

/* How long a tiny job is waited for without sleeping. */
static const int64_t awake_ns = 60000;

bool dispatch_is_idle(const struct worker *w)
{
	return w->state == WORKER_READY && !w->n_running;
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

static void on_expiry(void *arg)
{
	struct job *j = arg;

	j->gone = true;
	j->updated_ms = clock_wall_ms();
	job_drop_outputs(j);
	records_forgettable(&j->engine->records, j);
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
	j->finished_ms = j->updated_ms = clock_wall_ms();
	g->unended--;
	loop_timer_clear(g->loop, &j->deadline);
	if (s == JOB_SUCCESSFUL && j->keep)
		loop_timer_set(g->loop, &j->expiry,
		               j->ended_ns + g->result_ttl_ns, on_expiry, j);
	else
		records_forgettable(&g->records, j);
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
}

static void on_grace_over(void *arg)
{
	struct job *j = arg;
	struct worker *w = dispatch_worker(j->engine, j);

	if (!w)
		return;
	log_warn("device %d (%s): job %s did not stop when told to; its "
	         "worker is killed", w->sheet.index, w->sheet.name, j->id);
	worker_kill(w);
}

void dispatch_end_early(struct engine *g, struct job *j, enum job_state s,
                        const struct err *why)
{
	struct worker *w = dispatch_worker(g, j);

	if (!w) {
		if (j->split)
			split_drop(g, j, why);
		else if (!j->preparing)
			waiting_remove(&g->waiting, j);
		dispatch_end(g, j, s, why);
		return;
	}
	worker_cancel(w, j->serial);
	loop_timer_set(g->loop, &j->grace, clock_ns() + g->grace_ns,
	               on_grace_over, j);
	conclude(g, j, s, why);
}

void dispatch_on_deadline(void *arg)
{
	struct job *j = arg;
	struct err e = { 0 };

	err_set(&e, ERR_TIMEOUT, "%s: time was up after %.0f ms, while the job "
	        "%s", j->args.op->name,
	        (double)(j->deadline_ns - j->accepted_ns) / 1e6,
	        j->state == JOB_RUNNING ? "ran" :
	        j->preparing ? "was prepared" : "waited for a device");
	dispatch_end_early(j->engine, j, JOB_FAILED, &e);
}

static void fail(struct engine *g, struct job *j, const struct worker *w,
                 const char *how)
{
	struct err e = { 0 };

	err_set(&e, ERR_DEVICE, "the worker of device %d (%.60s) %.80s",
	        w->sheet.index, w->sheet.name, how);
	dispatch_end(g, j, JOB_FAILED, &e);
}

/* -1: the worker cannot be spoken to, which is not the jobs' fault. */
static int send_to(struct worker *w, struct job *const batch[], int n)
{
	const int64_t now = clock_ns();	/* the worker may preempt us below */
	struct call_out calls[CALL_BATCH];
	struct err e = { 0 };

	for (int i = 0; i < n; i++) {
		struct job *const j = batch[i];

		calls[i] = (struct call_out){ j->serial, j->timing_level,
		                              &j->args };
		j->attempts++;
		j->device = w->sheet.index;
		j->started_ns = now;
	}
	if (worker_call(w, calls, n, &e)) {
		log_error("device %d (%s): job %s could not be sent: %s",
		          w->sheet.index, w->sheet.name, batch[0]->id, e.text);
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

/* A tiny job alone is answered sooner than this thread would wake up. */
static void stay_awake(struct engine *g, const struct worker *w)
{
	const bool brief = g->many_cores && w->n_running == 1 &&
	                   ((const struct job *)w->running[0])->shares;

	loop_stay_awake(g->loop, brief ? clock_ns() + awake_ns : 0);
}

static void wait_again(struct engine *g, struct job *j)
{
	j->state = JOB_ACCEPTED;
	j->device = -1;
	j->started_ns = 0;
	j->updated_ms = clock_wall_ms();
	waiting_add_again(&g->waiting, j);
}

/* Fails those that were tried too often; how many are left. */
static int drop_worn(struct engine *g, const struct worker *w,
                     struct job *batch[], int n)
{
	int left = 0;

	for (int i = 0; i < n; i++)
		if (batch[i]->attempts < ATTEMPTS)
			batch[left++] = batch[i];
		else
			fail(g, batch[i], w, "could not be sent this job");
	return left;
}

/* Whom one worker could not be sent, another may take. */
void dispatch_give(struct engine *g, struct worker *w, struct job *batch[],
                   int n)
{
	n = drop_worn(g, w, batch, n);
	if (n > 0 && send_to(w, batch, n)) {
		while (n > 0)
			wait_again(g, batch[--n]);
		return;
	}
	run_on(g, w, batch, n);
	stay_awake(g, w);
}

/* The job and those that may go with it. */
static void give_next(struct engine *g, struct worker *w, struct job *j)
{
	const uint64_t bit = UINT64_C(1) << (w - g->worker);
	struct job *batch[CALL_BATCH];

	dispatch_give(g, w, batch, batch_take(&g->waiting, j, bit, batch));
}

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

static void take_answer(struct job *j, const struct done *d)
{
	struct args *const a = &j->args;

	memcpy(j->variant, d->variant, sizeof j->variant);
	a->residual = d->residual;
	for (int i = 0; i < OP_OUTPUTS; i++)
		if (!(d->present >> i & 1))
			matrix_fini(&a->out[i]);
	job_set_timing(j, &d->timing);
}

static enum job_state state_after(const struct err *e)
{
	return !e->code ? JOB_SUCCESSFUL :
	       e->code == ERR_DISMISSED ? JOB_DISMISSED : JOB_FAILED;
}

static void learn(struct engine *g, const struct worker *w,
                  const struct args *a, const struct timing *t)
{
	struct rates *const own = &g->rates[w - g->worker];
	const double bytes = rates_all_bytes(own, &w->sheet, a);

	for (int i = 0; i < g->n_workers; i++)
		if (rates_alike(&g->worker[i].sheet, &w->sheet))
			rates_learn(&g->rates[i], &w->sheet, a, bytes, t);
	rates_keep(own, &w->sheet, a);
}

/* A job of a batch begins when those before it have ended. */
static void finish(struct engine *g, struct worker *w, struct job *j,
                   const struct done *d)
{
	if (job_state_is_end(j->state)) {
		dispatch_release(g, j);
	} else if (d->serial != j->serial) {
		fail(g, j, w, "answered another call");
	} else {
		if (d->begun_ns > j->started_ns)
			j->started_ns = d->begun_ns;
		take_answer(j, d);
		if (!d->err.code && !j->shares)
			learn(g, w, &j->args, &d->timing);
		dispatch_end(g, j, state_after(&d->err), &d->err);
	}
}

static void let_go(struct worker *w, int n)
{
	w->n_running -= n;
	memmove(w->running, w->running + n,
	        (size_t)w->n_running * sizeof w->running[0]);
}

/* The device gets its next jobs before the end of these is told. */
void dispatch_on_done(void *arg, struct worker *w, const struct answers *a)
{
	struct engine *g = arg;
	struct job *ended[CALL_BATCH];
	const struct done *d = NULL;
	int n = 0;

	while ((d = answers_next(a, d))) {
		ended[n] = w->running[n];
		n++;
	}
	let_go(w, n);
	stay_awake(g, w);
	take_all(g);
	for (int i = 0; i < n; i++) {
		d = answers_next(a, d);
		finish(g, w, ended[i], d);
	}
}

static void lose(struct engine *g, struct worker *w, struct job *j,
                 const char *how, bool own_fault)
{
	char text[96];

	snprintf(text, sizeof text, "%s while this job ran", how);
	if (job_state_is_end(j->state))
		dispatch_release(g, j);
	else if (own_fault || j->attempts >= ATTEMPTS)
		fail(g, j, w, text);
	else
		wait_again(g, j);
}

/* One of a batch: who is to blame shows when each runs alone. */
static void lose_shared(struct engine *g, struct job *j)
{
	j->alone = true;
	j->shares = false;
	j->attempts--;
	if (job_state_is_end(j->state))
		dispatch_release(g, j);
	else
		wait_again(g, j);
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
	for (int i = n; i-- > 0;)
		if (n > 1)
			lose_shared(g, lost[i]);
		else
			lose(g, w, lost[i], how, own_fault);
	take_all(g);
}
