/* fleet_state.h - the fleet's state, private to src/fleet. Only the loop's
 * thread uses it. A call's work(), which runs on another thread, uses copies
 * that are made when the call is submitted. */
#ifndef FLEET_FLEET_STATE_H
#define FLEET_FLEET_STATE_H

#include "fleet/crew.h"
#include "fleet/fleet.h"
#include "fleet/listen.h"
#include "fleet/needs.h"
#include "fleet/shared.h"
#include "matrix/store.h"
#include "ops/pipeline.h"
#include "queue/backing.h"
#include "queue/hosts.h"
#include "queue/job_record.h"
#include "queue/keep.h"

enum {
	FLEET_ID = 96,			/* bytes of a node's id, with its NUL */
	FLEET_FRONTS = 3,		/* connections for clients' requests */
	FLEET_RUNNERS = 3,		/* connections for claims and ends: so
					 * neither kind delays the other */
	FLEET_RUNS = 1024,		/* leases that one host holds at most */
	FLEET_FOLLOWED = 4096,		/* views kept up to date at most */
	FLEET_QUIET = 64,		/* jobs at most of which no other host
					 * is notified: quiet.h */
	FLEET_ATTEMPTS = 3,		/* a job fails when so many hosts were
					 * lost while they ran it */
};

/* A run: a job that this host has claimed. It exists until the job's end is
 * recorded, the job is given back, or the lease is lost. The job's id and the
 * epoch together are the fencing token: every claim of a job raises its
 * epoch, and the database records an end only if its epoch is the current
 * one. */
struct leased {
	struct backing backing;		/* through which the engine calls this
					 * directory; must be first */
	struct fleet *fleet;
	char id[JOB_ID];
	int64_t epoch;
	int64_t ends_ns;		/* clock_ns() at which the lease lapses
					 * unless it is renewed */
	struct job *job;		/* a reference; NULL while its operands
					 * are being read */
	int64_t begun_ns;		/* when the engine took the job */
	int missed;			/* renewals that failed in a row */
	bool lost;			/* the lease is lost: the job's end must
					 * not be recorded */
	bool ending;			/* the job's end is being recorded */
	struct leased *next, *previous;
};

struct fetching;			/* cache.c */

struct fleet {
	struct depot depot;		/* whose functions are in ask.c,
					 * change.c, view.c and those that
					 * matrices.h names; must be first */
	struct fleet_options options;
	struct engine *engine;
	char id[FLEET_ID];		/* this process's, in linalgd.node */
	struct crew *front, *runner, *beats;
	struct shared *shared;		/* NULL: there is no --shared-dir; may
					 * be used on every thread */
	struct listener *listener;
	bool joined;			/* the database has this node's row */
	bool joining;			/* that row is being written */
	bool outdated;			/* that row can never be written */
	bool draining, closed;
	/* leased.c, claim.c: */
	struct leased *runs;
	size_t n_runs, n_ending;
	bool claiming;			/* a claim is under way */
	bool hinted;			/* there may be jobs to claim */
	bool overdue;			/* some of them may have waited longer
					 * than an idle host would let them */
	char quiet[FLEET_QUIET][JOB_ID];	/* quiet.h: jobs accepted here,
					 * not claimed yet */
	int n_quiet;
	int n_reserved;			/* quiet jobs that are being accepted */
	double mean_ns;			/* moving average of a job's time on its
					 * device */
	struct needs needs;		/* that its devices meet */
	bool unfit;			/* many jobs wait that need something
					 * else */
	/* cache.c: */
	struct store *copies;		/* of stored matrices */
	struct fetching *fetches;	/* that are under way */
	struct keeper keeper, fenced;	/* put.c */
	/* beats.c: */
	bool beating;			/* a renewal of leases is under way */
	bool counting;			/* a count of waiting jobs is under
					 * way */
	int64_t heard_ns;		/* clock_ns() of the last count */
	int64_t count_ns;		/* how long it took */
	/* hosts.c: */
	struct fleet_hosts *hosts;	/* NULL: not read yet */
	bool reading_hosts;		/* they are being read */
	int hosts_rest;			/* looks until they are read again */
	struct timer beat, look;
	/* prefer.c: */
	struct timer later;		/* claims jobs that were left to hosts
					 * with copies of their matrices */
	int64_t later_ns;		/* clock_ns() by which that has been
					 * done for all that are known */
	/* view.c: */
	struct job *followed[FLEET_FOLLOWED];	/* references */
	int n_followed;
	struct fleet_counts counts;
};

static inline struct fleet *fleet_of(struct depot *d)
{
	return (struct fleet *)d;
}

/* fleet.c: does the database answer? If not, *e is ERR_STATE with the
 * reason. */
bool fleet_is_well(const struct fleet *f, struct err *e);

depot_find_fn fleet_find;
depot_list_fn fleet_list;
depot_change_fn fleet_remove, fleet_retry;
void fleet_follow(struct depot *d, struct job *j);
depot_accept_fn fleet_accept;		/* enqueue.c */

static inline int64_t fleet_lease_ms(const struct fleet *f)
{
	return f->options.lease_ns / 1000000;
}

/* Sets j->place to this host and the names of the devices that run or ran the
 * job, because other hosts that make replies about it do not have them. Leaves
 * it as it is if j->device tells none. */
void fleet_set_place(const struct fleet *f, struct job *j);

/* Has s the form of a job's id? */
bool fleet_is_id(const char *s);

/* Copies a string in lower case, truncated to `room` bytes with its NUL. */
void fleet_lower(char *to, size_t room, const char *from);

/* claim.c: submits a claim if this host can take jobs and there may be some to
 * take. hint: there may be, for instance because the database has notified
 * it. */
void claim_begin(struct fleet *f, bool hint);
/* How many jobs keep this host's devices busy, or wait for them: the fleet's
 * and its own. */
int claim_active(const struct fleet *f);
/* Called every second. Jobs that no idle host has claimed by now are claimed
 * even by a busy host. */
void claim_overdue(struct fleet *f);
/* Gives back jobs that the fleet has claimed and that wait here behind jobs of
 * this host's own. */
void claim_withdraw(struct fleet *f);

/* leased.c: returns the run of that job, NULL if there is none. With an epoch
 * other than 0, the run's epoch must be the same. */
struct leased *leased_find(struct fleet *f, const char *id, int64_t epoch);
/* Adds a run to f->runs. NULL without memory. */
struct leased *leased_new(struct fleet *f, const char *id, int64_t epoch,
                          int64_t ends_ns);
void leased_free(struct leased *r);
/* Marks the lease as lost and dismisses the job in this process. The job's row
 * stays as it is. */
void leased_abandon(struct leased *r, const char *why);
/* Puts the job back into the queue, and frees the run. With `why`, this host
 * never claims the job again; without it, no host claims it for the next for_ms
 * milliseconds. If `why` is ERR_GONE, because operands are lost, no host can
 * run the job: it fails instead. */
void leased_give_back(struct leased *r, const struct err *why, int64_t for_ms);
/* Notes that the engine takes the job now. */
void leased_begin(struct leased *r, struct job *j);

/* put.c: stores the outputs of jobs that this process runs for its own
 * clients. */
void put_keep(struct keeper *k, struct job *j,
              void (*then)(struct job *j, const struct err *e));

/* put.c: refuses to store the outputs of a run, which its lease stores, once
 * the lease is gone. */
struct keeper *put_fenced_keeper(struct fleet *f);

/* record.c. This is the member `end` of a run's struct backing. */
void record_end(struct backing *b, struct engine *g, struct job *j,
                enum job_state s, const struct err *why,
                void (*then)(struct engine *g, struct job *j, enum job_state s,
                             const struct err *why));

/* join.c: writes this node and its devices to the database, unless that is
 * under way. */
void join_begin(struct fleet *f);

/* hosts.c: called every second; reads who is in the fleet. */
void hosts_look(struct fleet *f);
const struct fleet_hosts *hosts_of(const struct depot *d);
void hosts_free(struct fleet_hosts *h);		/* NULL is fine */

/* beats.c: the number of waiting jobs of the fleet, counted up to limit + 1.
 * The first function is for work() of a call, the second takes its result
 * over. */
struct count {
	uint64_t waiting;
	int64_t took_ns;
};
int count_waiting(struct pg *p, uint64_t limit, struct count *c,
                  struct err *e);
void count_take(struct fleet *f, const struct count *c);

/* beats.c: reaps what lost hosts have left and what has expired, and looks
 * after the shared directory. */
void reap_begin(struct fleet *f);

/* beats.c: starts and stops the periodic work. */
void beats_start(struct fleet *f);
void beats_stop(struct fleet *f);

/* view.c: makes a view from a row that S_FIND or S_LIST returned; NULL with
 * *e. */
struct job *view_of(struct fleet *f, const struct pg_answer *a, int row,
                    struct err *e);
/* Has the row results? Sets *run to the epoch of the run that made them, and
 * *bytes to their size. */
bool view_has_results(const struct pg_answer *a, int row, int64_t *run,
                      uint64_t *bytes);
/* The file of the row's results in the shared directory, or "". */
const char *view_result_file(const struct pg_answer *a, int row);
/* Brings the followed views up to date, or only those of the job with that id,
 * if it is not NULL. */
void view_refresh(struct fleet *f, const char *id);

#endif
