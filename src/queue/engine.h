/* engine.h - the devices' worker processes and the queue before them.
 *
 * All on the loop's thread. A job waits in one bounded queue, by priority
 * and age; a device takes the first that may run on it. A worker that dies
 * is started again, with back-off; its job fails with the reason, or runs
 * once more where the cause was not the job's.
 */
#ifndef QUEUE_ENGINE_H
#define QUEUE_ENGINE_H

#include "base/loop.h"
#include "queue/job.h"
#include "wire/sheet.h"

struct engine;

struct engine_options {
	const char *program;		/* this binary, for fork + exec */
	const char *cache;		/* directory, may be NULL */
	const char *const *devices;	/* selectors, NULL-terminated;
					   none: all CPUs and GPUs */
	size_t queue_limit;
	int64_t result_ttl_ns;
	int64_t grace_ns;		/* between cancelling and killing */
	int64_t timeout_ns;		/* of a job that names none; 0: none */
	size_t records;			/* ended jobs that are remembered */
};

/* Lists the devices, starts a worker each; returns before they are ready. */
struct engine *engine_new(struct loop *l, struct memory_pool *p,
                          const struct engine_options *o, struct err *e);

/* Takes no more jobs (ERR_NOT_READY), then calls fn(arg), once, when all that
 * it has taken have ended. NULL: nobody is to be told. */
void engine_drain(struct engine *g, void (*fn)(void *arg), void *arg);

/* Ends whatever has not ended yet with ERR_NOT_READY: for the end of the time
 * that a draining service has. */
void engine_give_up(struct engine *g);

/* For the end of this process: no worker outlives it for the length of a
 * kernel. */
void engine_kill_workers(struct engine *g);
void engine_free(struct engine *g);

/* Devices in use. A device's index is that of its sheet, not of this list. */
int engine_devices(const struct engine *g);
const struct sheet *engine_sheet(const struct engine *g, int i);
bool engine_healthy(const struct engine *g, int i);
bool engine_ready(const struct engine *g);	/* at least one is healthy */
const struct sheet *engine_sheet_of(const struct engine *g, int index);

/* The devices that a selector ("auto", "cpu", "gpu", an index, part of a
 * name) names, as bits for struct job's devices; ERR_PARAMETER if none. */
int engine_select(const struct engine *g, const char *selector,
                  uint64_t *devices, struct err *e);

/* ERR_BUSY or ERR_NOT_READY when a job would not be taken in now, whatever
 * it is: to be asked before its operands are read. */
int engine_check_room(const struct engine *g, struct err *e);

/* So many bytes of the memory of a job to come are there: a device that would
 * take it has them sent ahead. */
void engine_expect(struct engine *g, uint64_t devices, struct memory *m,
                   size_t arrived);

/* Takes the job in, with a reference of its own, and off its devices those
 * that cannot run it. ERR_BUSY when the queue is full, ERR_NOT_READY when it
 * drains, ERR_TOO_LARGE or ERR_PARAMETER when no device is left. */
int engine_submit(struct engine *g, struct job *j, struct err *e);

/* The same in two steps, for a job whose operands are still to be prepared:
 * it can be found, dismissed and timed out at once (ERR_BUSY, ERR_NOT_READY),
 * and waits for a device from engine_prepared() on, which is to be called
 * once. why set, or no device left: it failed. */
int engine_accept(struct engine *g, struct job *j, struct err *e);
void engine_prepared(struct engine *g, struct job *j, const struct err *why);

/* Counts against the queue's limit what is prepared without being a job, from
 * one call to the other (ERR_BUSY, ERR_NOT_READY). */
int engine_occupy(struct engine *g, struct err *e);
void engine_vacate(struct engine *g);

/* Dismisses: at once while it waits, between kernels or by force when it
 * runs. An ended job is left as it is. */
void engine_dismiss(struct engine *g, struct job *j);

/* Forgets an ended job: it is not found any more. */
void engine_forget(struct engine *g, struct job *j);

struct job *engine_find(const struct engine *g, const char *id);
struct job *engine_find_key(const struct engine *g, const char *key);

/* The newest job first, then job->older, to NULL. */
struct job *engine_newest(const struct engine *g);

int engine_progress(const struct engine *g, const struct job *j);

#endif
