/* serve.h - how a worker serves calls once its device is open. */
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
	uint32_t tenant;		/* whose calls it runs */
	bool wipes;			/* device_wipe() is known to work */
	struct memory_pool *pool;	/* for the canary and for warming */
	struct compilers compilers;
	bool ahead;			/* compiles and launches kernels that
					 * no call has needed yet */
	/* cold.c; batch.c says when a call is a part of a gang. */
	bool makes_do;			/* only compiled kernels may run */
	bool in_gang;			/* the call is a part of a gang */
	unsigned put_off;		/* calls, since the front was told */
	bool news;			/* there is something to tell it */
	uint64_t compiled;		/* how often it was told */
};

/* worker.c: opens the device with that index, its direct one and a pool, and
 * reads the tuning table; after a failure some are open. */
int worker_open(struct worker *w, int device, const char *cache,
                struct err *e);

/* run.c: the device on which that call runs; sets the call's variant, unless it
 * is set; sets what is answered of a call that ran. */
struct device *worker_device(const struct worker *w, const struct args *a);
int worker_choose(const struct worker *w, const struct device *d,
                  struct args *a, struct err *e);
void worker_tell(const struct args *a, struct done *d);

/* run.c: the callbacks for seq_on_cancel(), whose arg is the struct control,
 * and for progress. */
bool worker_is_cancelled(void *arg);
void worker_tell_progress(void *arg, double done);

/* One call: chooses the variant unless one is set, runs it, judges it. */
void worker_run(struct worker *w, struct device *device, struct args *a,
                enum timing_level level, struct done *d);

/* batch.c: runs n calls that are alike in one launch, if the operation can, and
 * divides its time among them; false if it cannot. */
bool worker_launch(struct worker *w, struct call calls[], int n,
                   struct timing *t);

/* The same file: runs n calls, answers them and releases their memory; -1 when
 * the front is gone. Calls that a lost device leaves undone get no answer: the
 * front gives them to another process. */
int worker_answer(struct worker *w, struct call calls[], int n);

/* batch.c: worker_begin() prepares the answer to a call that begins.
 * pipeline.c: pipeline_answer() runs the n steps of a pipeline, which were
 * received together, and adds their answers to the message. */
void worker_begin(struct worker *w, const struct call *c, struct done *d);
void pipeline_answer(struct worker *w, struct call calls[], int n,
                     struct answers *answers, struct err *e);

/* Answers calls until the socket closes or the device is lost; returns the exit
 * status. */
int worker_serve(struct worker *w);
bool worker_is_lost(const struct worker *w);

/* beat.c: starts the thread that counts up c->beats until the process ends. */
int beat_start(struct control *c, struct err *e);

/* canary.c: does the device still compute correctly? -1 with *e if not. */
int canary_sing(struct worker *w, struct err *e);

/* cold.c: launches whose machine code does not exist yet. Other processes make
 * it; meanwhile the call is put off, or, if it has worked for long already,
 * waits in the worker. */
void cold_watch(struct worker *w);

/* For a short call that was put off and whose variant `auto` chose: tries the
 * other variants that `auto` could have chosen, and runs the first one whose
 * kernels are all compiled. */
void cold_make_do(struct worker *w, struct device *device, struct args *a,
                  enum timing_level level, struct done *d);

/* Receives the compilers' reports, and tells the front when calls that were put
 * off may be sent again. */
void cold_hear(struct worker *w);

/* run.c: runs the call by the variant that is set. */
void worker_run_once(struct worker *w, struct device *device, struct args *a,
                     enum timing_level level, struct done *d);

/* warm.c: launches what variant=auto would launch, in steps. warm_is_step(): is
 * that number a step for this device? warm_key(): the key under which the step
 * is noted. warm_step(): does it. */
enum { WARM_STEPS = 6 * OPS * DTYPE_COUNT };
bool warm_is_step(const struct worker *w, int step);
uint64_t warm_key(const struct worker *w, int step);
void warm_step(struct worker *w, int step);

/* Does the next step whose kernels are compiled; false: there is none now, or
 * the worker does not warm kernels. */
struct warmth { bool done[WARM_STEPS]; };
bool warm_next(struct worker *w, struct warmth *at);

#endif
