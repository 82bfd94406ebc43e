/* job.h - one request for one operation, from acceptance to its end.
 *
 *     accepted ──▶ running ──▶ successful
 *         │           ├──────▶ failed
 *         └───────────┴──────▶ dismissed
 *
 * A running job is accepted again when its worker was killed from outside.
 * Lives on the loop's thread only. Counted: the table holds one reference
 * while the job can be found by its id, the queue one until it ends, each
 * reply that is being sent one.
 *
 * An accepted job may still be prepared: another thread works on its args,
 * and nobody else reads them.
 */
#ifndef QUEUE_JOB_H
#define QUEUE_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/loop.h"
#include "ops/op.h"
#include "wire/timing.h"

enum { JOB_ID = 33, JOB_KEY = 129 };

/* Bytes that a job whose result is kept is charged for its record: the struct
 * and the times of as many kernels as most operations have. */
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
struct split;

struct job {
	char id[JOB_ID];		/* 32 hexadecimal digits */
	unsigned refs;
	enum job_state state;
	struct err err;			/* why it failed */

	/* The request; set before engine_submit. */
	struct args args;		/* owned; operands let go at the end */
	uint64_t devices;		/* bit i: may run on device i */
	int priority;			/* 0 first, to 9 */
	enum timing_level timing_level;
	int64_t deadline_ns;		/* clock_ns(); 0: none */
	bool keep;			/* asynchronous: the result lives on */
	bool part;			/* of another: not to be cut */
	bool alone;			/* shares its worker with no other */
	char key[JOB_KEY];		/* Idempotency-Key, or "" */
	uint8_t fingerprint[32];	/* of the body that came with the key */
	/* Called once, on the loop's thread, when the job has ended, which
	 * on 504 and when dismissed is before its worker has let it go. */
	void (*on_end)(struct job *j, void *arg);
	void *on_end_arg;
	/* Called when it ends while its operands are still being prepared:
	 * nobody needs them any more. NULL: they are prepared all the same. */
	void (*unwanted)(void *arg);
	void *unwanted_arg;

	/* Times. */
	int64_t parse_ns;		/* spent on reading the request */
	int64_t accepted_ns, started_ns, ended_ns;	/* clock_ns() */
	int64_t compile_ns;		/* put off for a compiler */
	int64_t first_byte_ns, answered_ns;	/* set by http; total_ms */
	int64_t created_ms, begun_ms, finished_ms, updated_ms;	/* wall */

	/* The answer. */
	int device;			/* index of the one that ran it; -1 */
	uint64_t parts_on;		/* of a job in parts: bit i: index i */
	char variant[TIMING_NAME];
	/* Never NULL; its rows end with the last one that is used, since a
	 * thousand of them are remembered. */
	const struct timing *timing;
	bool gone;			/* its result's time to live is over */

	/* The queue's own. */
	struct engine *engine;
	uint64_t serial;			/* by age, from 1 */
	bool usual_deadline;		/* the service's, as it named none */
	bool preparing;			/* its operands are being made ready */
	bool waiting;			/* it is in the queue for a device */
	bool shares;			/* may go with others (batch.h) */
	uint64_t cold;			/* bit i: device i compiles for it */
	int64_t cold_ns;		/* since when one does; 0: none */
	struct split *split;		/* while it runs in parts */
	size_t results;			/* where its worker has its outputs */
	struct memory_pool *charged;	/* JOB_RECORD_BYTES there; or NULL */
	int attempts;
	bool listed;				/* can be found by its id */
	struct job *next, *previous;		/* in a struct job_list */
	struct job *newer, *older;		/* all, by age */
	struct job *same_id, *same_key;		/* of one hash bucket */
	struct timer deadline, expiry, grace;
};

/* A job for o with a fresh id, in state accepted, one reference. */
struct job *job_new(const struct op *o, struct err *e);
struct job *job_ref(struct job *j);

/* When only the table's reference is left of an ended job that is not to be
 * kept, its outputs are let go. NULL is fine. */
void job_unref(struct job *j);

/* Keeps a copy of t; without memory for it, the times are lost. */
void job_set_timing(struct job *j, const struct timing *t);

/* Those on which it may run now: all but those that compile for it. */
static inline uint64_t job_devices(const struct job *j)
{
	return j->devices & ~j->cold;
}

/* It is put off by that device since then; it waits for no compiler any more,
 * now being the time. */
void job_put_off(struct job *j, int device, int64_t since_ns);
void job_go_on(struct job *j, int64_t now_ns);

/* Charges a job whose result is kept for its record, which lives as long as the
 * result and counts against the same limit, so that no other limit is needed.
 * ERR_MEMORY. */
int job_charge(struct job *j, struct memory_pool *p, struct err *e);

/* Its record is not charged any more, if it was. */
void job_discharge(struct job *j);

void job_drop_operands(struct job *j);
void job_drop_outputs(struct job *j);
/* The same once nobody holds the job: an answer that is on its way reads its
 * outputs to the end. */
void job_forget_outputs(struct job *j);

#endif
