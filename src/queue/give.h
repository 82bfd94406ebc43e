/* give.h - sends jobs to a worker. */
#ifndef QUEUE_GIVE_H
#define QUEUE_GIVE_H

#include "queue/state.h"

enum { GIVE_ATTEMPTS = 3 };	/* runs of a job whose workers were killed */

/* Gives an idle worker n jobs, which are not in the queue any more. */
void give_jobs(struct engine *g, struct worker *w, struct job *batch[],
               int n);

/* Puts a job that was sent back into the queue, at its place by age. */
void give_again(struct engine *g, struct job *j);

/* Does the same with a job that its worker, w, could not do because of `how`. A
 * part of a gang ends instead, because the others cannot go on without it. */
void give_elsewhere(struct engine *g, struct job *j, const struct worker *w,
                    const char *how);

/* Keeps the loop from sleeping while the worker runs a single tiny job, which
 * is answered sooner than the loop's thread would wake up. */
void give_stay_awake(struct engine *g, const struct worker *w);

#endif
