/* report.h - what there is to say of a job besides its result. */
#ifndef HTTP_REPORT_H
#define HTTP_REPORT_H

#include "http/document.h"
#include "queue/engine.h"

/* "/jobs/" and the id. */
enum { JOB_PATH = 48 };
const char *report_path(const struct job *j, char path[JOB_PATH]);

/* Each appends a member to an object that is printed: what is known of it. */
void report_quality(struct text *t, const struct job *j);
void report_device(struct text *t, const struct engine *g,
                   const struct job *j);
void report_timing(struct text *t, const struct engine *g,
                   const struct job *j);

/* Appends one of the objects of `failed`: which matrix of the stack has no
 * answer, and why. */
void report_failure(struct text *t, const struct job *j, size_t i);

/* The value of Server-Timing: stages, then kernels, in milliseconds. */
void report_server_timing(struct text *t, const struct job *j);

/* Appends the status document of GET /jobs/{id}. */
void report_status(struct text *t, const struct engine *g,
                   const struct job *j);

#endif
