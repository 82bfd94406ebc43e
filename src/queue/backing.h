/* backing.h - what records the states of a job outside this process, so that
 * another one can go on with it. There are two: the journal of this host
 * (journaled.h), and a fleet's database (fleet/leased.c). The engine calls
 * them by durable.h, and does not know which one a job has.
 *
 * All functions are called on the loop's thread. Those that may be NULL are
 * not called then: there is nothing to record.
 */
#ifndef QUEUE_BACKING_H
#define QUEUE_BACKING_H

#include "queue/job.h"

struct backing {
	/* Can other processes run such jobs, and list them? */
	bool shared;
	/* Notes that those of the n jobs that have this backing run; may be
	 * NULL. */
	void (*begin)(struct backing *b, struct engine *g,
	              struct job *const batch[], int n);
	/* Notes that a job that ran waits again; may be NULL. */
	void (*put_back)(struct backing *b, struct engine *g, struct job *j);
	/* Leaves a job that has not ended to another process. */
	void (*leave)(struct backing *b, struct engine *g, struct job *j);
	/* Records that the job has ended in state s because of `why`, together
	 * with the matrices that it has stored, and then calls then() with the
	 * same arguments; with JOB_DISMISSED instead of s if this process has
	 * lost the right to run it. May call then() before it returns. */
	void (*end)(struct backing *b, struct engine *g, struct job *j,
	            enum job_state s, const struct err *why,
	            void (*then)(struct engine *g, struct job *j,
	                         enum job_state s, const struct err *why));
	/* Note that the job's result, or its record, is gone; may be NULL. */
	void (*expire)(struct backing *b, struct engine *g,
	               const struct job *j);
	void (*forget)(struct backing *b, struct engine *g,
	               const struct job *j);
};

/* An end that is being recorded. ending_tell() calls then(), and frees it.
 * ending_new() returns NULL without memory. */
struct ending {
	struct engine *engine;
	struct job *job;		/* a reference */
	enum job_state state;
	struct err err;
	void (*then)(struct engine *g, struct job *j, enum job_state s,
	             const struct err *why);
};
struct ending *ending_new(struct engine *g, struct job *j, enum job_state s,
                          const struct err *why,
                          void (*then)(struct engine *g, struct job *j,
                                       enum job_state s,
                                       const struct err *why));
void ending_tell(struct ending *x);
void ending_free(struct ending *x);		/* NULL is fine */

#endif
