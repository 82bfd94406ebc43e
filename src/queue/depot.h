/* depot.h - where the jobs are that this host accepts from its clients, and the
 * stored matrices and saved pipelines of its tenants. There are two kinds of
 * depot, and the handlers of requests do not know which one the service has:
 *
 *     local.h          this process's queue, and its journal if it has one
 *     fleet/fleet.h    a database, whose jobs several hosts run
 *
 * A host of a fleet has jobs of its own as well: those whose clients wait for
 * the result. The functions below find these first. Other jobs are views,
 * which are copies from which a reply is made; no engine knows them.
 *
 * All functions are called on the loop's thread. What they answer is told by
 * then(by->arg, ...), before they return or later (ask.h); its arguments are
 * borrowed, and e->code is ERR_NONE unless something has failed. A tenant t is
 * the one whose jobs are meant; NULL: those of all tenants.
 */
#ifndef QUEUE_DEPOT_H
#define QUEUE_DEPOT_H

#include "matrix/store.h"
#include "queue/ask.h"
#include "queue/engine.h"
#include "queue/hosts.h"

struct depot;

typedef void depot_done_fn(void *arg, const struct err *e);

/* --- jobs */

typedef void depot_job_fn(void *arg, struct job *j, const struct err *e);
typedef void depot_jobs_fn(void *arg, struct job *const *jobs, int n,
                           const struct err *e);

/* Finds a job by its id: j is NULL with ERR_NOT_FOUND, ERR_MEMORY or ERR_STATE.
 * `results`: a view is to have the job's results, if there are any. */
typedef void depot_find_fn(struct depot *d, const char *id,
                           const struct tenant *t, bool results,
                           depot_job_fn *then, struct asker *by);

struct depot_selection {
	const struct tenant *tenant;
	int state;			/* -1: any */
	int most;			/* jobs */
};

/* Lists jobs, the newest first. */
typedef void depot_list_fn(struct depot *d, const struct depot_selection *s,
                           depot_jobs_fn *then, struct asker *by);

/* Changes a job. then() gets the job only if it is one of this process. */
typedef void depot_change_fn(struct depot *d, const char *id,
                             const struct tenant *t, depot_job_fn *then,
                             struct asker *by);

/* What a job is that a depot is to accept. */
struct depot_offer {
	const char *device;		/* that its request selects */
	struct err local;		/* ERR_NONE if a device of this host can
					 * run it, else the reason why none can,
					 * which becomes its error if no other
					 * host can run it, either */
	bool reserved;			/* reserve() was called */
};

/* Accepts a job, whose operands are ready, so that it outlives this process:
 * then(arg, old, e) is called when it does, before the job begins. Without an
 * error, the job was accepted if old is "", and is a view from then on if it is
 * not this process's own; otherwise `old` is the id of an earlier job with the
 * same Idempotency-Key, which serves this request, too. ERR_KEY_REUSED,
 * ERR_BUSY, ERR_QUOTA, ERR_STATE, ERR_NOT_READY, and the errors of
 * engine_admit(). The depot refers to the job until then() is called, which it
 * always is, maybe before this function returns. */
typedef void depot_accept_fn(struct depot *d, struct job *j,
                             const struct depot_offer *o,
                             void (*then)(void *arg, const char *old,
                                          const struct err *e), void *arg);

/* Reserves room for a job whose operands will be prepared on a pool thread. If
 * preparing fails because of *why, release() is to be called instead of
 * accept(). A job of this process can be found from then on. ERR_BUSY,
 * ERR_NOT_READY. */
typedef int depot_reserve_fn(struct depot *d, struct job *j, struct err *e);
typedef void depot_release_fn(struct depot *d, struct job *j,
                              const struct err *why);

/* --- stored matrices */

struct sought {
	const char (*names)[STORE_NAME];
	size_t n;
	bool elements;			/* not only versions and shapes */
	bool stale;			/* while the depot does not answer, this
					 * host's copies may serve */
};

/* Finds the tenant's stored matrices of these names, and puts those that exist
 * into `into`, which must exist until then() or ask_cancel(). `stale`: they are
 * copies that the depot did not confirm. ERR_STATE, ERR_MEMORY,
 * ERR_TOO_LARGE. */
typedef void depot_seek_fn(struct depot *d, const struct tenant *t,
                           const struct sought *what, struct store *into,
                           void (*then)(void *arg, bool stale,
                                        const struct err *e),
                           struct asker *by);

/* then() gets a store that has all of the tenant's stored matrices, maybe
 * without their elements. */
typedef void depot_matrices_fn(struct depot *d, const struct tenant *t,
                               void (*then)(void *arg, struct store *all,
                                            const struct err *e),
                               struct asker *by);

/* Stores a matrix, of which it takes a reference. `expected`: the version that
 * the name must have, 0: none; NULL: any. then() gets the version that the
 * matrix has, and whether the name is new. ERR_PRECONDITION, ERR_QUOTA,
 * ERR_MEMORY, ERR_TOO_LARGE, ERR_STATE. */
typedef void depot_put_fn(struct depot *d, const struct tenant *t,
                          const char *name, const struct matrix *m,
                          int64_t ttl_ns, const uint64_t *expected,
                          void (*then)(void *arg, uint64_t version, bool new,
                                       const struct err *e),
                          struct asker *by);

/* Removes a stored matrix: ERR_NOT_FOUND, or with `expected`
 * ERR_PRECONDITION. */
typedef void depot_discard_fn(struct depot *d, const struct tenant *t,
                              const char *name, const uint64_t *expected,
                              depot_done_fn *then, struct asker *by);

/* --- saved pipelines */

/* Calls visit(by->arg, name, text) for the tenant's pipeline of that name, or
 * for all of them if name is NULL, before then(). ERR_NOT_FOUND if there is
 * none of that name. */
typedef void depot_read_fn(struct depot *d, const struct tenant *t,
                           const char *name,
                           void (*visit)(void *arg, const char *name,
                                         const char *text),
                           depot_done_fn *then, struct asker *by);

enum { DEPOT_PIPELINES = 1024 };	/* of a tenant, at most */

/* What must hold of a name for its pipeline to be saved or removed. */
enum depot_when { DEPOT_ALWAYS, DEPOT_IF_NEW, DEPOT_IF_THERE, DEPOT_IF_SAME };

/* Saves a pipeline; text NULL: removes it. was: the text that it must still
 * have, with DEPOT_IF_SAME. then() gets whether the name is new.
 * ERR_PRECONDITION, ERR_MEMORY, ERR_NOT_FOUND. */
typedef void depot_save_fn(struct depot *d, const struct tenant *t,
                           const char *name, const char *text,
                           enum depot_when when, const char *was,
                           void (*then)(void *arg, bool new,
                                        const struct err *e),
                           struct asker *by);

/* --- a depot */

/* What a kind of depot does. */
struct depot_calls {
	/* For depot_find() and the other functions below alone: about jobs that
	 * are not this process's own. NULL: there are none. */
	depot_find_fn *find;
	depot_list_fn *list;		/* calls depot_tell_list() */
	depot_change_fn *remove, *retry;
	void (*follow)(struct depot *d, struct job *j);
	/* For handlers of requests, who call d->calls->accept(d, ...). */
	depot_accept_fn *accept;
	depot_reserve_fn *reserve;
	depot_release_fn *release;
	depot_seek_fn *seek;		/* NULL: they are all in d->store */
	depot_matrices_fn *matrices;
	depot_put_fn *put;
	depot_discard_fn *discard;
	depot_read_fn *read;
	depot_save_fn *save;
	/* Evicts copies of stored matrices that nothing uses, until so many
	 * bytes of memory are free, or none is left. NULL: there are none. */
	void (*make_room)(struct depot *d, uint64_t bytes);
	/* depot_is_well(); NULL: the depot is in this process. */
	bool (*is_well)(const struct depot *d, struct err *e);
	/* Of a shared one. hosts() is NULL if they have not been read yet; they
	 * are valid until the loop's next turn. */
	struct fleet_counts (*counts)(const struct depot *d);
	const struct fleet_hosts *(*hosts)(const struct depot *d);
};

struct depot {
	const struct depot_calls *calls;
	bool shared;			/* other hosts run its jobs, too */
	const char *host;		/* this one's name; NULL: not shared */
	struct engine *engine;
	struct store *store;		/* of matrices that are at hand, which
					 * may be none */
	struct keeper *keeper;		/* stores jobs' outputs; NULL: d->store
					 * does */
	uint64_t service;		/* a random number of the depot, for
					 * entity tags; 0: not known (yet) */
};

/* For the kinds. depot_init() makes d->store, whose default time to live is
 * ttl_ns. depot_fini() accepts { 0 }. */
int depot_init(struct depot *d, const struct depot_calls *c, int64_t ttl_ns,
               struct err *e);
void depot_fini(struct depot *d);

/* Can anything be written to the depot at present? If not, *e is ERR_STATE with
 * the reason. */
bool depot_is_well(const struct depot *d, struct err *e);

/* Can what this process's own jobs need be written to its disk? If not, *e is
 * ERR_STATE with the reason. */
bool depot_disk_is_well(const struct depot *d, struct err *e);

void depot_make_room(struct depot *d, uint64_t bytes);

depot_find_fn depot_find;
depot_list_fn depot_list;

/* Dismisses a job that has not ended, whose record stays; forgets one that has.
 * then() is called when that is on the disk. */
depot_change_fn depot_remove;

/* Puts a job that failed because hosts were lost while it ran back into the
 * queue, without its deadline. ERR_CONFLICT if it has not failed for that
 * reason. */
depot_change_fn depot_retry;

/* Do the jobs that it accepts outlive this process? */
bool depot_keeps(const struct depot *d);

/* Is the job a view? */
static inline bool depot_is_view(const struct job *j)
{
	return j->engine == NULL;
}

/* Calls then() when this process's own jobs that were accepted before are on
 * the disk. */
void depot_settle(struct depot *d, depot_done_fn *then, struct asker *by);

/* Keeps a view up to date, and calls job_changed() after each change, until the
 * job has ended, or the last reference to the view but the depot's own has been
 * dropped. */
void depot_follow(struct depot *d, struct job *j);

/* Calls then() with those of the n jobs and of this process's own jobs, both
 * sorted by age, that are the newest. */
void depot_tell_list(const struct depot *d, const struct depot_selection *s,
                     struct job *const *jobs, int n, depot_jobs_fn *then,
                     void *arg);

/* Set *e to ERR_NOT_FOUND, or to depot_retry()'s ERR_CONFLICT, for the job, and
 * return -1. */
int depot_no_job(const char *id, struct err *e);
int depot_not_lost(const char *id, struct err *e);

/* Sets ERR_PRECONDITION if a name whose pipeline has the text `is`, NULL if it
 * is not there, does not fulfill `when`, and returns -1; else returns 0. */
int depot_check_when(enum depot_when when, const char *was, const char *is,
                     struct err *e);

#endif
