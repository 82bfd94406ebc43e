/* journaled.h - the backing of jobs that this host's journal
 * (journal/journal.h) records: when this process ends, the next one on this
 * host goes on with them. */
#ifndef QUEUE_JOURNALED_H
#define QUEUE_JOURNALED_H

#include "journal/journal.h"
#include "matrix/store.h"
#include "queue/backing.h"

extern struct backing journaled;

/* Writes the job, which has this backing from now on, and calls then(arg, e) on
 * the loop's thread, never from within this call. The job has no backing if
 * e->code is set. Must be called after engine_submit_held() or engine_accept(),
 * and before engine_prepared(). -1 with ERR_MEMORY: then() is never called. */
int journaled_accept(struct engine *g, struct job *j,
                     void (*then)(void *arg, const struct err *e), void *arg,
                     struct err *e);

/* Records a job's end like struct backing's end(); of a job without a backing,
 * only the matrices that it has stored. */
void journaled_end(struct engine *g, struct job *j, enum job_state s,
                   const struct err *why,
                   void (*then)(struct engine *g, struct job *j,
                                enum job_state s, const struct err *why));

/* The number of matrices that the job has stored and that the journal must
 * have before its end is told. */
size_t journaled_stored(const struct engine *g, const struct job *j);

/* Fills in a row that puts or removes a stored matrix, as it is in the store;
 * -1 without memory. Entries with such rows must be `ordered`. */
int journaled_matrix_row(struct journal_row *r, enum journal_verb verb,
                         const struct stored *s);

#endif
