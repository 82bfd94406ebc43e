/* fleet_state.h - the fleet's state, for src/fleet alone. All of it belongs to
 * the loop's thread; a call has copies of what its work() needs. */
#ifndef FLEET_FLEET_STATE_H
#define FLEET_FLEET_STATE_H

#include "fleet/crew.h"
#include "fleet/fleet.h"
#include "fleet/listen.h"
#include "matrix/store.h"
#include "ops/pipeline.h"
#include "queue/job_record.h"
#include "queue/lease.h"

enum {
	FLEET_ID = 96,
	FLEET_FRONTS = 3,		/* connections for what clients wait
					 * for, */
	FLEET_RUNNERS = 3,		/* for what runs need: neither waits for
					 * the other */
	FLEET_RUNS = 1024,		/* leases of one host at most */
	FLEET_FOLLOWED = 4096,		/* views that are kept up to date */
	FLEET_ATTEMPTS = 3,		/* hosts that a job may be lost with */
};

/* A job that this host has claimed, until its end is recorded or it is another
 * host's. */
struct leased {
	struct lease lease;		/* what the engine knows of it */
	struct fleet *fleet;
	char id[JOB_ID];
	int64_t epoch;
	int64_t ends_ns;		/* clock_ns() when the lease has ended
					 * unless it is renewed */
	struct job *job;		/* a reference; NULL: its operands are
					 * being read */
	int64_t begun_ns;		/* when the engine got it */
	int missed;			/* beats in a row without renewal */
	bool lost;			/* its end must not be recorded */
	bool ending;			/* its end is being recorded */
	struct leased *next, *previous;
};

struct fleet {
	struct fleet_options options;
	struct engine *engine;
	char id[FLEET_ID];		/* of this process among the nodes */
	struct crew *front, *runner, *beats;
	struct listener *listener;
	bool joined, joining;		/* the database knows this node */
	bool draining, closed;
	/* leased.c, claim.c: */
	struct leased *runs;
	size_t n_runs, n_ending;
	bool claiming;			/* a claim is under way */
	bool hinted;			/* there may be jobs to claim, and */
	bool patient;			/* they may have waited for long */
	double mean_ns;			/* of a job's time on its device */
	/* beats.c: */
	bool beating, looking;
	int64_t heard_ns;		/* clock_ns() of the last answer to a
					 * look */
	struct timer beat, look;
	/* view.c: */
	struct job *followed[FLEET_FOLLOWED];	/* references */
	int n_followed;
	struct fleet_counts counts;
};

/* What is asked for on behalf of somebody who may lose interest. */
struct fleet_ask {
	bool cancelled;
};

/* Is it an id of a job? */
bool fleet_is_id(const char *s);

/* Copies text in lower case, as far as there is room. */
void fleet_lower(char *to, size_t room, const char *from);

/* claim.c: begins to claim, if this host has room; a hint: there is
 * something. */
void claim_begin(struct fleet *f, bool hint);
/* The same every second: what no idle host has claimed yet is claimed by a busy
 * one. */
void claim_patiently(struct fleet *f);
/* Gives back jobs that wait here behind this host's own. */
void claim_withdraw(struct fleet *f);

/* leased.c: the run with that id, if its epoch is that or epoch is 0; NULL. */
struct leased *leased_find(struct fleet *f, const char *id, int64_t epoch);
struct leased *leased_new(struct fleet *f, const char *id, int64_t epoch,
                    int64_t ends_ns);
void leased_free(struct leased *r);
/* The lease is lost: the job ends here, and its end is not recorded. */
void leased_abandon(struct leased *r, const char *why);
/* Gives the job back to the fleet, and frees the run: never to this host again
 * if why is set, else to no host for so long. */
void leased_give_back(struct leased *r, const struct err *why, int64_t for_ms);
/* The engine has the job from now on. */
void leased_begin(struct leased *r, struct job *j);

/* record.c: a struct lease's end(). */
void record_end(struct lease *l, struct engine *g, struct job *j,
                enum job_state s, const struct err *why,
                void (*then)(struct engine *g, struct job *j, enum job_state s,
                             const struct err *why));

/* join.c: tells the database of this host, unless that is under way. */
void join_begin(struct fleet *f);

/* beats.c */
void beats_start(struct fleet *f);
void beats_stop(struct fleet *f);

/* view.c: makes a view of a row of S_FIND or S_LIST; NULL with *e. */
struct job *view_of(struct fleet *f, const struct pg_answer *a, int row,
                    struct err *e);
/* Has the row results to fetch? Sets the run that made them, and their
 * bytes. */
bool view_has_results(const struct pg_answer *a, int row, int64_t *run,
                      uint64_t *bytes);
/* Looks at the jobs that are followed, or at the one with that id. */
void view_refresh(struct fleet *f, const char *id);

#endif
