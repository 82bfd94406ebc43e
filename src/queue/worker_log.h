/* worker_log.h - the log's lines about workers. */
#ifndef QUEUE_WORKER_LOG_H
#define QUEUE_WORKER_LOG_H

#include "queue/supervisor.h"

/* Logs a line that the worker or its driver printed; arg is the struct
 * worker. */
void worker_log_said(void *arg, const char *text);

void worker_log_ready(const struct worker *w);
void worker_log_bad_canary(const struct worker *w, const char *why);
void worker_log_overdue(const struct worker *w);
void worker_log_restart(const struct worker *w, const char *how,
                        int64_t in_ns);

/* Log that the job of that id does not stop, and that it could not be sent. */
void worker_log_stuck(const struct worker *w, const char *job);
void worker_log_unsent(const struct worker *w, const char *job,
                       const char *why);

#endif
