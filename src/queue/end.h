/* end.h - ends jobs.
 *
 * A job is concluded when its state is final and its owner was notified
 * (on_end), and released when neither a worker nor a pool thread uses its
 * memory any more.
 */
#ifndef QUEUE_END_H
#define QUEUE_END_H

#include "queue/state.h"

/* Concludes a job that neither the queue nor a worker holds, and releases it
 * unless it is being prepared. */
void end_job(struct engine *g, struct job *j, enum job_state s,
             const struct err *why);
void end_release(struct engine *g, struct job *j);

/* Keeps the result of a job that has succeeded until that clock_ns(). */
void end_keep_until(struct engine *g, struct job *j, int64_t until_ns);

/* Takes a job that has ended in an earlier process; what is damaged, if
 * why->code is set, cannot be fetched. */
void end_restored(struct engine *g, struct job *j, const struct err *why);

/* Ends a job that is being prepared, waits or runs, and is not split. A running
 * one is cancelled, and released when its worker has answered or was killed. */
void end_early(struct engine *g, struct job *j, enum job_state s,
               const struct err *why);

/* Fails a job that neither the queue nor a worker holds with ERR_DEVICE, unless
 * it has ended already. how: what the worker did, "died by signal 11". */
void end_by_device(struct engine *g, struct job *j, const struct worker *w,
                   const char *how);

/* Calls g->drained, once, when no job is left that has not ended. */
void end_tell_drained(struct engine *g);

/* Calls g->drained, once, whatever is left. */
void end_drain(struct engine *g);

#endif
