/* worker_log.h - what the log tells of workers, with their facts. */
#ifndef QUEUE_WORKER_LOG_H
#define QUEUE_WORKER_LOG_H

#include "queue/supervisor.h"

/* Lines of what it and its driver print; arg is the struct worker. */
void worker_log_said(void *arg, const char *text);

void worker_log_ready(const struct worker *w);
void worker_log_bad_canary(const struct worker *w, const char *why);
void worker_log_overdue(const struct worker *w);
void worker_log_restart(const struct worker *w, const char *how,
                        int64_t in_ns);

/* A job by its id that does not stop, or could not be sent. */
void worker_log_stuck(const struct worker *w, const char *job);
void worker_log_unsent(const struct worker *w, const char *job,
                       const char *why);

#endif
