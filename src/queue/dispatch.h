/* dispatch.h - the engine's state, and the states that a job passes.
 *
 *     place --> waiting --> (plan.h) running ------- done, lost --> conclude,
 *                  ^                      |   |                     release
 *                  +-- its batch was lost +   +-- dismissed, timed out -->
 *                                                 conclude; release when the
 *                                                 worker has answered
 *
 * A tiny job waits for the end of the loop's turn, even if a worker is idle,
 * and is sent together with those submitted in the same turn. When a worker is
 * lost with several jobs, each runs once more, alone, because one of them may
 * be the cause.
 *
 * A worker may put a job off, because kernels are not compiled yet. The job
 * then waits again, but not for that worker until it reports that kernels were
 * compiled.
 *
 * A job is concluded when its state is final and its owner was notified
 * (on_end), and released when neither a worker nor a pool thread uses its
 * memory any more.
 */
#ifndef QUEUE_DISPATCH_H
#define QUEUE_DISPATCH_H

#include "queue/engine.h"
#include "queue/rates.h"
#include "queue/records.h"
#include "queue/supervisor.h"
#include "queue/waiting.h"

struct engine {
	struct loop *loop;
	size_t queue_limit;
	int64_t result_ttl_ns, grace_ns, timeout_ns;
	struct worker_options workers_have;
	struct worker worker[SHEETS];
	struct rates rates[SHEETS];	/* of worker[i]'s device */
	int64_t due_ns[SHEETS];		/* clock_ns() when worker[i]'s answer is
					 * expected */
	int n_workers;
	struct waiting waiting;
	struct memory_pool *memory;	/* charged for kept records */
	struct records records;
	uint64_t serial;		/* of the newest job */
	uint64_t uploads;		/* the newest upload_id (memory.h) */
	size_t unended;			/* jobs that are prepared, wait or
					 * run */
	size_t preparing;		/* of these, those being prepared */
	struct post later;		/* takes jobs at the turn's end */
	struct timer again;		/* takes jobs that were held back for a
					 * busy but faster device */
	bool many_cores;		/* the loop may wait without sleeping */
	bool draining;
	void (*drained)(void *arg);
	void *drained_arg;
};

/* Can the worker take a job now? */
bool dispatch_is_idle(const struct worker *w);

/* The worker that runs the job; NULL: none. */
struct worker *dispatch_worker(struct engine *g, const struct job *j);

/* Puts a ready job into the queue. If a worker is idle, the job is sent by the
 * end of the loop's turn. */
void dispatch_place(struct engine *g, struct job *j);

/* Gives idle workers the waiting jobs that plan.h assigns to them; arg is the
 * engine. */
void dispatch_take_all(void *arg);

/* Keeps the loop from sleeping while the worker runs a single tiny job, which
 * is answered sooner than the loop's thread would wake up. */
void dispatch_stay_awake(struct engine *g, const struct worker *w);

/* Gives an idle worker n jobs, which are not in the queue any more. */
void dispatch_give(struct engine *g, struct worker *w, struct job *batch[],
                   int n);

/* Puts a job back into the queue, at its place by age. */
void dispatch_wait_again(struct engine *g, struct job *j);

/* Concludes a job that neither the queue nor a worker holds, and releases it
 * unless it is being prepared. */
void dispatch_end(struct engine *g, struct job *j, enum job_state s,
                  const struct err *why);
void dispatch_release(struct engine *g, struct job *j);

/* Ends a job that is being prepared, waits or runs. A running one is cancelled,
 * and released when its worker has answered or was killed. */
void dispatch_end_early(struct engine *g, struct job *j, enum job_state s,
                        const struct err *why);

/* Callbacks of struct worker_options; arg is the engine. */
void dispatch_on_ready(void *arg, struct worker *w);
int dispatch_on_done(void *arg, struct worker *w, const struct answers *a,
                     struct err *e);
void dispatch_on_lost(void *arg, struct worker *w, const char *how,
                      bool own_fault);

/* Calls g->drained, once, when no job is left that has not ended. */
void dispatch_tell_drained(struct engine *g);

/* A job's timer at its deadline; arg is the job. */
void dispatch_on_deadline(void *arg);

#endif
