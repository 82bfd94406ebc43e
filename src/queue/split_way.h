/* split_way.h - whether a job runs in parts, on which devices, and how it is
 * cut. */
#ifndef QUEUE_SPLIT_WAY_H
#define QUEUE_SPLIT_WAY_H

#include "queue/gang.h"
#include "queue/state.h"

struct split_way {
	int n;				/* parts; 0: the job runs whole */
	int worker[SHEETS];		/* of each part */
	bool is_gang;
	struct cut cut;			/* how rows are cut; or */
	struct gang_plan gang;		/* how a gang computes it */
};

/* Chooses for a job that waits and could begin now. If it must be computed by a
 * gang and cannot begin, n is 0. */
struct split_way split_way_of(const struct engine *g, const struct job *j);

/* The first row of part i, or the number of rows for i = n. */
size_t split_first_row(const struct split_way *w, int i);

#endif
