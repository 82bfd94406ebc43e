/* leases.h - what stands in for the fleet's database and for its other hosts
 * while the engine is explored with leased jobs. The real src/fleet/leased.c
 * and record.c run among them: a call that they submit to a crew stays pending
 * until the model executes it, in any order.
 */
#ifndef TESTS_MODEL_LEASES_H
#define TESTS_MODEL_LEASES_H

#include "queue/engine.h"

enum { LEASE_ROWS = 2, LEASE_CALLS = 16 };

enum holder { HOLDER_NONE, HOLDER_THIS, HOLDER_OTHER, HOLDER_ENDED };

/* A job's row in the table linalgd.job, as far as it matters. */
struct lease_row {
	char id[JOB_ID];
	enum holder holder;
	int64_t epoch;
	int ends;			/* that were recorded */
	int64_t end_epoch;		/* of the run of this host whose end was
					 * recorded; 0: none */
	enum job_state end;
};

extern struct lease_row lease_rows[LEASE_ROWS];
extern bool lease_answer_lost;		/* the answer to a call was lost */

void leases_begin(struct engine *g, struct loop *l, struct memory_pool *p);
/* Executes what is pending, and frees the runs that are left. */
void leases_end(void);

/* This host claims the row, for which the engine adopts the job. Returns the
 * run's epoch, or 0 if the engine refuses the job: then it is given back. */
int64_t leases_claim(int row, struct job *j);

/* What this host knows of a run. */
struct lease_run {
	bool exists, lost, ending;
	bool waits;			/* for a device */
};
struct lease_run leases_run(int row, int64_t epoch);
int leases_runs(void);			/* how many there are */

/* How many calls are pending, and what distinguishes call i: its function. */
int leases_pending(void);
int64_t leases_kind(int i);

/* Executes a pending call. `lost`: its answer is lost, so that the crew will
 * execute it again. */
void leases_execute(int i, bool lost);

/* This host learns, or assumes, that the lease of a run is lost; or it gives
 * back a job that waits for its devices. */
void leases_abandon(int row, int64_t epoch);
void leases_withdraw(int row, int64_t epoch);

/* Something happens to the row elsewhere: the lease lapses, another host claims
 * the job or records its end, or a client dismisses it. */
void leases_lapse(int row);
void leases_other_claims(int row);
void leases_other_ends(int row);

/* Returns what is wrong; NULL: nothing. */
const char *leases_broken(void);

#endif
