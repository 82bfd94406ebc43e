/* job_text.h - prints what a reply says about a job besides its result: its
 * path, quality, device, timing, failures, status. */
#ifndef HTTP_JOB_TEXT_H
#define HTTP_JOB_TEXT_H

#include "http/json_text.h"
#include "queue/engine.h"

/* Writes "/jobs/" and the job's id; returns path. */
enum { JOB_PATH = 48 };
const char *job_text_path(const struct job *j, char path[JOB_PATH]);

/* Each appends one member to an object that is being printed. */
void job_text_quality(struct text *t, const struct job *j);
void job_text_device(struct text *t, const struct engine *g,
                     const struct job *j);
void job_text_timing(struct text *t, const struct engine *g,
                     const struct job *j);

/* Appends the member "stored": {OUTPUT: {name, shape, dtype}} with the outputs
 * that were stored; nothing if there are none. */
void job_text_stored(struct text *t, const struct job *j);

/* An output in a share, in place of its values. */
void job_text_shared(struct text *t, const struct job *j,
                     const struct matrix *m);

/* Appends object i of the list `failed`: which matrix of the stack has no
 * result, and why. */
void job_text_failure(struct text *t, const struct job *j, size_t i);

/* Appends the value of the header Server-Timing: stages, then kernels, in
 * milliseconds. */
void job_text_server_timing(struct text *t, const struct job *j);

/* Appends the object that GET /jobs/{id} replies with. */
void job_text_status(struct text *t, const struct engine *g,
                     const struct job *j);

#endif
