/* split.h - one large job on several devices.
 *
 *     job ──┬─▶ part: a job of its own, rows of some matrices ─▶ device
 *           ├─▶ part                                          ─▶ device
 *           └─▶ ...           each writes its rows of the job's own outputs
 *
 * A job is cut when its operation knows how, nothing else waits, and computing
 * it takes so long that equal parts on several idle devices, of those that it
 * may go to, would be done well before the whole on one. A part is given to its
 * device at once; it is lost, run again, cancelled and killed like any job,
 * but is not found by an id. The job ends when all its parts have; the first
 * that fails ends the others and the job.
 */
#ifndef QUEUE_SPLIT_H
#define QUEUE_SPLIT_H

#include "queue/dispatch.h"

/* Takes a job that waits, and could begin, off the queue and runs it in
 * parts; false: it is left as it is. */
bool split_begin(struct engine *g, struct job *j);

/* Has its parts end early: the job itself is concluded by the caller. */
void split_drop(struct engine *g, struct job *j, const struct err *why);

int split_progress(const struct engine *g, const struct job *j);

/* For an engine that ends: its parts are let go already. */
void split_free(struct job *j);

#endif
