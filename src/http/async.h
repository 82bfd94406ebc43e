/* async.h - replies to a request whose client prefers that its job runs apart
 * (RFC 7240, sections 4.1 and 4.3):
 *
 *     Prefer: respond-async            202 at once
 *     Prefer: respond-async, wait=N    the job's result if it ends within N
 *                                      seconds, else 202
 *
 * Either way the job's result is kept, and outlives the client.
 */
#ifndef HTTP_ASYNC_H
#define HTTP_ASYNC_H

#include "http/handler.h"
#include "http/job_wait.h"
#include "queue/engine.h"

/* { 0 } is of a request that is replied to when its job has ended. */
struct async {
	bool asked;			/* by respond-async */
	struct exchange *x;
	struct engine *engine;
	struct job_wait wait;
	/* Replies with the job, which has ended. */
	void (*send)(void *arg, struct job *j);
	void *arg;
};

/* Reads the exchange's header Prefer. */
void async_init(struct async *s, struct exchange *x,
                void (*send)(void *arg, struct job *j), void *arg);

/* Replies that the job was accepted, or calls send(arg, j) if it ends as soon
 * as the client wants. */
void async_reply(struct async *s, struct engine *g, struct job *j);

/* Cancels the reply if it is not staged yet; to be called at the exchange's
 * end. */
void async_end(struct async *s);

#endif
