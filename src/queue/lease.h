/* lease.h - what the engine knows of a job that it runs for a fleet of hosts:
 * the fleet records the job's end, instead of the journal. The functions are
 * called on the loop's thread. */
#ifndef QUEUE_LEASE_H
#define QUEUE_LEASE_H

#include "queue/job.h"

struct lease {
	/* Has the end of the job recorded, and then calls then(g, j, s, why);
	 * with JOB_DISMISSED if this run does not count any more. May call
	 * then() from within. */
	void (*end)(struct lease *l, struct engine *g, struct job *j,
	            enum job_state s, const struct err *why,
	            void (*then)(struct engine *g, struct job *j,
	                         enum job_state s, const struct err *why));
	/* Gives the job, which has not ended, back to the fleet. */
	void (*leave)(struct lease *l, struct job *j);
};

#endif
