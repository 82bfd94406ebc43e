/* durable.h - has the states of jobs, and what they store, recorded outside
 * this process, by the backing that each job has (backing.h).
 *
 *     accepted, or claimed ─▶ j->backing is set
 *     sent to a worker ─────▶ durable_begin
 *     its end is known ─────▶ durable_end ─────▶ recorded ─▶ concluded (end.h)
 *
 * So a client hears of the end of a job with a backing only when it is
 * recorded. A job without a backing is lost with the process.
 */
#ifndef QUEUE_DURABLE_H
#define QUEUE_DURABLE_H

#include "queue/backing.h"

/* Notes that these jobs run, and that one waits again. */
void durable_begin(struct engine *g, struct job *const batch[], int n);
void durable_put_back(struct engine *g, struct job *j);

/* Leaves a job with a backing, which waits or runs, to another process. */
void durable_leave(struct engine *g, struct job *j);

/* Must the end of the job be recorded before it is concluded? */
bool durable_records_end(const struct engine *g, const struct job *j);

/* Records the end of a job in the state s with the error *why, and with it the
 * matrices that it has stored, and then calls then(g, j, s, why). That may be
 * called from within this function. */
void durable_end(struct engine *g, struct job *j, enum job_state s,
                 const struct err *why,
                 void (*then)(struct engine *g, struct job *j,
                              enum job_state s, const struct err *why));

/* Note that a job's result, or its record, is gone. */
void durable_expire(struct engine *g, const struct job *j);
void durable_forget(struct engine *g, const struct job *j);

#endif
