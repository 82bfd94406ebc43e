/* dispatch.h - the states that a job passes.
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
 */
#ifndef QUEUE_DISPATCH_H
#define QUEUE_DISPATCH_H

#include "queue/state.h"

/* Puts a ready job into the queue. If a worker is idle, the job is sent by the
 * end of the loop's turn. */
void dispatch_place(struct engine *g, struct job *j);

/* Ends a job that is being prepared, waits or runs, with its parts if it is
 * split. */
void dispatch_end_early(struct engine *g, struct job *j, enum job_state s,
                        const struct err *why);

/* Callbacks of struct worker_options; arg is the engine. */
void dispatch_on_ready(void *arg, struct worker *w);
int dispatch_on_done(void *arg, struct worker *w, const struct answers *a,
                     struct err *e);
void dispatch_on_compiled(void *arg, struct worker *w);
void dispatch_on_lost(void *arg, struct worker *w, const char *how,
                      bool own_fault);

/* A job's timer at its deadline; arg is the job. */
void dispatch_on_deadline(void *arg);

#endif
