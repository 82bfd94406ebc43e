/* engine.h - the devices' worker processes and the queue of jobs for them.
 *
 * Every function is called on the loop's thread. Jobs wait in one bounded
 * queue, ordered by priority and age; plan.h decides which device takes which.
 * A worker that dies is started again, with back-off; its job fails with the
 * reason, or runs once more if the job was not the cause.
 */
#ifndef QUEUE_ENGINE_H
#define QUEUE_ENGINE_H

#include "base/loop.h"
#include "queue/job.h"
#include "queue/tally.h"
#include "queue/tenant.h"
#include "wire/sheet.h"

struct engine;
struct journal;

struct engine_options {
	const char *program;		/* this binary, for fork + exec */
	const char *cache;		/* directory, may be NULL */
	const char *const *devices;	/* selectors of OpenCL devices,
					   NULL-terminated; none: all CPUs and
					   GPUs */
	size_t queue_limit;
	int64_t result_ttl_ns;
	int64_t grace_ns;		/* between cancelling and killing */
	int64_t timeout_ns;		/* of a job that names none; 0: none */
	size_t records;			/* ended jobs that are remembered */
	const char *cluster;		/* command that starts the processes of
					 * linalgd-mpi; NULL: there are none */
	bool bare;			/* workers run without a sandbox */
	struct journal *journal;	/* borrowed; NULL: no job is durable */
	bool audits;			/* a line of the log for every job that
					 * has ended (audit.h) */
};

/* Lists the devices and starts a worker for each; returns before they are
 * ready. NULL with *e. The options are borrowed for as long as the engine
 * lives. */
struct engine *engine_new(struct loop *l, struct memory_pool *p,
                          const struct engine_options *o, struct err *e);

/* Refuses new jobs (ERR_NOT_READY) from now on, and calls fn(arg), once, when
 * all accepted jobs have ended. fn may be NULL. Durable jobs that wait for a
 * device, and for which no client waits, are left to the next process. */
void engine_drain(struct engine *g, void (*fn)(void *arg), void *arg);

/* Dismisses all jobs that have not ended, with ERR_NOT_READY as their error,
 * when the time for draining is over; durable ones are left to the next
 * process. Then calls what engine_drain() was given, even if the ends of some
 * jobs have not been written yet: journal_close() and fleet_close() write them,
 * or leave these jobs, too, if they cannot be written. */
void engine_give_up(struct engine *g);

/* Leaves a durable job that waits, and for which no client waits, to the next
 * process; false: it is no such job. */
bool engine_leave(struct engine *g, struct job *j);

/* Kills the workers before this process ends: otherwise one could live on until
 * its kernel ends. */
void engine_kill_workers(struct engine *g);
void engine_free(struct engine *g);

/* The tenants, whom the jobs refer to. */
struct tenants *engine_tenants(const struct engine *g);

/* The number of devices in use. i below is a place in this list, whereas a
 * device's index is that of its sheet. */
int engine_devices(const struct engine *g);
const struct sheet *engine_sheet(const struct engine *g, int i);
bool engine_healthy(const struct engine *g, int i);
/* Is at least one healthy that is no cluster? */
bool engine_ready(const struct engine *g);
const struct sheet *engine_sheet_of(const struct engine *g, int index);

/* The state of a device at this moment. */
struct device_view {
	bool healthy;
	int running;			/* jobs that its worker has */
	uint64_t losses;		/* worker processes that ended */
	uint64_t memory;		/* bytes in use of its own memory, by
					 * its worker's account */
};
struct device_view engine_device(const struct engine *g, int i);

/* Return how many jobs wait for a device or are being prepared, and how many
 * may. */
size_t engine_waiting(const struct engine *g);
size_t engine_queue_limit(const struct engine *g);

/* Returns the counts since the engine was made. */
const struct tally *engine_tally(const struct engine *g);

/* Sets *devices, bits as in struct job's devices, to those that a selector
 * ("auto", "cpu", "gpu", "cluster", an index, part of a name) names;
 * ERR_PARAMETER if there is none. */
int engine_select(const struct engine *g, const char *selector,
                  uint64_t *devices, struct err *e);

/* -1 with ERR_BUSY or ERR_NOT_READY when any job would be refused now: to be
 * called before a job's operands are read. */
int engine_check_room(const struct engine *g, struct err *e);

/* Reports that the first `arrived` bytes of an operand, of a job that may
 * run on `devices`, have arrived. They are uploaded ahead of the job to a
 * device that is idle and has memory of its own, if there is one and no job
 * waits. */
void engine_expect(struct engine *g, uint64_t devices, struct memory *m,
                   size_t arrived);

/* Returns after how many seconds, from 1 on, the next job of the tenant is
 * expected to end, or if t is NULL or has no running one, the next of all. */
unsigned engine_seconds_left(const struct engine *g, const struct tenant *t);

/* Returns after how many seconds, from 1 on, the tenant is expected to have so
 * many bytes less in flight: as engine_seconds_left() if the ends of its jobs
 * suffice for that, else when enough of its kept results have expired. */
unsigned engine_seconds_to_room(const struct engine *g, const struct tenant *t,
                                uint64_t bytes);

/* Removes from the job's devices those that cannot run it. -1 with the reason
 * in *e if none is left. */
int engine_admit(const struct engine *g, struct job *j, struct err *e);

/* Accepts a job, to which the engine keeps a reference, and removes from its
 * devices those that cannot run it. ERR_BUSY when the queue is full,
 * ERR_NOT_READY when it drains, ERR_TOO_LARGE or ERR_PARAMETER when no
 * device is left. */
int engine_submit(struct engine *g, struct job *j, struct err *e);

/* Accepts a job as engine_submit() does, but holds it until engine_prepared()
 * is called: meanwhile it is made durable (durable.h). */
int engine_submit_held(struct engine *g, struct job *j, struct err *e);

/* Accept a job, as engine_submit() does, but in two steps, because its operands
 * are still to be prepared. After engine_accept() (ERR_BUSY, ERR_NOT_READY) the
 * job can be found, dismissed and timed out. engine_prepared(), which must be
 * called once, puts the job into the queue, or fails it if why is set or no
 * device is left. */
int engine_accept(struct engine *g, struct job *j, struct err *e);
void engine_prepared(struct engine *g, struct job *j, const struct err *why);

/* Between these two calls, work of the pool that is not a job of this process's
 * queue counts as one that waits. ERR_BUSY when the pool already prepares as
 * many jobs as may wait, ERR_NOT_READY when the service is stopping. */
int engine_occupy(struct engine *g, struct err *e);
void engine_vacate(struct engine *g);

/* Takes a job of an earlier process (restore.h), which is in its state and
 * whose serial is larger than those of all jobs before. One that has not ended
 * waits again, or fails if why->code is set. */
void engine_restore(struct engine *g, struct job *j, const struct err *why);

/* Takes a job that this host has claimed from its fleet (backing.h), and whose
 * operands are ready. It is taken even if the queue is full. Fails if no device
 * can run it, or with ERR_NOT_READY while the engine drains. */
int engine_adopt(struct engine *g, struct job *j, struct err *e);

/* Predicts the time, in ns, that the job takes on the fastest of its devices; a
 * default if none can be predicted. */
int64_t engine_cost_ns(const struct engine *g, const struct job *j);

/* Removes a job of a fleet from the engine's queue. Returns false, and changes
 * nothing, if it does not wait for a device any more. The caller must hold a
 * reference to it. */
bool engine_withdraw(struct engine *g, struct job *j);

/* Dismisses a job: at once while it waits; while it runs, between two kernels
 * or, after the grace time, by killing its worker. An ended job stays as it
 * is. */
void engine_dismiss(struct engine *g, struct job *j);

/* Forgets an ended job: it is not found any more. */
void engine_forget(struct engine *g, struct job *j);

struct job *engine_find(const struct engine *g, const char *id);
struct job *engine_find_key(const struct engine *g, const struct tenant *t,
                            const char *key);

/* The newest job first, then job->older, to NULL. */
struct job *engine_newest(const struct engine *g);

int engine_progress(const struct engine *g, const struct job *j);

#endif
