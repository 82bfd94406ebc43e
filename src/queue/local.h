/* local.h - the depot of a service that shares no queue with others: all of its
 * jobs are the engine's. */
#ifndef QUEUE_LOCAL_H
#define QUEUE_LOCAL_H

#include "queue/depot.h"

struct depot *local_new(struct engine *g, struct err *e);
void local_free(struct depot *d);		/* NULL is fine */

#endif
