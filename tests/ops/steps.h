/* steps.h - pipelines that tests run on the device: steps.c. */
#ifndef TESTS_OPS_STEPS_H
#define TESTS_OPS_STEPS_H

#include "ops/pipeline.h"
#include "wire/timing.h"

/* Makes step k a call of that operation, with a name of its own. */
struct step *steps_add(struct pipeline *p, int k, const char *op);

/* Make an output of an earlier step, or that operand of the pipeline, operand i
 * of the step s. */
void steps_feed(struct step *s, int i, int step, int output);
void steps_give(struct step *s, int i, const struct matrix *m, int operand);

/* Links, prepares and runs the pipeline, and asserts that it takes no more
 * memory than its need. Makes *a a call of the pipeline. Returns -1 on
 * failure. */
int steps_compute(struct args *a, struct pipeline *p, struct timing *t);

#endif
