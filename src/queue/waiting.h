/* waiting.h - the queue: the jobs that wait for a device, ordered by priority
 * and age. */
#ifndef QUEUE_WAITING_H
#define QUEUE_WAITING_H

#include "queue/list.h"

enum { PRIORITIES = 10 };

struct waiting {
	struct job_list at[PRIORITIES];	/* the oldest first */
	size_t n;
};

void waiting_add(struct waiting *q, struct job *j);

/* Adds a job that was in the queue before: in front of those of its priority
 * that were accepted later. */
void waiting_add_again(struct waiting *q, struct job *j);
void waiting_remove(struct waiting *q, struct job *j);

/* Ends the waiting of all jobs for those devices to compile their kernels. */
void waiting_warmed(struct waiting *q, uint64_t devices, int64_t now_ns);

/* Returns a job of the queue, whether it may run now or not; NULL: none. */
struct job *waiting_any(const struct waiting *q);

/* Returns the first job that may run now on one of the devices; NULL: none. */
struct job *waiting_first(const struct waiting *q, uint64_t devices);

/* Returns the first such job after j; NULL: none. */
struct job *waiting_next(const struct waiting *q, const struct job *j,
                         uint64_t devices);

#endif
