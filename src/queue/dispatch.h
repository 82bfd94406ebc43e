/* dispatch.h - the engine's state, and how a job gets through it.
 *
 *     place --> waiting --> (plan.h) running ------- done, lost --> conclude,
 *                  ^                      |   |                     release
 *                  +-- its batch was lost +   +-- dismissed, timed out -->
 *                                                 conclude; release when the
 *                                                 worker lets go
 *
 * A tiny job waits for the end of the loop's turn, even where a worker is
 * idle, and goes with those that came in the same turn. When a worker is lost
 * with several, each runs once more, alone: one of them may be to blame.
 *
 * A worker may put a job off: it waits again, but not for that worker, until
 * that tells that kernels were compiled.
 *
 * A job is concluded when its state is final and its owner knows, and
 * released when nobody works on its memory any more: neither a worker nor
 * who prepares it.
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
	struct rates rates[SHEETS];	/* the workers' */
	int64_t due_ns[SHEETS];		/* when each should have answered */
	int n_workers;
	struct waiting waiting;
	struct memory_pool *memory;	/* counts what is kept */
	struct records records;
	uint64_t serial;		/* of the newest job */
	uint64_t uploads;		/* of the newest operand sent ahead */
	size_t unended;			/* jobs that wait or run */
	size_t preparing;		/* of those, not yet placed */
	struct post later;		/* for what waits at the turn's end */
	struct timer again;		/* for what waits for a better device */
	bool many_cores;		/* so that waiting takes none away */
	bool draining;
	void (*drained)(void *arg);
	void *drained_arg;
};

/* Would it take a job now? */
bool dispatch_is_idle(const struct worker *w);

/* Which works on the job; NULL: none. */
struct worker *dispatch_worker(struct engine *g, const struct job *j);

/* Has the job wait, for no longer than until the turn's end if a worker is
 * idle. */
void dispatch_place(struct engine *g, struct job *j);

/* Gives idle workers what waits for them; arg is the engine. */
void dispatch_take_all(void *arg);

/* Does not sleep while a tiny job alone is at work there, which is answered
 * sooner than this thread would wake up. */
void dispatch_stay_awake(struct engine *g, const struct worker *w);

/* Gives an idle worker these jobs, which wait no more. */
void dispatch_give(struct engine *g, struct worker *w, struct job *batch[],
                   int n);

/* Has one wait again, in its place by age. */
void dispatch_wait_again(struct engine *g, struct job *j);

/* Concludes a job that no queue and no worker holds, and releases it, if it
 * is not being prepared. */
void dispatch_end(struct engine *g, struct job *j, enum job_state s,
                  const struct err *why);
void dispatch_release(struct engine *g, struct job *j);

/* Ends a job that is prepared, waits or runs, before its time. */
void dispatch_end_early(struct engine *g, struct job *j, enum job_state s,
                        const struct err *why);

/* The workers' events; arg is the engine. */
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
