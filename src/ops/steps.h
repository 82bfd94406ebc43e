/* steps.h - runs a pipeline's steps (pipeline.h) in one launch sequence. */
#ifndef OPS_STEPS_H
#define OPS_STEPS_H

#include "device/seq.h"
#include "ops/op.h"

/* The steps, in order. An operand that is an output of an earlier step has the
 * same struct memory as this output. memory.own is set for intermediates, and
 * not for returned outputs. */
struct steps {
	struct seq *seq;
	struct args *const *step;
	int n;
	/* Chooses a step's variant; -1 with *e. */
	int (*choose)(void *arg, struct args *a, struct err *e);
	/* Reports the progress of the pipeline, from 0 to 1. */
	void (*progress)(void *arg, double done);
	void *arg;
	/* Set by steps_execute(): */
	int at;				/* the present step, or the one that
					 * failed */
	bool lazy;			/* outputs stay on the device until the
					 * host reads them */
	double before, own, all;	/* the work of the steps before the
					 * present one, of the present one, and
					 * of all steps */
};

/* Runs all steps and waits for them, also after a failure; -1 with the
 * sequence's error. If the device shares the host's memory, operands and
 * intermediates are released after their last use. seq_step_ns() returns the
 * steps' times afterwards. */
int steps_execute(struct steps *p);

#endif
