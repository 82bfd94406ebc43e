/* answered.h - checks a worker's answers, takes their results, and ends the
 * answered jobs. */
#ifndef QUEUE_ANSWERED_H
#define QUEUE_ANSWERED_H

#include "queue/state.h"

/* Checks the answers against the worker's running jobs. Returns 0, or -1 with
 * the reason. */
int answered_check(const struct worker *w, const struct answers *a,
                   struct err *e);

/* Checks one answer against the arguments and the serial number of its call.
 * Returns 0, or -1 with the reason. */
int answered_check_call(const struct args *a, uint64_t serial,
                        const struct done *d, struct err *e);

/* Copies the traces of the answered jobs that want one; -1 if one is
 * impossible. */
int answered_traces(struct worker *w, const struct answers *a,
                    struct err *e);

/* Copies the trace of one answered job; -1 if it is impossible. */
int answered_trace(struct worker *w, struct job *j, const struct done *d,
                   struct err *e);

/* Copies the small results of an answered job from the memory that the worker
 * shares, before its next calls overwrite them. */
void answered_fetch(const struct worker *w, const struct job *j,
                    const struct done *d);

/* Ends an answered job, or releases one that ended before. */
void answered_finish(struct engine *g, struct worker *w, struct job *j,
                     const struct done *d);

#endif
