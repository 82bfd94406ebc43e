/* report.h - prints what a reply says about a job besides its result: quality,
 * device, timing, failures, status. */
#ifndef HTTP_REPORT_H
#define HTTP_REPORT_H

#include "http/document.h"
#include "queue/engine.h"

/* Writes "/jobs/" and the job's id; returns path. */
enum { JOB_PATH = 48 };
const char *report_path(const struct job *j, char path[JOB_PATH]);

/* Each appends one member to an object that is being printed. */
void report_quality(struct text *t, const struct job *j);
void report_device(struct text *t, const struct engine *g,
                   const struct job *j);
void report_timing(struct text *t, const struct engine *g,
                   const struct job *j);

/* Appends object i of the list `failed`: which matrix of the stack has no
 * result, and why. */
void report_failure(struct text *t, const struct job *j, size_t i);

/* Appends the value of the header Server-Timing: stages, then kernels, in
 * milliseconds. */
void report_server_timing(struct text *t, const struct job *j);

/* Appends the status document of GET /jobs/{id}. */
void report_status(struct text *t, const struct engine *g,
                   const struct job *j);

#endif
