/* put_off.h - jobs that a worker puts off while it has their kernels compiled
 * by another process; it reports when they can be sent again. Meanwhile another
 * device may take them, and other jobs overtake them.
 */
#ifndef QUEUE_PUT_OFF_H
#define QUEUE_PUT_OFF_H

#include "queue/state.h"

/* Puts the job back into the queue if the worker's answer is ERR_NOT_READY;
 * false if it is not, or if the job has ended. */
bool put_off_by(struct engine *g, const struct worker *w, struct job *j,
                const struct done *d);

#endif
