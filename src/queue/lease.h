/* lease.h - how the engine tells a fleet of hosts (fleet/fleet.h) about a job
 * that it runs for it. Such a job has a struct lease; its end is recorded by
 * the fleet and not by the journal. The engine calls both functions on the
 * loop's thread. */
#ifndef QUEUE_LEASE_H
#define QUEUE_LEASE_H

#include "queue/job.h"

struct lease {
	/* Records that the job has ended in state s because of `why`, and then
	 * calls then() with the same arguments; with JOB_DISMISSED instead of s
	 * if the lease was lost. May call then() before it returns. */
	void (*end)(struct lease *l, struct engine *g, struct job *j,
	            enum job_state s, const struct err *why,
	            void (*then)(struct engine *g, struct job *j,
	                         enum job_state s, const struct err *why));
	/* Gives the job, which has not ended, back to the fleet, so that
	 * another host can run it. */
	void (*leave)(struct lease *l, struct job *j);
};

#endif
