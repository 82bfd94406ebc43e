/* worker_log.c - see worker_log.h. */
#include "base/log.h"
#include "queue/worker_log.h"

/* The fields of every line; and those of a running process. */
#define DEVICE(w) LOG_NUMBER("device", (w)->sheet.index), \
                  LOG_TEXT("device_name", (w)->sheet.name)
#define WORKER(w) DEVICE(w), LOG_NUMBER("worker", (w)->pid)

/* How every message begins. */
#define WHICH "device %d (%s): "
#define WHICH_OF(w) (w)->sheet.index, (w)->sheet.name

void worker_log_said(void *arg, const char *text)
{
	const struct worker *w = arg;

	log_with(LOG_LEVEL_INFO, LOG_FIELDS(WORKER(w)),
	         WHICH "worker %d: %s", WHICH_OF(w), (int)w->pid, text);
}

void worker_log_ready(const struct worker *w)
{
	const double seconds = (double)(w->ready_ns - w->started_ns) / 1e9;

	log_with(LOG_LEVEL_INFO,
	         LOG_FIELDS(WORKER(w), LOG_NUMBER("seconds", seconds)),
	         WHICH "worker %d is ready after %.3f s", WHICH_OF(w),
	         (int)w->pid, seconds);
}

void worker_log_bad_canary(const struct worker *w, const char *why)
{
	log_with(LOG_LEVEL_ERROR,
	         LOG_FIELDS(WORKER(w), LOG_TEXT("reason", why)),
	         WHICH "canary: %s", WHICH_OF(w), why);
}

void worker_log_overdue(const struct worker *w)
{
	log_with(LOG_LEVEL_WARN, LOG_FIELDS(WORKER(w)),
	         WHICH "worker %d %s in time and is killed", WHICH_OF(w),
	         (int)w->pid, w->state == WORKER_STARTING ? "was not ready" :
	         "did not end");
}

void worker_log_restart(const struct worker *w, const char *how,
                        int64_t in_ns)
{
	const double seconds = (double)in_ns / 1e9;

	log_with(LOG_LEVEL_WARN,
	         LOG_FIELDS(DEVICE(w), LOG_TEXT("reason", how),
	                    LOG_NUMBER("restart_s", seconds)),
	         WHICH "the worker %s; restart in %.1f s", WHICH_OF(w), how,
	         seconds);
}

void worker_log_stuck(const struct worker *w, const char *job)
{
	log_with(LOG_LEVEL_WARN, LOG_FIELDS(WORKER(w), LOG_TEXT("job", job)),
	         WHICH "job %s did not stop when told to; its worker is killed",
	         WHICH_OF(w), job);
}

void worker_log_unsent(const struct worker *w, const char *job,
                       const char *why)
{
	log_with(LOG_LEVEL_ERROR,
	         LOG_FIELDS(WORKER(w), LOG_TEXT("job", job),
	                    LOG_TEXT("reason", why)),
	         WHICH "job %s could not be sent: %s", WHICH_OF(w), job, why);
}
