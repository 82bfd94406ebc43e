/* job.h - one request for one operation, from acceptance to its end.
 *
 *     accepted ──▶ running ──▶ successful
 *         │           ├──────▶ failed
 *         └───────────┴──────▶ dismissed
 *
 * A running job becomes accepted again when its worker was killed from outside
 * or has put it off. Jobs are used on the loop's thread only. They are counted:
 * the table (records.h) holds a reference while the job can be found by its id,
 * the queue until it ends, and each reply until it is sent.
 *
 * While an accepted job is being prepared, a pool thread works on its args, and
 * no other thread may read them.
 */
#ifndef QUEUE_JOB_H
#define QUEUE_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/loop.h"
#include "ops/op.h"
#include "wire/sheet.h"
#include "wire/timing.h"

enum { JOB_ID = 33, JOB_KEY = 129, JOB_INTO = 33, JOB_SHAPES = 96 };

/* Bytes that the record of a job with a kept result is charged: the struct and
 * the times of 8 kernels, which is enough for most operations. */
#define JOB_RECORD_BYTES (sizeof(struct job) + \
                          offsetof(struct timing, kernel[8]))

/* state, its name in OGC API Processes, is it an end? */
#define JOB_STATES(X)                            \
	X(JOB_ACCEPTED,   "accepted",   false)   \
	X(JOB_RUNNING,    "running",    false)   \
	X(JOB_SUCCESSFUL, "successful", true)    \
	X(JOB_FAILED,     "failed",     true)    \
	X(JOB_DISMISSED,  "dismissed",  true)

enum job_state {
#define X(state, name, end) state,
	JOB_STATES(X)
#undef X
	JOB_STATE_COUNT
};

const char *job_state_name(enum job_state s);
bool job_state_is_end(enum job_state s);
int job_state_find(const char *name);		/* -1: no such state */

struct engine;
struct keeping;
struct backing;
struct split;
struct tenant;
struct trace;

/* A watch on a job: `changed` is called when job_told_state() or job_stage()
 * changes. The struct belongs to the caller of job_watch(). */
struct watch {
	void (*changed)(void *arg);
	void *arg;
	struct watch *next, *previous;
};

/* The host of a fleet that ran a job, and its devices that did. */
struct job_place {
	char host[64];
	int n;
	struct {
		int index;
		char name[SHEET_NAME], platform[SHEET_NAME];
	} device[SHEETS];
};

struct job {
	char id[JOB_ID];		/* 32 hexadecimal digits: the time in
					 * ms (12 digits), then 80 random bits.
					 * So jobs that are made one after
					 * another are neighbours in an index of
					 * a database, and few pages change */
	unsigned refs;
	enum job_state state;
	struct err err;			/* why it failed */

	/* The request; set before engine_submit. */
	struct args args;		/* owned; its operands are released
					 * with the job (end.h) */
	struct tenant *tenant;		/* borrowed (tenant.h); NULL: the house,
					 * whose jobs have no limits */
	uint64_t devices;		/* bit i: may run on device i */
	int priority;			/* 0 first, to 9 */
	enum timing_level timing_level;
	int64_t deadline_ns;		/* clock_ns(); 0: none */
	char into[JOB_INTO];		/* the share (http/shares.h) in which
					 * the outputs lie; "": in none */
	bool keep;			/* asynchronous: the result is kept for
					 * its time to live */
	bool part;			/* of a split job: not to be split */
	int gang;			/* devices that must compute it
					 * together; 0: it may run on one */
	bool alone;			/* must not be in a batch */
	struct keeping *keeping;	/* the outputs to store (keep.h), owned;
					 * NULL if there are none */
	char key[JOB_KEY];		/* Idempotency-Key, or "" */
	uint8_t fingerprint[32];	/* of the body that came with the key */
	/* Called once, on the loop's thread, when the job has ended; after a
	 * timeout or a dismissal its worker may still use its memory. */
	void (*on_end)(struct job *j, void *arg);
	void *on_end_arg;
	/* Called when the job ends while its operands are still being prepared,
	 * to cancel that. May be NULL. */
	void (*unwanted)(void *arg);
	void *unwanted_arg;

	/* Times. */
	int64_t parse_ns;		/* spent on reading the request */
	int64_t accepted_ns, started_ns, ended_ns;	/* clock_ns() */
	int64_t compile_ns;		/* waiting for kernels to be compiled */
	int64_t first_byte_ns, replied_ns;	/* set by http; total_ms */
	int64_t created_ms, begun_ms, finished_ms, updated_ms;	/* wall */

	/* The answer. */
	int device;			/* index of the one that ran it; -1 */
	uint64_t parts_on;		/* of a split job: bit i: device i */
	char variant[TIMING_NAME];
	/* Never NULL. Its memory ends after the last used row, because a
	 * thousand of them are kept. */
	const struct timing *timing;
	struct job_place *place;	/* owned; NULL: the job ran on this
					 * host, and not for a fleet */
	int progress;			/* percent, of a view of a fleet's job
					 * (fleet/fleet.h) */
	bool gone;			/* its result's time to live is over */
	struct trace *trace;		/* owned; NULL: none (trace.h) */
	bool trace_gone;		/* newer ones have taken its place */

	/* What it was asked to compute, for audit.h: the shapes of its operands
	 * and their bytes. */
	struct { char shapes[JOB_SHAPES]; uint64_t bytes; } asked;

	/* Used by src/queue only. */
	struct engine *engine;
	uint64_t serial;			/* by age, from 1 */
	bool usual_deadline;		/* the service's, because the request
					 * named none */
	bool preparing;			/* its operands are being prepared, or
					 * it is being made durable */
	bool admitted;			/* a device can run it, and its tenant
					 * is charged for its memory */
	bool waiting;			/* it is in the queue for a device */
	bool paid;			/* its tenant paid for it (waiting.h) */
	bool shares;			/* may be in a batch (batch.h) */
	uint64_t cold;			/* bit i: device i put it off and
					 * compiles its kernels */
	int64_t cold_ns;		/* clock_ns() when cold became nonzero;
					 * 0: cold is 0 */
	struct split *split;		/* while it runs in parts */
	bool lost;			/* of a gang's part: its worker was lost
					 * through no fault of the job */
	struct watch *watches;
	struct job **traced;		/* its place in struct traces; NULL */
	size_t results;			/* as struct call_out's */
	struct memory_pool *charged;	/* for JOB_RECORD_BYTES; or NULL */
	uint64_t operands_charged, outputs_charged;	/* bytes: quota.h */
	bool counted;			/* among its tenant's jobs */
	int attempts;			/* how often it was sent to a worker */
	struct backing *backing;	/* borrowed; NULL: the job is lost with
					 * this process (backing.h) */
	bool accepting;			/* the journal does not have it yet */
	int beginning;			/* runs that the journal does not have
					 * yet */
	bool large_operands;		/* they are in a file */
	int64_t epoch;			/* how often it was sent to a worker,
					 * in this process and before: only
					 * this run may write its end */
	/* end.c: its end is known, and being written; then end_state */
	bool ending;
	enum job_state end_state;
	bool left;			/* engine_end.c: to the next process */
	bool listed;				/* can be found by its id */
	struct job *next, *previous;		/* in a struct job_list */
	struct job *newer, *older;		/* all, by age */
	struct job *same_id, *same_key;		/* of one hash bucket */
	struct timer deadline, expiry, grace;
};

/* Makes a job for o with a fresh id, in state accepted, with one reference. */
struct job *job_new(const struct op *o, struct err *e);
struct job *job_ref(struct job *j);

/* Has the job ended, or is its end being written? Nothing that happens to it
 * from then on changes how it ends. */
static inline bool job_is_over(const struct job *j)
{
	return j->ending || job_state_is_end(j->state);
}

/* Returns the state that clients are told. A run that is not recorded would not
 * be counted if the process were lost now, so that until then the job still
 * waits. */
static inline enum job_state job_told_state(const struct job *j)
{
	return j->state == JOB_RUNNING && j->beginning ? JOB_ACCEPTED :
	       j->state;
}

/* Drops a reference. If only the table's is left and the job has ended and is
 * not kept, its outputs are freed. NULL is fine. */
void job_unref(struct job *j);

/* Keeps a copy of t; without memory for it, the job has no times. */
void job_set_timing(struct job *j, const struct timing *t);

/* What is being done for the job, or what it waits for: "preparing" its
 * operands, "waiting" for a device, "compiling" its kernels, "running",
 * "ended". */
const char *job_stage(const struct job *j);

/* Has w->changed(w->arg) called after every change, from the middle of the
 * engine's work: it must neither call the engine nor end a watch. To be ended
 * by job_unwatch() while the job is referred to. */
void job_watch(struct job *j, struct watch *w);
void job_unwatch(struct job *j, struct watch *w);
void job_changed(const struct job *j);

/* Sets the state, and counts the job for its tenant from job_count() until
 * job_uncount() or its end. The parts of a split job do not count. */
void job_set_state(struct job *j, enum job_state s);
void job_count(struct job *j);
void job_uncount(struct job *j);

/* Returns the devices on which the job may run now: all of its devices but
 * those that compile its kernels; none while its tenant has as many running
 * jobs as it may. */
uint64_t job_devices(const struct job *j);

/* job_put_off() notes that the device, given by its place among the engine's,
 * compiles kernels for the job since since_ns; job_go_on() notes that the job
 * waits for no compiler any more. */
void job_put_off(struct job *j, int device, int64_t since_ns);
void job_go_on(struct job *j, int64_t now_ns);

/* Charges the pool for the record of a job whose result is kept. The record
 * lives as long as the result and counts against the same limit, so that no
 * other limit is needed. ERR_MEMORY. */
int job_charge(struct job *j, struct memory_pool *p, struct err *e);

/* Ends that charge, if there is one. */
void job_discharge(struct job *j);

/* The number of the job's tenant, for workers. */
uint32_t job_tenant(const struct job *j);

/* Does the job, or a step of its pipeline, compute with 64-bit floating-point
 * numbers? */
bool job_needs_float64(const struct job *j);

void job_drop_trace(struct job *j);
void job_drop_operands(struct job *j);
void job_drop_outputs(struct job *j);
/* Frees the outputs as soon as only the table refers to the job, because a
 * reply that is being sent still reads them. */
void job_forget_outputs(struct job *j);

#endif
