/* state.h - the engine's state, for the files below engine.h alone.
 *
 *     engine ─▶ dispatch ─┬─▶ split ────┬─▶ give ─┬─▶ plan ──────────┐
 *                         ├─▶ put_off ──┘         ├─▶ end ─▶ durable ┴─▶ state
 *                         └─▶ answered ───────────┘
 *
 * split.c has split_way.c below it, which calls nothing of these, and durable.c
 * has journaled.c.
 *
 * A file calls only those to its right, which `make lint` proves. A field is
 * changed only by the files that the comment above or beside it names; the
 * others read it.
 */
#ifndef QUEUE_STATE_H
#define QUEUE_STATE_H

#include "journal/journal.h"
#include "queue/rates.h"
#include "queue/records.h"
#include "queue/supervisor.h"
#include "queue/tally.h"
#include "queue/trace.h"
#include "queue/waiting.h"

struct engine {
	/* engine.c, when the engine is made. */
	struct loop *loop;
	size_t queue_limit;
	int64_t result_ttl_ns, grace_ns, timeout_ns;
	struct worker_options workers_have;
	int n_workers;
	struct memory_pool *memory;	/* charged for kept records */
	struct tenants *tenants;
	struct journal *journal;	/* NULL: nothing survives the process */
	bool audits;			/* a line for every job (audit.h) */
	bool many_cores;		/* the loop may wait without sleeping */

	/* engine.c, as jobs come. */
	uint64_t serial;		/* of the newest job; split.c counts its
					 * parts, too */
	uint64_t uploads;		/* the newest upload_id (memory.h) */
	size_t preparing;		/* jobs that are being prepared */
	bool draining;
	void (*drained)(void *arg);	/* end.c calls it, once */
	void *drained_arg;

	/* supervisor.h; the jobs that a worker runs are set by give.c and
	 * removed by dispatch.c. */
	struct worker worker[SHEETS];
	struct rates rates[SHEETS];	/* of worker[i]'s device; answered.c,
					 * dispatch.c when a worker is lost */
	int64_t due_ns[SHEETS];		/* clock_ns() when worker[i]'s answer is
					 * expected; give.c */

	/* Jobs enter the queue in dispatch.c, and again in give.c; batch.h
	 * removes those that are sent, split.c those that it cuts, and end.c
	 * those that end early. */
	struct waiting waiting;
	struct records records;		/* engine.c adds, end.c marks */
	struct traces traces;		/* end.c */
	size_t unended;			/* jobs that are prepared, wait or run:
					 * engine.c and split.c add, end.c
					 * subtracts */
	struct tally tally;		/* end.c, answered.c */
	uint64_t losses[SHEETS];	/* processes of worker[i] that ended:
					 * dispatch.c */
	struct post later;		/* dispatch.c: takes jobs at the turn's
					 * end */
	struct timer again;		/* dispatch.c: takes jobs that were held
					 * back for a busy but faster device */
};

/* Returns the worker that runs the job; NULL: none. */
struct worker *state_worker_of(struct engine *g, const struct job *j);

/* Returns the progress, in percent, of a job that is not split. */
int state_progress(const struct engine *g, const struct job *j);

#endif
