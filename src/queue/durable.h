/* durable.h - has jobs and what they store survive the process, by the journal
 * (journal/journal.h).
 *
 *     engine_submit_held ─▶ durable_accept ─▶ on the disk ─▶ engine_prepared
 *     sent to a worker ──▶ durable_begin
 *     its end is known ──▶ durable_end ─────▶ on the disk ─▶ concluded (end.h)
 *
 * So a client hears of acceptance and of the end of a durable job only when
 * they are on the disk. Without a journal no job is durable, and these
 * functions do nothing.
 */
#ifndef QUEUE_DURABLE_H
#define QUEUE_DURABLE_H

#include "journal/journal.h"
#include "matrix/store.h"
#include "queue/state.h"

/* Writes the job, which is durable from now on, and calls then(arg, e) on the
 * loop's thread, never from within this call. The job is not durable if e->code
 * is set. Must be called after engine_submit_held() or engine_accept(), and
 * before engine_prepared(). -1 with ERR_MEMORY: then() is never called. */
int durable_accept(struct engine *g, struct job *j,
                   void (*then)(void *arg, const struct err *e), void *arg,
                   struct err *e);

/* Notes that these jobs run, and that one waits again. */
void durable_begin(struct engine *g, struct job *const batch[], int n);
void durable_put_back(struct engine *g, struct job *j);

/* Leaves a job that waits or runs to the next process of this host or, if it is
 * a fleet's, to another host. */
void durable_leave(struct engine *g, struct job *j);

/* Must the end of the job be written before it is concluded? */
bool durable_records_end(const struct engine *g, const struct job *j);

/* Writes the end of a job in the state s with the error *why, and with it the
 * matrices that it has stored, and then calls then(g, j, s, why). That may be
 * called from within this function if there is no memory to write the end. */
void durable_end(struct engine *g, struct job *j, enum job_state s,
                 const struct err *why,
                 void (*then)(struct engine *g, struct job *j,
                              enum job_state s, const struct err *why));

/* Fills in a row that puts or removes a stored matrix, as it is in the store;
 * -1 without memory. Entries with such rows must be `ordered`. */
int durable_matrix_row(struct journal_row *r, enum journal_verb verb,
                       const struct stored *s);

/* Note that a job's result, or its record, is gone. */
void durable_expire(struct engine *g, const struct job *j);
void durable_forget(struct engine *g, const struct job *j);

#endif
