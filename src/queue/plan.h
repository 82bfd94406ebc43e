/* plan.h - which device would finish a job first.
 *
 * A device would have finished a job when it is done with what it works on,
 * has got the operands that it lacks, and has computed (rates.h). The jobs
 * that wait are looked at in their order, each is booked on the device that
 * would finish it first, and that device is busy for so much longer in the
 * eyes of those behind it. A job that is booked on an idle device goes there;
 * the others stay where they are: nothing is bound before a device is free.
 *
 * A device that is overdue is expected to need as long again as it is
 * overdue, so that no job waits for one that hangs.
 */
#ifndef QUEUE_PLAN_H
#define QUEUE_PLAN_H

#include "queue/dispatch.h"

struct plan {
	const struct engine *engine;
	int64_t now_ns;
	int64_t free_ns[SHEETS];	/* when it could begin */
	uint64_t idle;			/* bits: not booked either */
	int64_t again_ns;		/* an idle device stands back until
					 * then; INT64_MAX: none does */
};

void plan_begin(struct plan *p, const struct engine *g, int64_t now_ns);

/* Books the job: its device, by its place among the engine's; -1: none of
 * its devices is there. Sets *now to whether it is idle. */
int plan_book(struct plan *p, const struct job *j, bool *now);

/* The first waiting job that an idle device would finish first, and that
 * device; NULL: none, *again_ns as in struct plan. */
struct job *plan_next(struct engine *g, struct worker **on,
                      int64_t *again_ns);

/* Would it begin at once, were it the last to wait? */
bool plan_begins(const struct engine *g, const struct job *j);

/* From now, what a device needs for these, one after the other. */
int64_t plan_due(const struct engine *g, const struct worker *w,
                 struct job *const batch[], int n, int64_t now_ns);

#endif
