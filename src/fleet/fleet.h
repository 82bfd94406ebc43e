/* fleet.h - the jobs that several hosts share through a PostgreSQL database:
 * docs/scale.md tells the protocol.
 *
 *     loop's thread                         threads, each with a connection
 *     fleet_enqueue() ──▶ call.work() ────▶ one transaction
 *     then(arg, ...) ◀─── call.done() ◀──── COMMIT
 *     claims, leases (leased.c) ─────────────▶ beats, claims, ends
 *     hints (listen.c) ◀─────────────────── LISTEN
 *
 * A job of the fleet is a row; the struct job that this process has of it is
 * either a run, which the engine holds as any other job (leased.c), or a view,
 * a copy of the row that no engine knows, for a reply about it (view.c).
 *
 * All functions are called on the loop's thread, and every callback comes on
 * it, never from within the call that asks for it.
 */
#ifndef FLEET_FLEET_H
#define FLEET_FLEET_H

#include "base/loop.h"
#include "base/pool.h"
#include "matrix/memory.h"
#include "queue/engine.h"

struct fleet;

struct fleet_options {
	struct loop *loop;
	struct memory_pool *memory;
	struct pool *codec;
	const char *url;		/* of the database */
	const char *name;		/* of this host, for people */
	int64_t lease_ns, result_ttl_ns;
	uint64_t queue_limit;		/* jobs that may wait in the fleet */
};

/* Makes a fleet whose database is not asked for anything yet. ERR_PARAMETER:
 * the URL is none. */
struct fleet *fleet_new(const struct fleet_options *o, struct err *e);

/* Joins the fleet with the engine's devices, and begins to claim jobs; while
 * the database is away, it keeps trying. */
int fleet_start(struct fleet *f, struct engine *g, struct err *e);

/* Claims no more jobs. */
void fleet_drain(struct fleet *f);

/* Leaves the fleet: what is being written is written, if the database takes
 * it, and every callback is called. The engine must have drained. NULL is
 * fine. */
void fleet_close(struct fleet *f);
void fleet_free(struct fleet *f);

/* Does the database answer? Sets *e (ERR_STATE) to the reason if not. */
bool fleet_is_well(const struct fleet *f, struct err *e);

/* The name of this host, and counts since the start. */
const char *fleet_name(const struct fleet *f);
struct fleet_counts {
	uint64_t claimed, recorded;	/* runs: begun, and ended in time */
	uint64_t fenced;		/* ends that came too late */
	uint64_t abandoned;		/* runs whose lease was lost */
	uint64_t given_back;		/* runs that another host may have */
	uint64_t accepted;		/* jobs that were accepted here */
	uint64_t waiting;		/* jobs of all hosts that wait */
	uint64_t running;		/* leases that this host has */
};
struct fleet_counts fleet_counts(const struct fleet *f);

/* Something that was asked for; NULL then. fleet_cancel() has its then() never
 * called, and is allowed until then() was; NULL is fine. */
struct fleet_ask;
void fleet_cancel(struct fleet_ask *a);

/* Accepts a job, whose operands are ready. `device` is what its request
 * selected; local: a device of this host can run it, or why none can.
 * then(arg, old, e): the job waits in the fleet if e->code is ERR_NONE, unless
 * `old` is not "": that is the id of the job that has the same key and serves
 * this request, too. ERR_KEY_REUSED, ERR_BUSY, ERR_QUOTA, ERR_STATE; the local
 * error if no other host fits, either. The job is referred to until then(). -1:
 * then() is never called. */
int fleet_enqueue(struct fleet *f, struct job *j, const char *device,
                  const struct err *local,
                  void (*then)(void *arg, const char *old,
                               const struct err *e), void *arg,
                  struct err *e);

/* Finds a job by its id. t: whose it must be; NULL: anybody's. results: with
 * its results, if it has some. then(arg, j, e): j is a view, borrowed; or NULL
 * with ERR_NOT_FOUND, ERR_MEMORY, ERR_STATE. NULL with *e. */
struct fleet_ask *fleet_find(struct fleet *f, const char *id,
                             const struct tenant *t, bool results,
                             void (*then)(void *arg, struct job *j,
                                          const struct err *e), void *arg,
                             struct err *e);

/* Lists jobs, the newest first, at most `most`: then(arg, jobs, n, e). state:
 * -1: any. */
struct fleet_ask *fleet_list(struct fleet *f, const struct tenant *t,
                             int state, int most,
                             void (*then)(void *arg, struct job *const *jobs,
                                          int n, const struct err *e),
                             void *arg, struct err *e);

/* Dismisses a job that has not ended, and forgets one that has:
 * then(arg, e). */
struct fleet_ask *fleet_remove(struct fleet *f, const char *id,
                               const struct tenant *t,
                               void (*then)(void *arg, const struct err *e),
                               void *arg, struct err *e);

/* Has a job wait once more that failed because hosts were lost while it ran:
 * then(arg, e); ERR_NOT_FOUND, or ERR_CONFLICT for any other job. It has no
 * deadline any more. */
struct fleet_ask *fleet_retry(struct fleet *f, const char *id,
                              const struct tenant *t,
                              void (*then)(void *arg, const struct err *e),
                              void *arg, struct err *e);

/* Keeps a view up to date, and calls job_changed(), until it has ended or
 * nobody else refers to it. */
void fleet_follow(struct fleet *f, struct job *j);

#endif
