/* batch.h - which jobs a worker gets together.
 *
 * Only tiny ones, whose time is known beforehand, and only those that stand
 * in the queue one behind the other: a batch overtakes nobody, and keeps the
 * next urgent job waiting for a millisecond at most.
 */
#ifndef QUEUE_BATCH_H
#define QUEUE_BATCH_H

#include "queue/waiting.h"
#include "wire/call.h"

/* May it share a batch? Asked once its operands are ready. */
bool batch_fits(const struct job *j);

/* Takes off the queue that job and, if it shares, those right behind it, for
 * these devices, that do: their number. */
int batch_take(struct waiting *q, struct job *j, uint64_t devices,
               struct job *batch[CALL_BATCH]);

#endif
