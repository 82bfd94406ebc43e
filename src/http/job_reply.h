/* job_reply.h - replies to a request with a job's result or problem, in the
 * format that the client accepts. */
#ifndef HTTP_JOB_REPLY_H
#define HTTP_JOB_REPLY_H

#include "base/pool.h"
#include "http/handler.h"
#include "queue/engine.h"

struct job_reply;

struct sending {
	struct exchange *x;
	struct engine *engine;
	struct pool *codec;
	struct job *job;
	const struct tensor_request *tensors;	/* of an inference request,
					 * else NULL */
};

struct reply_format {
	const char *media_type;
	bool sparse;			/* can hold a sparse result */
	struct job_reply *(*send)(const struct sending *s, struct err *e);
};

/* Chooses the format by the request's Accept; NULL with ERR_ACCEPT. */
const struct reply_format *job_reply_choose(const struct exchange *x,
                                            struct err *e);

bool job_reply_is_json(const struct reply_format *f);

/* Replies with the ended job's result or problem, at once or, if packing takes
 * long, later. Returns the state of that work, or NULL when nothing is left to
 * do; the exchange's handler must job_reply_free() it at its end. */
struct job_reply *job_reply_send(const struct sending *s,
                                 const struct reply_format *f);
void job_reply_free(struct job_reply *a);

/* The functions of a kind of body that takes long to make. make() may run on a
 * pool thread; send() runs on the loop's thread and takes the body over. */
struct body_kind {
	int (*make)(void *body, struct err *e);
	void (*send)(struct exchange *x, void *body);
	void (*free)(void *body);
};

/* Makes a body of the job's outputs and sends it. If is_short is set, the body
 * is made in this call, else on the codec pool. Takes body over. Returns as
 * job_reply_send(). */
struct job_reply *job_reply_make(const struct sending *s,
                                 const struct body_kind *kind, void *body,
                                 bool is_short, struct err *e);

/* Replies to an asynchronous request that its job was accepted. */
void job_reply_accepted(struct exchange *x, struct engine *g, struct job *j);

/* Adds the headers Linalgd-Job and, for an ended job, Server-Timing. */
void job_reply_headers(struct exchange *x, struct job *j);

#endif
