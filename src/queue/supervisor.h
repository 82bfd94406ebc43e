/* supervisor.h - starts one device's worker process, exchanges messages with
 * it, and starts it again when it ends.
 *
 *     DOWN -- start --> STARTING -- ready --> READY (a call, done, a call, ...)
 *      ^                   |                    |
 *      +-- back-off -- DYING <-- killed, or socket closed
 *
 * The first restart is immediate, further ones wait 0.1 s, doubling to 5 s,
 * until a worker answers a call or lives for 5 s. A worker gets one batch of
 * calls at a time.
 *
 * A worker shows that its process runs by counting beats in the shared page
 * (worker/beat.c), on a side thread, because a kernel may run for minutes. A
 * process that is stopped, or that the system does not schedule, is silent:
 * after 0.8 s it gets no more calls and is not healthy, after 2 s it is killed
 * and replaced. How long a kernel may take is limited by the jobs' deadlines.
 *
 * A worker's messages are not trusted: each is checked before it is used, and a
 * worker that sends an invalid one is killed, with the reason.
 */
#ifndef QUEUE_SUPERVISOR_H
#define QUEUE_SUPERVISOR_H

#include <sys/types.h>

#include "base/loop.h"
#include "queue/said.h"
#include "wire/call.h"

enum worker_state {
	WORKER_DOWN, WORKER_STARTING, WORKER_READY, WORKER_DYING
};

struct worker;

/* All of one engine's workers have these in common. */
struct worker_options {
	struct loop *loop;
	const char *program, *cache;
	int workers;			/* how many share the processors */
	bool bare;			/* no sandbox */
	/* Called when the worker has passed its canary and takes calls. */
	void (*ready)(void *arg, struct worker *w);
	/* Called when the worker has answered the first of its running calls,
	 * in their order; -1: the answers do not fit the calls, and nothing was
	 * done. */
	int (*done)(void *arg, struct worker *w, const struct answers *a,
	            struct err *e);
	/* Called when the worker has compiled kernels: the calls that it put
	 * off may be sent again. */
	void (*on_compiled)(void *arg, struct worker *w);
	/* Called when the process has ended. how: "died by signal 11
	 * (Segmentation fault)"; own_fault: it was not killed from outside. */
	void (*lost)(void *arg, struct worker *w, const char *how,
	             bool own_fault);
	void *arg;
};

/* A worker's first message, and any other. */
union message {
	struct ready ready;
	struct answers answers;
};

struct worker {
	const struct worker_options *options;
	struct sheet sheet;
	const char *command;		/* of a cluster: what starts its
					 * processes; NULL: it is an OpenCL
					 * device */
	enum worker_state state;
	void *running[CALL_BATCH];	/* set by the owner: the jobs that it */
	int n_running;			/* runs, and their number */
	int n_answers;			/* answers that the worker still owes:
					 * one per job, or, for a pipeline, one
					 * per step */
	pid_t pid;
	pid_t held;			/* a former process whose status a
					 * debugger withholds; 0: none */
	int socket, pidfd;		/* -1: none */
	struct said said;		/* what it and its driver print */
	struct control *control;	/* shared with it; NULL: none */
	struct small small;		/* what it gets small operands by */
	size_t results_end;		/* bytes of control->results that may
					 * not be 0 */
	int64_t started_ns, ready_ns;	/* 0: not ready yet */
	int64_t ended_ns;		/* the process had ended by then */
	unsigned failures;		/* since it last answered a call */
	unsigned arrivals;		/* sent since its last answer */
	bool wanted_dead;		/* killed by us: no back-off */
	char why[128];			/* why it was killed, or "" */
	uint64_t beats;			/* at the last check */
	int silent;			/* checks in a row without a beat */
	struct timer timer;		/* to restart it, or to kill it when it
					 * takes too long to start or end */
	struct timer look;		/* checks the beats */
};

void worker_init(struct worker *w, const struct worker_options *o,
                 const struct sheet *s);

/* Starts the process. If that fails, it is logged and tried again later. */
void worker_start(struct worker *w);

/* Is the worker ready, whether or not it runs a call, and not silent? */
bool worker_is_well(const struct worker *w);

/* Can the worker take a job now? */
bool worker_is_idle(const struct worker *w);

/* Checks a message from the worker and handles it: -1 with the reason if it is
 * invalid. */
int worker_take_message(struct worker *w, const union message *m, size_t n,
                        struct err *e);

int worker_call(struct worker *w, const struct call_out *calls, int n,
                struct err *e);

/* Reports that the first `bytes` bytes of an operand have arrived. No message
 * is sent if the worker has left many such messages unread. */
void worker_send_arrival(struct worker *w, struct memory *m, size_t bytes);

/* Cancels the call with that serial. Of several that are cancelled in a batch,
 * the worker notices only the last; the others are short and run to their
 * end. */
void worker_cancel(struct worker *w, uint64_t serial);
int worker_progress(const struct worker *w, uint64_t serial);

/* Kills the process, which is started again at once; `lost` is called later. */
void worker_kill(struct worker *w);

/* Gives the process a moment to end by itself, then kills it; calls no
 * callback. */
void worker_fini(struct worker *w);

#endif
