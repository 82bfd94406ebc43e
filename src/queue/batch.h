/* batch.h - which jobs are sent to a worker together.
 *
 * Only tiny jobs, whose time is known beforehand, and only jobs that follow
 * each other in the queue of one tenant: a batch overtakes no other job of that
 * tenant, and delays the next urgent one by a millisecond at most. No batch has
 * jobs of two tenants.
 */
#ifndef QUEUE_BATCH_H
#define QUEUE_BATCH_H

#include "queue/waiting.h"
#include "wire/call.h"

/* May the job be in a batch with others? Called once its operands are ready. */
bool batch_fits(const struct job *j);

/* Removes from the queue the job j, the last of a walk (waiting.h), and, if it
 * may be in a batch, the jobs of its tenant right after it that may, too, and
 * can run on the device. Returns their number. */
int batch_take(struct waiting *q, struct job *j, int device,
               struct job *batch[CALL_BATCH]);

#endif
