/* waiting.h - the jobs that wait for a device, by priority and age. */
#ifndef QUEUE_WAITING_H
#define QUEUE_WAITING_H

#include "queue/list.h"

enum { PRIORITIES = 10 };

struct waiting {
	struct job_list at[PRIORITIES];	/* the oldest first */
	size_t n;
};

void waiting_add(struct waiting *q, struct job *j);

/* For one that waited before: in front of those of its priority that were
 * accepted later. */
void waiting_add_again(struct waiting *q, struct job *j);
void waiting_remove(struct waiting *q, struct job *j);

/* From now on, none waits any more for those devices to compile for it. */
void waiting_warmed(struct waiting *q, uint64_t devices, int64_t now_ns);

/* The first that may run now on one of the devices; NULL: none. */
struct job *waiting_first(const struct waiting *q, uint64_t devices);

/* The same of those behind j. */
struct job *waiting_next(const struct waiting *q, const struct job *j,
                         uint64_t devices);

#endif
