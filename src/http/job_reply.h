/* job_reply.h - replies to a request with a job's result or problem, in the
 * format that the client accepts. */
#ifndef HTTP_JOB_REPLY_H
#define HTTP_JOB_REPLY_H

#include "base/pool.h"
#include "http/handler.h"
#include "queue/engine.h"

struct reply_format;
struct job_reply;

/* Chooses the format by the request's Accept; NULL with ERR_ACCEPT. */
const struct reply_format *job_reply_choose(const struct exchange *x,
                                            struct err *e);

/* Replies with the ended job's result or problem, at once or, if packing takes
 * long, later. Returns the state of that work, or NULL when nothing is left to
 * do; the exchange's handler must job_reply_free() it at its end. */
struct job_reply *job_reply_send(struct exchange *x, struct engine *g,
                                 struct pool *codec, struct job *j,
                                 const struct reply_format *f);
void job_reply_free(struct job_reply *a);

/* Adds the headers Linalgd-Job and, for an ended job, Server-Timing. */
void job_reply_headers(struct exchange *x, struct job *j);

#endif
