/* local.h - the depot of a service that shares no queue with others: all of its
 * jobs are the engine's, its stored matrices and saved pipelines are in memory,
 * and the engine's journal, if it has one, has all of them. */
#ifndef QUEUE_LOCAL_H
#define QUEUE_LOCAL_H

#include "queue/depot.h"

/* store_ttl_ns: the default time to live of stored matrices; 0: no limit. The
 * loop and the engine are borrowed. */
struct depot *local_new(struct loop *l, struct engine *g, int64_t store_ttl_ns,
                        struct err *e);
void local_free(struct depot *d);		/* NULL is fine */

/* Brings back the stored matrices and the saved pipelines that the engine's
 * journal holds, if it has one; to be called between journal_open() and
 * journal_start(). */
int local_restore(struct depot *d, struct err *e);

#endif
