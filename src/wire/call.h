/* call.h - what crosses the socket between the front and a worker.
 *
 *     front ── up to CALL_BATCH calls + memfds ──▶ worker
 *     front ◀── struct ready, then the answers and news ── worker
 *
 * Both ends are the same binary, so the messages are plain structs on a
 * SOCK_SEQPACKET socket, one after the other, without what is absent. The
 * answers of a batch come in its order, in one message or, where that would
 * be long, in several. Progress goes up and cancellation down through one
 * shared page, the first of struct control, which costs neither side a system
 * call.
 */
#ifndef WIRE_CALL_H
#define WIRE_CALL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/io.h"
#include "matrix/received.h"
#include "ops/op.h"
#include "wire/timing.h"

enum {
	CALL_BATCH = OP_BATCH,		/* calls that one message carries */
	CALL_ANSWERS = 64 << 10,	/* bytes of a message of answers */
	/* Every call's small outputs, each with an index, and its list of
	 * failures. */
	CALL_RESULTS = CALL_BATCH * (2 * OP_OUTPUTS + 1) * MEMORY_SLAB,
	CALL_PAGE = 4096,
};

/* The memory that the front shares with one worker, which alone writes the
 * results: the small outputs and lists of failures of the calls that it has,
 * one after the other. */
struct control {
	atomic_uint_least64_t cancel;	/* serial of the call to give up */
	atomic_uint_least64_t serial;	/* of the call that runs; 0: none */
	atomic_int progress;		/* of that call, 0 to 100 */
	atomic_uint_least64_t beats;	/* grows several times a second while
					 * the worker's process runs */
	_Alignas(CALL_PAGE) char results[CALL_RESULTS];
};

/* What a worker says first, and again when it comes back. */
struct ready {
	struct sheet sheet;
	struct err err;			/* code set: the canary failed */
};

/* What a worker says once kernels are compiled for which it put calls off, by
 * answering them with ERR_NOT_READY. Shorter than any answer. */
struct news {
	uint64_t compiled;		/* so many since it began */
};

/* What a worker answers. Outputs and failures lie in the memory that the call
 * named. Rows of timing.kernel that are not used do not travel. */
struct done {
	uint64_t serial;
	struct err err;
	char variant[TIMING_NAME];	/* the one that ran */
	unsigned present;		/* bit i: output i was written */
	unsigned real;			/* as args.real */
	uint64_t failures;		/* listed in args.failed */
	struct verdict verdict;
	int64_t begun_ns;		/* clock_ns(), of all processes */
	struct timing timing;
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
	size_t results;			/* where its small outputs begin */
};

/* Sends n calls: op, dtype, parameters, shapes, and the memory of every
 * operand and output. More than one only where call_shares() is true. */
int call_send(int socket, const struct call_out *calls, int n, struct err *e);

/* Where a small output ends that begins there, and all those of a call with
 * its list of failures: there the next call's begin. call_fetch_results()
 * copies what was written, as the answer tells, from the worker's results to
 * the call's own memory, which no worker can write. */
size_t call_result_end(const struct memory *m, size_t at);
size_t call_results_end(const struct args *a, size_t at);
void call_fetch_results(const struct args *a, const struct done *d,
                        const char *results, size_t at);

/* May the call be one of several? All of its memory is in the slab. */
bool call_shares(const struct args *a);

/* Tells that so many bytes of an operand to come are there. */
int call_tell(int socket, struct memory *m, size_t arrived, struct err *e);

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

/* What the worker says of the call's outputs goes into its args; false: it
 * cannot be so. */
bool answers_take(const struct done *d, struct args *a);

/* Can they be used, n of them at most? ERR_DEVICE with what is wrong, as in
 * "told a quality that cannot be". */
int answers_check(const struct answers *a, int n, struct err *e);

/* The same of a worker's first message, of n bytes, on that device. One that
 * tells an error has no sheet. */
int ready_check(const struct ready *r, size_t n, int index, struct err *e);

#endif
