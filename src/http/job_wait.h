/* job_wait.h - waits for a job's end, no longer than the client wants to
 * ("Prefer: wait=N"). */
#ifndef HTTP_JOB_WAIT_H
#define HTTP_JOB_WAIT_H

#include "base/loop.h"
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

/* Calls over(arg) once, from the loop, when the job has ended or the time is
 * over. Must be ended by job_wait_end(), which may come first. */
void job_wait_begin(struct job_wait *w, struct loop *l, struct job *j,
                    int64_t until_ns, void (*over)(void *arg), void *arg);

/* { 0 } is fine. */
void job_wait_end(struct job_wait *w);

#endif
