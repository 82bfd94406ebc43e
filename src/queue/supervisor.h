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
 */
#ifndef QUEUE_SUPERVISOR_H
#define QUEUE_SUPERVISOR_H

#include <sys/types.h>

#include "base/loop.h"
#include "ops/call.h"

enum worker_state {
	WORKER_DOWN, WORKER_STARTING, WORKER_READY, WORKER_DYING
};

struct worker;

/* All of one engine's workers have these in common. */
struct worker_options {
	struct loop *loop;
	const char *program, *cache;
	int slab;			/* the memory pool's memfd */
	/* It passed its canary and takes calls. */
	void (*ready)(void *arg, struct worker *w);
	/* It answered the first of what it works on, in their order. */
	void (*done)(void *arg, struct worker *w, const struct answers *a);
	/* The process is no more. how: "died by signal 11 (Segmentation
	 * fault)"; own_fault: nobody outside had a hand in it. */
	void (*lost)(void *arg, struct worker *w, const char *how,
	             bool own_fault);
	void *arg;
};

struct worker {
	const struct worker_options *options;
	struct sheet sheet;
	enum worker_state state;
	void *running[CALL_BATCH];	/* the owner's: what it works on, */
	int n_running;			/* which the owner counts */
	pid_t pid;
	int socket, pidfd;		/* -1: none */
	struct control *control;	/* shared with it; NULL: none */
	int64_t started_ns, ready_ns;	/* 0: not ready yet */
	unsigned failures;		/* since it was last of use */
	unsigned told;			/* arrivals since then */
	bool wanted_dead;		/* by us: no reason to back off */
	struct timer timer;		/* to restart, or to lose patience */
};

void worker_init(struct worker *w, const struct worker_options *o,
                 const struct sheet *s);

/* Starts it; a failure to is logged and tried again, like an early end. */
void worker_start(struct worker *w);

int worker_call(struct worker *w, const struct call_out *calls, int n,
                struct err *e);

/* Of an operand that a call may follow for. Not more than the socket holds
 * while the worker does not look. */
void worker_tell_arrival(struct worker *w, const struct memory *m,
                         size_t bytes);

/* The worker sees the last of several that were cancelled in a batch: the
 * others are short enough to be computed. */
void worker_cancel(struct worker *w, uint64_t serial);
int worker_progress(const struct worker *w, uint64_t serial);

/* For good cause: it starts again at once. `lost` follows later. */
void worker_kill(struct worker *w);

/* Lets it end by itself, for a moment, then kills it; reports nothing. */
void worker_fini(struct worker *w);

#endif
