/* run.h - the state of a request for an operation or a pipeline, for run*.c
 * alone.
 *
 * A run belongs to its exchange, but may outlive it while a pool thread or the
 * journal works for it: the client has then left, or has its reply.
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
	bool preparing;			/* the pool or the journal refers to
					 * this: do not free */
	bool ended;			/* the exchange has ended */
	bool spills;			/* this host's queue is full: the fleet
					 * runs the job, though its client waits
					 * for the result */
	bool spilled;			/* it has been written to the fleet's
					 * database */
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

/* run.c: replies with the job's result or problem. */
void run_send_reply(void *run, struct job *j);

/* --- run_body.c: what must be known before the body, and is looked up after
 * it */

/* Holds the body until the saved pipeline that the path names was read. */
int run_find_saved(struct run *r, struct err *e);

/* The handler's done(). */
int run_done(struct exchange *x, void *run, struct err *e);

/* --- run_fleet.c: jobs of a fleet */

/* Is the job to be written to the fleet's database, instead of being submitted
 * to this process's engine? */
bool run_is_for_fleet(const struct run *r);

/* This host has refused a synchronous request with *e. If that was for want of
 * room (ERR_BUSY), and the fleet can run the job, clears *e, and returns true:
 * run_is_for_fleet() is true from then on. */
bool run_spill(struct run *r, struct err *e);

/* Dismisses the job of a spilled request, or removes its row if it has ended.
 * To be called when the exchange has ended. */
void run_end_spilled(struct run *r);

/* Writes a job whose operands are ready to the database. The client gets its
 * reply when that is done or, if it waits for the result, when the job has
 * ended. -1 with *e. */
int run_enqueue(struct run *r, struct err *e);

/* Does the same after the operands were prepared on a pool thread; why->code
 * says whether that failed. May free the run. */
void run_enqueue_prepared(struct run *r, const struct err *why);

/* Replies with the results of a fleet's job that has ended: j is a view of it,
 * arg the run. */
void run_send_fleet(void *run, struct job *j);

/* run_into.c: copies the results of r->repeated, a spilled request's job, to
 * the share that `into` names, and replies. */
void run_place(struct run *r);

/* --- run_accept.c: how the client hears that its job was accepted */

/* Checks before the body is read that this host or the fleet has room for the
 * job, that its tenant's limits permit it, and that a job which must survive
 * can be written. */
int run_check_room(struct run *r, struct err *e);

/* Must the job survive the process? */
bool run_is_durable(const struct run *r);

/* Says, if the client asked for it, that the job was accepted, or why it was
 * not. */
void run_reply_accepted(struct run *r, const struct err *e);

/* Has the journal write the job, which the engine holds until then, and calls
 * run_on_durable(): it releases the job, and says that it was accepted. */
void run_make_durable(struct run *r);
void run_on_durable(void *run, const struct err *e);

/* Submits a job that is ready, and has the journal write it; -1 with an error
 * if the engine refuses it. */
int run_submit_held(struct run *r, struct err *e);

/* Replies to a repeat of a request when the journal has its job. Returns 1, or
 * -1 without memory. */
int run_wait_for_old(struct run *r, struct job *old, struct err *e);

#endif
