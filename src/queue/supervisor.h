/* supervisor.h - one device's worker process: started, spoken to, started
 * again.
 *
 *     DOWN -- start --> STARTING -- ready --> READY (a call, done, a call, ...)
 *      ^                   |                    |
 *      +-- back-off -- DYING <-- killed, or socket closed
 *
 * The first restart is immediate, further ones wait 0.1 s, doubling to 5 s,
 * until a worker answers a call or lives for a while. One batch of calls at
 * a time.
 *
 * A worker shows that its process runs by counting beats in the shared page
 * (worker/beat.c), on a thread of its own, since a kernel may run for minutes.
 * A process that was stopped, or that the system does not run, is silent: after
 * 0.8 s it gets no more calls and is not healthy, after 2 s it is killed and
 * replaced. How long a kernel may take is for the jobs' deadlines to say.
 *
 * Whatever a worker sends is looked at before it is used, as if it came from
 * an enemy. A worker that sends a wrong message is killed, with the reason.
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
	int slab;			/* the memory pool's, to be read */
	int workers;			/* they share the processors */
	/* It passed its canary and takes calls, or takes them again. */
	void (*ready)(void *arg, struct worker *w);
	/* It answered the first of what it works on, in their order; -1: the
	 * answers do not fit, and nothing was done. */
	int (*done)(void *arg, struct worker *w, const struct answers *a,
	            struct err *e);
	/* What it put off for want of compiled kernels may go to it again. */
	void (*on_compiled)(void *arg, struct worker *w);
	/* The process is no more. how: "died by signal 11 (Segmentation
	 * fault)"; own_fault: nobody outside had a hand in it. */
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
	enum worker_state state;
	void *running[CALL_BATCH];	/* the owner's: what it works on, */
	int n_running;			/* which the owner counts */
	pid_t pid;
	int socket, pidfd;		/* -1: none */
	struct said said;		/* what it and its driver print */
	struct control *control;	/* shared with it; NULL: none */
	int64_t started_ns, ready_ns;	/* 0: not ready yet */
	unsigned failures;		/* since it was last of use */
	unsigned arrivals;		/* sent since then */
	bool wanted_dead;		/* by us: no reason to back off */
	char why[128];			/* we killed it, or "" */
	uint64_t beats;			/* when last looked at, */
	int silent;			/* and how often they did not grow */
	struct timer timer;		/* to restart, or to lose patience */
	struct timer look;		/* at the beats */
};

void worker_init(struct worker *w, const struct worker_options *o,
                 const struct sheet *s);

/* Starts it; a failure to is logged and tried again, like an early end. */
void worker_start(struct worker *w);

/* Is it ready for a call, or at work on one, and not silent? */
bool worker_is_well(const struct worker *w);

/* Looks at a message that came from the worker, and acts on it if it is sound:
 * -1 with the reason. */
int worker_take_message(struct worker *w, const union message *m, size_t n,
                        struct err *e);

int worker_call(struct worker *w, const struct call_out *calls, int n,
                struct err *e);

/* Of an operand that a call may follow for. Not more than the socket holds
 * while the worker does not look. */
void worker_send_arrival(struct worker *w, struct memory *m, size_t bytes);

/* The worker sees the last of several that were cancelled in a batch: the
 * others are short enough to be computed. */
void worker_cancel(struct worker *w, uint64_t serial);
int worker_progress(const struct worker *w, uint64_t serial);

/* For good cause: it starts again at once. `lost` follows later. */
void worker_kill(struct worker *w);

/* Lets it end by itself, for a moment, then kills it; reports nothing. */
void worker_fini(struct worker *w);

#endif
