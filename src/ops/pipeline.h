/* pipeline.h - a pipeline: several calls, its steps, that run one after another
 * on one device as a single job. A step's output can be an operand of a later
 * step without leaving the device.
 *
 *     a, b ──▶ matmul "c" ──▶ lu "f" ──┐
 *     y ───────────────────────────────┴──▶ solve "x" ──▶ returned
 *
 * For the queue, a pipeline is a call (struct args) like any other. Each
 * pipeline has a struct op of its own, whose outputs are those that the
 * pipeline returns. Its steps are calls of operations of ops.def. An operand of
 * a step is an operand of the request, or an intermediate, an output of an
 * earlier step. The front knows an intermediate's shape and element type; only
 * the worker has memory for it.
 */
#ifndef OPS_PIPELINE_H
#define OPS_PIPELINE_H

#include "ops/need.h"
#include "ops/op.h"
#include "wire/timing.h"

enum {
	PIPELINE_STEPS = OP_BATCH,	/* most steps */
	PIPELINE_OPERANDS = 32,		/* most operands of the request */
	PIPELINE_NAME = 33,		/* room for a step's name, in bytes */
	PIPELINE_OPERAND = 64,		/* room for an operand's name */
	PIPELINE_ROOT = 16,		/* room for struct pipeline's root */
};

/* The source of an operand: output number `output` of step number `step` or, if
 * step is negative, the request's operand number `output`. A plain one names
 * the step alone, and means the first output that the step has for its operands
 * and parameters: `output` is 0 until pipeline_prepare() has found that out. */
struct source { int step, output; bool plain; };

struct step {
	char name[PIPELINE_NAME];
	int place;			/* index in the description's "steps" */
	struct args args;
	int dtype;			/* the parameter `dtype` of the step or
					 * of the request; -1: not given */
	unsigned given;			/* bit i: parameter i was given */
	bool judged;			/* the step has a parameter `quality` */
	struct source from[OP_INPUTS];
	unsigned used, returned;	/* bit i: output i is an operand of a
					 * later step; the pipeline returns
					 * output i */
	int last_use[OP_OUTPUTS];	/* the last step that uses output i */
	/* The worker's answer to the step. results: the offset of the small
	 * outputs, as in struct call_out. */
	char variant[TIMING_NAME];
	int64_t compute_ns;
	size_t results;
	bool wrong;			/* the answer lists failures of matrices
					 * that the stack does not have */
};

struct pipeline {
	struct op op;			/* points to outputs and names */
	struct output outputs[OP_OUTPUTS + 1];
	char names[OP_OUTPUTS][2 * PIPELINE_NAME];
	struct source returned[OP_OUTPUTS];
	int n_returned;
	/* Where the request has the description: "" or "/pipeline", a JSON
	 * pointer into its body; "?pipeline", a parameter of its query; or "?",
	 * nowhere, because the pipeline is a saved one. */
	char root[PIPELINE_ROOT];
	char told[PIPELINE_OPERANDS][PIPELINE_OPERAND];	/* the operands' names
					 * in the body, or "" */
	struct matrix operand[PIPELINE_OPERANDS];	/* or absent */
	struct memory_pool *charged;	/* the pool that counts `charge` bytes
					 * of intermediates, or NULL */
	size_t charge;
	int answered;			/* in the front: steps that the worker
					 * has answered */
	int n;
	struct step step[];
};

/* Makes a pipeline of n steps, 1 to PIPELINE_STEPS, whose operations must be
 * set by step_init(); NULL with ERR_MEMORY. */
struct pipeline *pipeline_new(int n, struct err *e);
void pipeline_free(struct pipeline *p);			/* NULL is fine */
void step_init(struct step *s, const char *name, const struct op *o);

/* Makes *a a call of the pipeline; *a owns the pipeline from then on. The
 * operation's name is "pipeline", which no operation of ops.def has. */
void pipeline_args(struct args *a, struct pipeline *p);

/* Makes the pipeline return a step's output under a name; -1 with ERR_PARAMETER
 * if it returns too many. */
int pipeline_return(struct pipeline *p, struct source from, const char *name,
                    struct err *e);

/* Sets used and last_use of every step. To be called when the sources of all
 * operands and the returned outputs are known. A step without a used or
 * returned output is removed if `prune` is set; otherwise it is an error, -1
 * with ERR_PARAMETER. */
int pipeline_link(struct pipeline *p, bool prune, struct err *e);

/* Checks every step as args_check() does; the shapes and element types of a
 * step's outputs become those of the operands that they are. Converts the
 * request's operands to each step's element type and layout, which may take
 * long, and allocates the returned outputs. Errors name the step. */
int pipeline_prepare(struct args *a, struct memory_pool *pool, struct err *e);

/* Changes the pointer of an error into a description, "/steps/1/b", to one into
 * the request that has it at that root. */
void pipeline_point(const char *root, struct err *e);

/* Prefixes the error's text with the step's name, and the error's JSON pointer
 * with that of the step: "/steps/1/b". Of a saved pipeline, the request has
 * only the operands, and so the pointer is that of the operand at fault, or "".
 * Returns -1. */
int pipeline_blame(const struct pipeline *p, int step, struct err *e);

/* Checks by variant_for() that the device can run every step. Returns 0, or -1
 * with an error that names the step. */
int pipeline_fit(const struct pipeline *p, const struct sheet *s,
                 struct err *e);

/* Release the operands, and the outputs, of all steps. */
void pipeline_drop_operands(struct pipeline *p);
void pipeline_drop_outputs(struct pipeline *p);

/* Moves the returned outputs from the steps to a->out. To be called after every
 * step was answered. */
void pipeline_collect(struct args *a);

/* Finds failure number *i among those of all steps, which are counted in order
 * of the steps. Returns its step, and sets *i to its index in that step's list;
 * NULL if a is no pipeline. */
const struct step *pipeline_failed(const struct args *a, size_t *i);

/* Returns whether operand i of the step is an intermediate. */
static inline bool step_is_fed(const struct step *s, int i)
{
	return s->args.in[i].ndim != MATRIX_ABSENT && s->from[i].step >= 0;
}

/* Returns the output of the earlier step that is the step's operand i. */
static inline const struct matrix *step_source(const struct pipeline *p,
                                               const struct step *s, int i)
{
	return &p->step[s->from[i].step].args.out[s->from[i].output];
}

#endif
