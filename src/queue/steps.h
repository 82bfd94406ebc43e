/* steps.h - takes a worker's answers to a pipeline. While a worker runs a
 * pipeline, it has no other job. It answers each step, in their order, in one
 * message or in several; if a step fails, it sends one answer in all, with that
 * step's error. */
#ifndef QUEUE_STEPS_H
#define QUEUE_STEPS_H

#include "queue/state.h"

/* Returns whether the worker's running job is a pipeline. */
bool steps_run(const struct worker *w);

/* Checks the answers of a message and takes them, with their small results.
 * Sets *last to the answer that ends the pipeline, or to NULL if the worker has
 * yet to answer other steps. Returns 0, or -1 with the reason if an answer is
 * impossible. */
int steps_take(struct worker *w, const struct answers *a,
               const struct done **last, struct err *e);

#endif
