/* call_wire.h - the layout of a message of calls; only call.c and call_send.c
 * include it. */
#ifndef WIRE_CALL_WIRE_H
#define WIRE_CALL_WIRE_H

#include "wire/call.h"

/* The values of wire_memory.place that are not the index of a descriptor. */
enum { IN_WORKER = -4, IN_RESULTS = -3, NO_MEMORY = -2, IN_SLAB = -1 };

/* The place IN_WORKER stands for memory of an earlier step's output in the same
 * pipeline, or, for an output, for memory that the worker allocates. Its
 * `offset` is a number of a slot: each output of each step has two, an even one
 * for its values and the following odd one for its index. */
enum { SLOTS = 2 * (int)PIPELINE_STEPS * (int)OP_OUTPUTS };

static inline uint64_t slot_of(int step, int output, bool index)
{
	return (uint64_t)(2 * (step * OP_OUTPUTS + output) + index);
}

/* A matrix's bytes, from `offset` on, in a place of `all` bytes. stored and
 * upload_id are those of struct memory. */
struct wire_memory {
	int32_t place;
	uint64_t bytes, offset, all, stored, upload_id;
};

/* An arrival: how many first bytes of an operand are final. Every call is
 * longer, so that the length tells the two messages apart. */
struct wire_arrival {
	struct wire_memory memory;
	uint64_t arrived;
};

struct wire_matrix {
	int32_t dtype, ndim, layout;
	uint64_t dim[MATRIX_DIMS], nnz;
	struct wire_memory memory, index;
};

/* The head of a call. A struct wire_matrix follows for each matrix whose bit is
 * set in `matrices`, numbered as in matrix_of(). */
struct wire_call {
	uint64_t serial;
	int32_t dtype, quality, level;
	uint32_t tenant;
	int32_t step, steps;		/* index of the pipeline's step, number
					 * of its steps; 0 for other calls */
	int32_t part, parts;		/* as in struct gang */
	uint32_t want, matrices;
	uint64_t stack, width;
	char op[TIMING_NAME], variant[TIMING_NAME];
	double param[OP_PARAMS];
};

enum {
	/* Operands, outputs, the list of failures, a gang's board. */
	FAILED = (int)OP_INPUTS + (int)OP_OUTPUTS,
	BOARD, MATRICES,
	CALL_BYTES = sizeof(struct wire_call) +
	             MATRICES * sizeof(struct wire_matrix),
};

struct wire {
	size_t used;
	char bytes[CALL_BATCH * CALL_BYTES];
};

_Static_assert(sizeof(struct wire_arrival) < sizeof(struct wire_call),
               "an arrival is recognised by its length");
_Static_assert((int)IO_FDS >= 2 * MATRICES,
               "every matrix may have an index");

/* The descriptors of a message; one that several matrices share is sent
 * once. */
struct bundle {
	int fd[IO_FDS];
	int n;
	/* When sending: */
	size_t results;			/* offset of the next small output */
	struct small *small;		/* for small operands */
	/* When receiving, a reference each: a call that cannot be unpacked
	 * drops its own, and those after it may need the same memory. */
	struct memory *mapped[IO_FDS];	/* NULL: not mapped yet */
	struct memory *slot[SLOTS];	/* see slot_of() */
	bool output;			/* the present matrix is an output */
	bool step;			/* the present call is a step */
};

/* Matrix i of a message: operands, outputs, the list of failures, a gang's
 * board. */
static inline const struct matrix *matrix_of(const struct args *a, int i)
{
	return i < OP_INPUTS ? &a->in[i] :
	       i < FAILED ? &a->out[i - OP_INPUTS] :
	       i == FAILED ? &a->failed : &a->gang.board;
}

#endif
