/* world.h - the real engine among fakes, with a few jobs: which steps are
 * possible, and to take one.
 *
 * A step is anything that can happen to the engine from outside. Steps are
 * numbers, so that a path of them can be taken again from the start.
 */
#ifndef TESTS_MODEL_WORLD_H
#define TESTS_MODEL_WORLD_H

#include "queue/engine.h"
#include "queue/state.h"
#include "queue/tenant.h"

enum { WORLD_JOBS = 4, WORLD_TENANTS = 2, WORLD_STEPS = 160 };

enum kind {
	KIND_ALONE,			/* shares no batch */
	KIND_TINY,			/* may be in a batch */
	KIND_LARGE,			/* may be split */
};

struct plan_of_job {
	enum kind kind;
	int tenant;			/* 0: none */
	int priority;
	bool prepared;			/* accepted first, prepared later */
	bool hurried;			/* has a deadline */
	int ends;			/* the number of another job, counted
					 * from 1, which this one's end
					 * dismisses; 0: none */
	int row;			/* it is a run of a job of the fleet:
					 * the job's row (leases.h), counted
					 * from 1; 0: it is not */
};

struct scenario {
	const char *name;
	int devices, n;
	int come;			/* jobs that have come at the start */
	struct plan_of_job job[WORLD_JOBS];
};

enum verb {
	COME,				/* job a is submitted or accepted */
	PREPARED,			/* job a is prepared; b: in vain */
	TURN,				/* the loop's turn ends */
	ANSWERED,			/* worker a answers; b: enum reply */
	ANSWERED_ALL,			/* all that it runs, with success */
	COMPILED,			/* worker a reports a compilation */
	KILLED,				/* worker a is to die */
	LOST,				/* worker a has ended; b: by its own
					 * fault */
	READY,				/* worker a has started again */
	DISMISS,			/* a client dismisses job a */
	FIRE,				/* timer a fires */
	REFUSE,				/* the next call cannot be sent */
	DRAIN, GIVE_UP,			/* the service is to stop */
	EXECUTED,			/* the database has executed pending
					 * call a; b: its answer is lost */
	ABANDON, WITHDRAW,		/* this host abandons, or gives back,
					 * the run that is job a */
	LAPSED, OTHER_CLAIMS, OTHER_ENDS,	/* the lease of row a lapses;
					 * another host claims it, or records
					 * its end, maybe as dismissed */
};

enum reply { REPLY_DONE, REPLY_FAILED, REPLY_PUT_OFF, REPLY_DISMISSED };

struct move {
	unsigned char verb, a, b;
};

struct world {
	const struct scenario *plan;
	struct memory_pool *pool;
	struct engine *engine;
	struct tenant tenant[WORLD_TENANTS];
	struct job *job[WORLD_JOBS];	/* NULL: has not come, or was refused */
	bool came[WORLD_JOBS];
	int64_t epoch[WORLD_JOBS];	/* of the run, if it is one */
	int ended[WORLD_JOBS];		/* calls of on_end */
	int failed_parts[WORLD_JOBS];	/* answers other than REPLY_DONE */
	int accepted;			/* jobs that the engine took */
	bool compiles[SHEETS];		/* the worker has put a call off */
	bool refused_once, drained;
};

extern struct world world;

/* Has the job left this host, without an end that this host knows? */
static inline bool world_is_left(const struct job *j)
{
	return j->ending && !j->backing && !job_state_is_end(j->state);
}

/* Starts the engine; its workers are ready. world_end() frees everything, and
 * returns whether nothing is left. */
void world_begin(const struct scenario *s, struct memory_pool *p);
bool world_end(void);

/* Lists the steps that are possible now; returns their number. */
int world_steps(struct move steps[WORLD_STEPS]);
void world_take(struct move s);

/* Lets everything come to its end, as it does where nothing goes wrong any
 * more; false: something waits for ever. */
bool world_finish(void);

/* Writes the step in words. */
const char *world_text(struct move s, char *text, size_t room);

#endif
