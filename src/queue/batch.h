/* batch.h - which jobs are sent to a worker together.
 *
 * Only tiny jobs, whose time is known beforehand, and only jobs that follow
 * each other in the queue: a batch overtakes no other job, and delays the next
 * urgent one by a millisecond at most.
 */
#ifndef QUEUE_BATCH_H
#define QUEUE_BATCH_H

#include "queue/waiting.h"
#include "wire/call.h"

/* May the job be in a batch with others? Called once its operands are ready. */
bool batch_fits(const struct job *j);

/* Removes from the queue the job j and, if it may be in a batch, the jobs right
 * after it that may, too, and can run on `devices`. Returns their number. */
int batch_take(struct waiting *q, struct job *j, uint64_t devices,
               struct job *batch[CALL_BATCH]);

#endif
