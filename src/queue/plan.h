/* plan.h - which device would finish a job first.
 *
 * A device would finish a job after the rest of its present jobs, the transfer
 * of the operands that it lacks, and the computing (rates.h). The waiting jobs
 * are taken in their order: each is booked on the device that would finish it
 * first, which counts as busy for so much longer when the next job is booked. A
 * job that is booked on an idle device is sent there. The others keep waiting
 * and are booked anew the next time: no job is bound to a busy device.
 *
 * A job that several devices must compute together is booked on those that are
 * free first, and begins when all of them are idle: until then these get no
 * other jobs that would end later.
 *
 * A device that is overdue is expected to need as long again as it is
 * overdue, so that no job waits for one that hangs.
 */
#ifndef QUEUE_PLAN_H
#define QUEUE_PLAN_H

#include "queue/state.h"

struct plan {
	const struct engine *engine;
	int64_t now_ns;
	int64_t free_ns[SHEETS];	/* clock_ns() when it could begin */
	uint64_t idle;			/* bits: idle and not booked */
	int64_t again_ns;		/* when to plan again, because a job was
					 * left to a busy device although one
					 * is idle; INT64_MAX: none was */
};

void plan_begin(struct plan *p, const struct engine *g, int64_t now_ns);

/* Books the job and returns its device, as its place among the engine's, or -1
 * if none of its devices has a live worker. *now: the device is idle. */
int plan_book(struct plan *p, const struct job *j, bool *now);

/* Returns the first waiting job that is booked on an idle device, and sets *on
 * to its worker; NULL: none. *again_ns is set as in struct plan. */
struct job *plan_next(struct engine *g, struct worker **on,
                      int64_t *again_ns);

/* Would the job begin at once if it were last in the queue? */
bool plan_begins(struct engine *g, const struct job *j);

/* Predicts the time of the job on device i; engine is a struct engine. For
 * struct waiting's predict. */
int64_t plan_cost(const void *engine, const struct job *j, int i);

/* When, by clock_ns(), the worker is expected to have computed these n jobs,
 * one after the other, if it begins now. */
int64_t plan_due(const struct engine *g, const struct worker *w,
                 struct job *const batch[], int n, int64_t now_ns);

#endif
