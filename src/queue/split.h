/* split.h - one large job on several devices.
 *
 *     job ──┬─▶ part: a job with rows of some matrices         ─▶ device
 *           ├─▶ part                                          ─▶ device
 *           └─▶ ...             each writes its rows of the job's outputs
 *
 * A job is split if its operation defines how, no other job waits, and equal
 * parts on several idle devices that it may run on would be done well before
 * the whole on one. Parts are sent to their devices at once. A part is lost,
 * run again, cancelled and killed like any job, but cannot be found by an id.
 * The job ends when all its parts have; the first that fails ends the other
 * parts and the job.
 *
 * The parts of a gang (gang.h) have the whole matrices, and memory that they
 * share. If the worker of one is lost through no fault of the job, the others
 * are ended, too, and the job waits to begin anew.
 */
#ifndef QUEUE_SPLIT_H
#define QUEUE_SPLIT_H

#include "queue/state.h"

/* Removes a waiting job that could begin now from the queue and runs it in
 * parts; false: the job stays as it is. One that a gang must compute ends if
 * there is no memory for that. */
bool split_begin(struct engine *g, struct job *j);

/* Ends the parts of a job early; the caller concludes the job itself. */
void split_drop(struct engine *g, struct job *j, const struct err *why);

int split_progress(const struct engine *g, const struct job *j);

/* Frees the job's split when the engine is freed, after the parts were. */
void split_free(struct job *j);

#endif
