/* call.h - what crosses the socket between the front and a worker.
 *
 *     front ── up to CALL_BATCH calls + memfds ──▶ worker
 *     front ◀── struct ready, then the answers ── worker
 *
 * Both ends are the same binary, so the messages are plain structs on a
 * SOCK_SEQPACKET socket, one after the other, without what is absent. The
 * answers of a batch come in its order, in one message or, where that would
 * be long, in several. Progress goes up and cancellation down through one
 * shared page, struct control, which costs neither side a system call.
 */
#ifndef OPS_CALL_H
#define OPS_CALL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/io.h"
#include "base/timing.h"
#include "ops/op.h"

/* The shared page. */
struct control {
	atomic_uint_least64_t cancel;	/* serial of the call to give up */
	atomic_uint_least64_t serial;	/* of the call that runs; 0: none */
	atomic_int progress;		/* of that call, 0 to 100 */
};

/* What a worker says first, and again when it comes back. */
struct ready {
	struct sheet sheet;
	struct err err;			/* code set: the canary failed */
};

/* What a worker answers. The outputs lie in the memory that the call named.
 * Rows of timing.kernel that are not used do not travel. */
struct done {
	uint64_t serial;
	struct err err;
	char variant[TIMING_NAME];	/* the one that ran */
	unsigned present;		/* bit i: output i was written */
	double residual;
	int64_t begun_ns;		/* clock_ns(), of all processes */
	struct timing timing;
};

enum {
	CALL_BATCH = OP_BATCH,		/* calls that one message carries */
	CALL_ANSWERS = 64 << 10,	/* bytes of a message of answers */
};

struct call {
	uint64_t serial;
	enum timing_level level;
	struct args args;
	struct err err;			/* received: what was wrong with it */
	bool comes;			/* received: no call, but news */
	struct memory *memory;		/* of this operand, a reference; NULL:
					 * of none that can be told; */
	size_t arrived;			/* of it so many bytes are there */
};

/* What a call consists of where it is sent: the args are another's. */
struct call_out {
	uint64_t serial;
	enum timing_level level;
	const struct args *args;	/* variant NULL: the worker chooses */
};

/* Sends n calls: op, dtype, parameters, shapes, and the memory of every
 * operand and output. More than one only where call_shares() is true. */
int call_send(int socket, const struct call_out *calls, int n, struct err *e);

/* May the call be one of several? All of its memory is in the slab. */
bool call_shares(const struct args *a);

/* Tells that so many bytes of an operand to come are there. */
int call_tell(int socket, const struct memory *m, size_t arrived,
              struct err *e);

/* Receives them: their number, 0 when the peer is gone, -1 with *e. Operands
 * and outputs are mapped; args_fini() lets them go. */
int call_receive(int socket, const struct slab *slab,
                 struct call calls[CALL_BATCH], struct err *e);

/* Answers on their way. { 0 } is none. */
struct answers {
	size_t used;
	_Alignas(struct done) char bytes[CALL_ANSWERS];
};

/* Adds one, having sent what was there before if it does not fit beside. */
int answers_add(struct answers *a, const struct done *d, int socket,
                struct err *e);
int answers_send(struct answers *a, int socket, struct err *e);

/* The answer after d (NULL: the first), which ends with its last row in use;
 * NULL at the end. */
const struct done *answers_next(const struct answers *a,
                                const struct done *d);

/* May they be believed, n of them at most? */
bool answers_sound(const struct answers *a, int n);

#endif
