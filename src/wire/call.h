/* call.h - the messages on the socket between the front and a worker.
 *
 *     front ── up to CALL_BATCH calls + memfds, or an arrival ──▶ worker
 *     front ◀── struct ready, then answers and compile notices ── worker
 *
 * Both ends are the same binary, so a message consists of plain structs, one
 * after the other, on a SOCK_SEQPACKET socket; absent matrices and unused rows
 * are left out. The answers to a batch come in the order of its calls, in one
 * message or, where that would be long, in several. The steps of a pipeline
 * are sent as calls of one serial in a message of their own; they get an answer
 * each, or one with the error of the first that failed. The worker's progress
 * and the front's cancellation pass through a shared page, the first of struct
 * control, without a system call.
 */
#ifndef WIRE_CALL_H
#define WIRE_CALL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/io.h"
#include "matrix/received.h"
#include "ops/op.h"
#include "ops/pipeline.h"
#include "wire/small.h"
#include "wire/timing.h"

enum {
	CALL_BATCH = OP_BATCH,		/* calls that one message carries */
	CALL_ANSWERS = 64 << 10,	/* bytes of a message of answers */
	/* Bytes for every call's small outputs, each with an index, and its
	 * list of failures. */
	CALL_RESULTS = CALL_BATCH * (2 * OP_OUTPUTS + 1) * MEMORY_SLAB,
	CALL_PAGE = 4096,
};

/* The memory that the front shares with one worker. Only the worker writes
 * results: the small outputs and lists of failures of its present calls, one
 * after the other; and the trace of its present call, if that has one. */
struct control {
	atomic_uint_least64_t cancel;	/* serial of the call to give up */
	atomic_uint_least64_t serial;	/* of the call that runs; 0: none */
	atomic_int progress;		/* of that call, 0 to 100 */
	atomic_uint_least64_t beats;	/* grows several times a second while
					 * the worker's process runs */
	atomic_uint_least64_t memory;	/* bytes that buffers take of the
					 * device's own memory */
	_Alignas(CALL_PAGE) char results[CALL_RESULTS];
	_Alignas(CALL_PAGE) struct trace_page trace;
};

/* A worker's first message, when its canary has ended. */
struct ready {
	struct sheet sheet;
	struct err err;			/* code set: the canary failed */
};

/* A worker sends this when kernels are compiled for which it had put calls off,
 * that is, answered them with ERR_NOT_READY. It is shorter than any answer. */
struct compile_notice {
	uint64_t compiled;		/* kernels, since the worker started */
};

/* A worker's answer to one call. Outputs and failures lie in the memory that
 * the call named. Unused rows of timing.kernel are not sent. */
struct done {
	uint64_t serial;
	int step;			/* index of the pipeline's step; else
					 * 0 */
	int64_t step_ns;		/* compute_ns of the step alone; the
					 * last step's `timing` is that of the
					 * whole pipeline */
	struct err err;
	char variant[TIMING_NAME];	/* the one that ran */
	unsigned present;		/* bit i: output i was written */
	unsigned real, shorter;		/* as args.real and args.shorter */
	uint64_t fewer;			/* as args.fewer */
	uint64_t failures;		/* their number in args.failed */
	struct verdict verdict;
	int64_t begun_ns;		/* clock_ns(), of all processes */
	struct timing timing;
};

/* A call, or an arrival, as a worker received it. */
struct call {
	uint64_t serial;
	uint32_t tenant;
	int steps;			/* number of steps of the call's
					 * pipeline, whose calls come one after
					 * another; 0: it is no step */
	enum timing_level level;
	struct args args;
	struct err err;			/* code set: the call is malformed */
	/* An arrival: no call, but the first bytes of an operand that a later
	 * call will probably use, to be uploaded ahead of it. */
	bool is_prefetch;
	struct memory *memory;		/* the operand's, a reference; NULL:
					 * the arrival was malformed */
	size_t arrived;			/* bytes of it that are final */
};

/* A call to be sent; args are borrowed. */
struct call_out {
	uint64_t serial;
	const struct pipeline *pipeline;	/* the call is its step number
					 * `step`; or NULL */
	int step;
	enum timing_level level;
	const struct args *args;	/* variant NULL: the worker chooses */
	size_t results;			/* offset of its small outputs in
					 * struct control's results */
	uint32_t tenant;		/* whose call it is: struct tenant's
					 * number; 0: the house's */
};

/* Sends n calls of one tenant: op, dtype, parameters, shapes, and the memory of
 * every operand and output; small operands are copied to *small, the worker's.
 * If n > 1, call_shares() must be true of each. */
int call_send(int socket, struct small *small, const struct call_out *calls,
              int n, struct err *e);

/* The small outputs of calls lie one after the other in struct control's
 * results. If one begins at offset `at`, call_result_end() returns its end; if
 * all of a call's, with its list of failures, begin there, call_results_end()
 * returns their end, where the next call's begin. call_fetch_results() copies
 * those that are present by the worker's answer from there to the call's own
 * memory, which no worker can write. */
size_t call_result_end(const struct memory *m, size_t at);
size_t call_results_end(const struct args *a, size_t at);
void call_fetch_results(const struct args *a, const struct done *d,
                        const char *results, size_t at);

/* May the call be sent together with others? True if all of its memory is in
 * the slab. */
bool call_shares(const struct args *a);

/* Reports that the first `arrived` bytes of an operand that is still being
 * received are final. */
int call_send_arrival(int socket, struct memory *m, size_t arrived,
                      struct err *e);

/* Receives a message of calls or an arrival: the number of calls[] filled in, 0
 * when the peer is gone, -1 with *e. Operands and outputs are mapped until
 * args_fini(). */
int call_receive(int socket, const struct slab *slab,
                 struct call calls[CALL_BATCH], struct err *e);

/* A message of answers. { 0 } is empty. */
struct answers {
	size_t used;
	_Alignas(struct done) char bytes[CALL_ANSWERS];
};

/* Adds an answer, after sending the ones before it if there is no room. */
int answers_add(struct answers *a, const struct done *d, int socket,
                struct err *e);
int answers_send(struct answers *a, int socket, struct err *e);

/* Returns the answer after d, or the first if d is NULL; NULL at the end. Only
 * its used rows of timing.kernel may be read. */
const struct done *answers_next(const struct answers *a,
                                const struct done *d);

/* Applies to a call's args what the answer reports about its outputs and
 * failures; false if that is impossible. */
bool answers_take(const struct done *d, struct args *a);

/* Checks a message of answers, which must be at least 1 and at most n.
 * ERR_DEVICE says what is wrong, as in "told a quality that cannot be". */
int answers_check(const struct answers *a, int n, struct err *e);

/* Checks the first message, of n bytes, of the worker of device `index`. If its
 * err is set, its sheet is not checked. */
int ready_check(const struct ready *r, size_t n, int index, struct err *e);

#endif
