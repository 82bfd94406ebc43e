/* serve.h - a worker's life once its device is open. */
#ifndef WORKER_SERVE_H
#define WORKER_SERVE_H

#include "device/device.h"
#include "matrix/mappings.h"
#include "ops/call.h"
#include "ops/tuning.h"
#include "worker/compilers.h"

struct worker {
	struct device *device;
	struct device *direct;		/* for tiny calls; NULL: none */
	struct sheet sheet;		/* the device's, with its peaks */
	struct tuning tuning;
	int socket;
	struct slab slab;
	struct mappings mappings;	/* the slab's */
	struct control *control;	/* shared with the front */
	struct memory_pool *pool;	/* for the canary and for warming */
	struct compilers compilers;
};

/* run.c: the device on which that call runs; sets its variant, unless it
 * is set; what is to be answered of a call that ran. */
struct device *worker_device(const struct worker *w, const struct args *a);
int worker_choose(const struct worker *w, const struct device *d,
                  struct args *a, struct err *e);
void worker_tell(const struct args *a, struct done *d);

/* One call: chooses the variant unless one is set, runs it, judges it. */
void worker_run(struct worker *w, struct device *device, struct args *a,
                enum timing_level level, struct done *d);

/* batch.c: has the operation run n calls that are alike in one launch, whose
 * time it shares out; false: it does not. */
bool worker_launch(struct worker *w, struct call calls[], int n,
                   struct timing *t);

/* The same file: runs n calls and answers them, letting their memory go; -1
 * when the front is gone. What a lost device leaves of a batch stays without
 * an answer: another process is to run it. */
int worker_answer(struct worker *w, struct call calls[], int n);

/* Answers calls until the socket closes or the device is lost: the exit
 * status. */
int worker_serve(struct worker *w);
bool worker_is_lost(const struct worker *w);

/* canary.c: does the device still count? */
int canary_sing(struct worker *w, struct err *e);

/* warm.c: compiles what variant=auto would launch, a call at a time. */
struct warmth { int op, dtype, size; };
bool warm_next(struct worker *w, struct warmth *at);	/* false: all done */

#endif
