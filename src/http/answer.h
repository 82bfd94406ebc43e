/* answer.h - a job's end as a reply, in the format that the client accepts. */
#ifndef HTTP_ANSWER_H
#define HTTP_ANSWER_H

#include "base/pool.h"
#include "http/server.h"
#include "queue/engine.h"

struct answer_format;
struct answer;

/* Chooses by the request's Accept; NULL with ERR_ACCEPT. */
const struct answer_format *answer_choose(const struct exchange *x,
                                          struct err *e);

/* Replies with the ended job's result or problem, at once or, where packing
 * takes long, later. The answer is the exchange's handler's, which calls
 * answer_free() at its end; NULL when nothing is left to do. */
struct answer *answer_job(struct exchange *x, struct engine *g,
                          struct pool *codec, struct job *j,
                          const struct answer_format *f);
void answer_free(struct answer *a);

/* Linalgd-Job and, of an ended job, Server-Timing. */
void answer_headers(struct exchange *x, struct job *j);

#endif
