/* job_wait.h - waits for a job's end, no longer than the client wants to
 * ("Prefer: wait=N"). */
#ifndef HTTP_JOB_WAIT_H
#define HTTP_JOB_WAIT_H

#include "base/loop.h"
#include "http/handler.h"
#include "queue/job.h"

struct job_wait {
	struct loop *loop;
	struct job *job;		/* a reference; NULL: nobody waits */
	struct watch watch;
	struct timer limit;
	struct post ended;
	void (*over)(void *arg);
	void *arg;
};

/* Returns how many seconds the client prefers to wait, at most as many as it is
 * granted, and tells these by the header Preference-Applied; -1 if it has no
 * such preference. */
int job_wait_seconds(struct exchange *x);

/* Takes a reference to j, and calls over(arg) once, from the loop, when the job
 * has ended or clock_ns() reaches until_ns. The caller must call job_wait_end()
 * in over() or later, or before, which cancels the wait. */
void job_wait_begin(struct job_wait *w, struct loop *l, struct job *j,
                    int64_t until_ns, void (*over)(void *arg), void *arg);

/* Ends the wait and releases the job. w may be { 0 } or ended already. */
void job_wait_end(struct job_wait *w);

#endif
