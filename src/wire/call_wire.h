/* call_wire.h - a message of calls as it travels, for call.c and call_send.c
 * alone. */
#ifndef WIRE_CALL_WIRE_H
#define WIRE_CALL_WIRE_H

#include "wire/call.h"

/* Where a matrix lies, else the descriptor's number. */
enum { IN_RESULTS = -3, NO_MEMORY = -2, IN_SLAB = -1 };

/* all: bytes of the descriptor's memory, of which this may be a part. */
struct wire_memory {
	int32_t place;
	uint64_t bytes, offset, all, stored, coming;
};

/* Of an operand that comes; no call is as short. */
struct wire_arrival {
	struct wire_memory memory;
	uint64_t arrived;
};

struct wire_matrix {
	int32_t dtype, ndim, layout;
	uint64_t dim[MATRIX_DIMS], nnz;
	struct wire_memory memory, index;
};

/* Followed by the matrices whose bits are set, operands first. */
struct wire_call {
	uint64_t serial;
	int32_t dtype, quality, level;
	uint32_t want, matrices;
	uint64_t stack;
	char op[TIMING_NAME], variant[TIMING_NAME];
	double param[OP_PARAMS];
};

enum {
	/* Operands, outputs and the list of failures. */
	MATRICES = (int)OP_INPUTS + (int)OP_OUTPUTS + 1,
	CALL_BYTES = sizeof(struct wire_call) +
	             MATRICES * sizeof(struct wire_matrix),
};

struct wire {
	size_t used;
	char bytes[CALL_BATCH * CALL_BYTES];
};

_Static_assert(sizeof(struct wire_arrival) < sizeof(struct wire_call),
               "they are told apart by that");
_Static_assert((int)IO_FDS >= 2 * MATRICES,
               "every matrix may have an index");

/* Descriptors on their way; the same one is sent once. */
struct bundle {
	int fd[IO_FDS];
	int n;
	struct memory *mapped[IO_FDS];	/* received: borrowed */
	size_t results;			/* sent: where the next one lies */
	bool output;			/* received: is the matrix at hand */
};

/* Matrix i of a message: operands, outputs, the list of failures. */
static inline const struct matrix *matrix_of(const struct args *a, int i)
{
	return i < OP_INPUTS ? &a->in[i] :
	       i < MATRICES - 1 ? &a->out[i - OP_INPUTS] : &a->failed;
}

#endif
