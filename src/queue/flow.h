/* flow.h - the waiting jobs of one tenant, ordered by priority and age.
 *
 * A job rises by one priority for every FLOW_AGEING_NS that it has waited, so
 * that none waits for ever behind more urgent jobs of its own tenant. Since all
 * jobs age alike, the order of two jobs never changes: the job of priority p
 * that was accepted at t comes before another if t + p * FLOW_AGEING_NS is
 * less. Jobs whose acceptance lies less than that apart are in the order of
 * their priorities, then of their age.
 *
 * Only waiting.c and flow.c change a struct flow.
 */
#ifndef QUEUE_FLOW_H
#define QUEUE_FLOW_H

#include "queue/list.h"
#include "wire/sheet.h"

enum { PRIORITIES = 10 };

#define FLOW_AGEING_NS INT64_C(30000000000)

/* What deficit round robin has given to a flow on one device (waiting.h). */
struct credit {
	int64_t round;			/* the last that it has taken part in */
	int64_t deficit_ns;		/* predicted time that it has left; at
					 * least 0 */
};

/* { 0 } is a flow without jobs. */
struct flow {
	struct job_list at[PRIORITIES];	/* the oldest first */
	size_t n;
	unsigned weight;		/* at least 1, while it has jobs */
	struct credit credit[SHEETS];	/* by device */
	struct flow *next, *previous;	/* of those that have jobs */
	/* A walk's, over the jobs in their order. */
	struct job *to_come[PRIORITIES];
	struct job *head;		/* the next job; NULL: there is none */
	int64_t ahead_ns;		/* predicted times of those before it */
	int64_t rounds;			/* to go until it is the head's turn */
	int device;			/* on which it then is */
};

void flow_add(struct flow *f, struct job *j);

/* Adds a job in front of those of its priority that were accepted later. */
void flow_add_again(struct flow *f, struct job *j);
void flow_remove(struct flow *f, struct job *j);

/* flow_begin() begins a walk; flow_next() returns the next job that may run now
 * on one of the devices, or NULL. A job that was returned may be removed during
 * the walk, but none may be added. */
void flow_begin(struct flow *f);
struct job *flow_next(struct flow *f, uint64_t devices);

#endif
