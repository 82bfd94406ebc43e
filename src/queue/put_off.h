/* put_off.h - jobs that a worker does not take yet: it has their kernels
 * compiled by another process, and tells when they can come again. Meanwhile
 * another device may take them, and other jobs go past.
 */
#ifndef QUEUE_PUT_OFF_H
#define QUEUE_PUT_OFF_H

#include "queue/dispatch.h"

/* Has the job wait, if that is what the worker's answer says; false: it says
 * something else, or nobody waits for the job. */
bool put_off_by(struct engine *g, const struct worker *w, struct job *j,
                const struct done *d);

/* The worker's news; arg is the engine. */
void put_off_on_compiled(void *arg, struct worker *w);

#endif
