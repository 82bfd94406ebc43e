/* serve.h - a worker's life once its device is open. */
#ifndef WORKER_SERVE_H
#define WORKER_SERVE_H

#include "device/device.h"
#include "matrix/mappings.h"
#include "ops/tuning.h"
#include "wire/call.h"
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
	/* Of cold.c. */
	bool makes_do;			/* with what is compiled */
	unsigned put_off;		/* calls, since the front had news */
	bool news;			/* there is some for it */
	uint64_t compiled;		/* so often */
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

/* beat.c: from now on c->beats grows until the process ends. */
int beat_start(struct control *c, struct err *e);

/* canary.c: does the device still count? */
int canary_sing(struct worker *w, struct err *e);

/* cold.c: what becomes of launches whose machine code is not there. Other
 * processes make it; the call is put off, or, when it has worked for long
 * already, waits in its place. */
void cold_watch(struct worker *w);

/* Tries the variants that `auto` might also have taken, where that was free to
 * choose, on a call that was put off: one of which all is compiled, and which
 * takes so little that it is no loss. */
void cold_make_do(struct worker *w, struct device *device, struct args *a,
                  enum timing_level level, struct done *d);

/* Hears the compilers; tells the front that what was put off may come again. */
void cold_hear(struct worker *w);

/* run.c: by the variant that is set. */
void worker_run_once(struct worker *w, struct device *device, struct args *a,
                     enum timing_level level, struct done *d);

/* warm.c: launches what variant=auto would launch, a step at a time. Is that
 * one of this device's; under which key it is noted; does it. */
enum { WARM_STEPS = 6 * OPS * DTYPE_COUNT };
bool warm_is_step(const struct worker *w, int step);
uint64_t warm_key(const struct worker *w, int step);
void warm_step(struct worker *w, int step);

/* The next that is compiled; false: there is none now. */
struct warmth { bool done[WARM_STEPS]; };
bool warm_next(struct worker *w, struct warmth *at);

#endif
