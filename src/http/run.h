/* run.h - the state of a request for an operation or a pipeline, for run*.c
 * alone.
 *
 * A run belongs to its exchange, but may outlive it while a pool thread or the
 * depot works for it: the client has then left, or has its reply.
 */
#ifndef HTTP_RUN_H
#define HTTP_RUN_H

#include "http/async.h"
#include "http/draft.h"
#include "http/job_reply.h"
#include "http/repeat.h"
#include "http/request.h"
#include "http/service.h"
#include "http/tensor_reply.h"

struct run {
	struct api *api;		/* for the loop's thread only */
	struct memory_pool *memory;
	struct exchange *x;		/* NULL: the client has left */
	struct job *job;		/* a reference */
	struct job *repeated;		/* a reference, to the job of the same
					 * key; or NULL */
	struct wanted operands;		/* stored matrices that are operands */
	struct wanted targets;		/* and those that `store` names */
	struct request request;
	struct draft *draft;		/* for a pipeline, else NULL */
	struct sink sink;
	struct reader *reader;
	bool work;			/* preparing will take longer than a
					 * millisecond */
	bool finished;			/* reader_finish() was called */
	const struct reply_format *format;
	struct tensor_request *tensors;	/* for an inference, else NULL */
	struct job_reply *reply;
	struct async async;
	struct asker by;		/* of questions to the depot */
	struct fingerprint fingerprint;
	struct task task;
	bool preparing;			/* the pool or the depot refers to
					 * this: do not free */
	bool ended;			/* the exchange has ended */
	bool reserved;			/* by the depot */
	bool spills;			/* this host's queue is full: another
					 * runs the job, though its client waits
					 * for the result */
	bool spilled;			/* the depot has accepted it */
	bool prepared;			/* preparing succeeded */
	int64_t prepare_ns;		/* spent on preparing */
	struct matrix fetched[OP_OUTPUTS];	/* results of a spilled request,
					 * while they are copied to a share */
	struct err err;			/* of preparing */
};

void run_free(struct run *r);			/* NULL is fine */

/* run.c: takes the query, and opens the reader of the body. */
int run_open(struct run *r, struct err *e);

/* run.c: goes on when the stored matrices are there and the request is checked:
 * prepares the job and submits it. work: preparing takes longer than a
 * millisecond. */
int run_go_on(struct run *r, bool work, struct err *e);

/* run.c: changes the pointer of an error to where the request has what is
 * wrong. */
void run_locate(const struct run *r, struct err *e);

/* run.c: replies with the job's result or problem. */
void run_send_reply(void *run, struct job *j);

/* --- run_body.c: what must be known before the body, and is looked up after
 * it */

/* Holds the body until the saved pipeline that the path names was read. */
int run_find_saved(struct run *r, struct err *e);

/* The handler's done(). */
int run_done(struct exchange *x, void *run, struct err *e);

/* run_into.c: copies the results of r->repeated, a spilled request's job, to
 * the share that `into` names, and replies. */
void run_place(struct run *r);

/* --- run_accept.c: jobs that the service's depot accepts */

/* Checks before the body is read that this host or another has room for the
 * job, that its tenant's limits permit it, and that a job which must outlive
 * this process can be written. */
int run_check_room(struct run *r, struct err *e);

/* Does the depot accept the job? If not, it is submitted to this process's
 * engine, and lost with the process. */
bool run_is_kept(const struct run *r);

/* This host has refused a synchronous request with *e. If that was for want of
 * room (ERR_BUSY), and another host can run the job, clears *e, and returns
 * true: run_is_kept() is true from then on. */
bool run_spill(struct run *r, struct err *e);

/* Dismisses the job of a spilled request, or removes its record if it has
 * ended. To be called when the exchange has ended. */
void run_end_spilled(struct run *r);

/* Replies if the request repeats an earlier one, whose job this process has.
 * Returns as repeat_find(). */
int run_repeat(struct run *r, struct err *e);

/* Has the depot accept a job whose operands are ready, unless why->code says
 * that preparing them has failed. The client gets its reply when the depot has
 * the job or, if it waits for the result, when the job has ended. May free the
 * run if the exchange has ended. */
void run_accept(struct run *r, const struct err *why);

/* Replies to an asynchronous request that its job was accepted, or why the
 * engine has ended the job at once. */
void run_reply_accepted(struct run *r);

/* Replies with the results of a job that has ended; arg is the run. */
void run_send_ended(void *run, struct job *j);

#endif
