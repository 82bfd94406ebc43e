/* restore.h - brings back the jobs that the journal holds, when a process
 * starts: those that had not ended wait again, in their order; the others can
 * be found, with their results.
 *
 * A job that ran when RESTORE_ATTEMPTS processes ended one after the other
 * fails, and its error names the times. One whose record or whose files are
 * damaged fails with the reason.
 */
#ifndef QUEUE_RESTORE_H
#define QUEUE_RESTORE_H

#include "base/pool.h"
#include "matrix/store.h"
#include "queue/engine.h"

enum { RESTORE_ATTEMPTS = 3 };

/* Reads the jobs of the engine's journal, if it has one, starts the journal,
 * and hands the jobs to the engine, by the functions below. */
int restore_jobs(struct engine *g, struct store *s, struct pool *codec,
                 struct err *e);

struct restored;

/* Reads the jobs between journal_open() and journal_start(); NULL with *e when
 * the journal cannot be read, or the host's memory is too small for what it
 * holds. */
struct restored *restore_read(struct engine *g, struct store *s,
                              struct pool *codec, struct err *e);

/* Hands them to the engine, after journal_start(). Frees *r. */
void restore_place(struct engine *g, struct restored *r);
void restore_free(struct restored *r);		/* instead of that */

#endif
