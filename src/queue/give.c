/* give.c - see give.h. */
#include "queue/durable.h"
#include "queue/end.h"
#include "queue/give.h"
#include "queue/plan.h"
#include "queue/worker_log.h"

/* How long the loop waits for the answer to a tiny job without sleeping. */
static const int64_t awake_ns = 60000;

/* Packs each step of a pipeline as a call; all have the job's serial number. A
 * pipeline is sent in a message of its own, never in a batch with other jobs.
 * Returns the number of calls. */
static int pack_steps(struct job *j, struct call_out calls[CALL_BATCH])
{
	struct pipeline *const p = j->args.pipeline;
	size_t results = 0;

	p->answered = 0;
	for (int k = 0; k < p->n; k++) {
		struct step *s = &p->step[k];

		calls[k] = (struct call_out){
			.serial = j->serial, .pipeline = p, .step = k,
			.tenant = job_tenant(j),
			.level = j->timing_level, .args = &s->args,
			.results = s->results = results,
		};
		results = call_results_end(&s->args, results);
	}
	return p->n;
}

/* Sends the jobs to the worker; -1 if that fails, which is not their fault. */
static int send_to(struct worker *w, struct job *const batch[], int n)
{
	const int64_t now = clock_ns();	/* the worker may preempt us below */
	struct call_out calls[CALL_BATCH];
	struct err e = { 0 };
	size_t results = 0;
	int n_calls = 0;

	for (int i = 0; i < n; i++) {
		struct job *const j = batch[i];

		if (j->args.pipeline) {
			n_calls = pack_steps(j, calls);
		} else {
			calls[n_calls++] = (struct call_out){
				.serial = j->serial, .level = j->timing_level,
				.args = &j->args, .results = results,
				.tenant = job_tenant(j),
			};
			j->results = results;
			results = call_results_end(&j->args, results);
		}
		job_go_on(j, now);
		j->attempts++;
		j->device = w->sheet.index;
		j->started_ns = now;
	}
	if (worker_call(w, calls, n_calls, &e)) {
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
		job_set_state(batch[i], JOB_RUNNING);
		batch[i]->begun_ms = batch[i]->updated_ms = wall_ms;
	}
	durable_begin(g, batch, n);
	for (int i = 0; i < n; i++)
		job_changed(batch[i]);
	w->n_running = n;
	w->n_answers = batch[0]->args.pipeline ?
	               batch[0]->args.pipeline->n : n;
}

void give_stay_awake(struct engine *g, const struct worker *w)
{
	const bool brief = g->many_cores && w->n_running == 1 &&
	                   ((const struct job *)w->running[0])->shares;

	loop_stay_awake(g->loop, brief ? clock_ns() + awake_ns : 0);
}

void give_again(struct engine *g, struct job *j)
{
	if (j->state == JOB_RUNNING)
		durable_put_back(g, j);
	job_set_state(j, JOB_ACCEPTED);
	j->device = -1;
	j->started_ns = j->begun_ms = 0;
	j->updated_ms = clock_wall_ms();
	waiting_add_again(&g->waiting, j);
	job_changed(j);
}

void give_elsewhere(struct engine *g, struct job *j, const struct worker *w,
                    const char *how)
{
	j->lost = j->args.gang.parts > 0;
	if (j->lost)
		end_by_device(g, j, w, how);
	else
		give_again(g, j);
}

static const char unsent[] = "could not be sent this job";

/* A job that could not be sent to one worker may go to another. */
static void give(struct engine *g, struct worker *w, struct job *batch[],
                 int n)
{
	if (n == 0)
		return;
	if (send_to(w, batch, n)) {
		while (n > 0)
			give_elsewhere(g, batch[--n], w, unsent);
		return;
	}
	run_on(g, w, batch, n);
	give_stay_awake(g, w);
}

/* Jobs that were tried too often fail last: the end of a job may make its
 * client submit another, which must not be sent to this worker before the
 * present ones have made it busy. */
void give_jobs(struct engine *g, struct worker *w, struct job *batch[],
               int n)
{
	struct job *fresh[CALL_BATCH], *worn[CALL_BATCH];
	int n_fresh = 0, n_worn = 0;

	for (int i = 0; i < n; i++)
		if (batch[i]->attempts < GIVE_ATTEMPTS)
			fresh[n_fresh++] = batch[i];
		else
			worn[n_worn++] = batch[i];
	give(g, w, fresh, n_fresh);
	while (n_worn > 0)
		end_by_device(g, worn[--n_worn], w, unsent);
}
