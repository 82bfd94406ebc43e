/* enqueue_state.h - a job that is being accepted, private to enqueue.c and
 * enqueue_write.c. */
#ifndef FLEET_ENQUEUE_STATE_H
#define FLEET_ENQUEUE_STATE_H

#include "fleet/uses.h"

struct enqueuing {
	struct call call;
	struct fleet *fleet;
	struct job *job;		/* a reference */
	void (*then)(void *arg, const char *old, const struct err *e);
	void *arg;
	struct err local;		/* why no device of this host can run
					 * the job; ERR_NONE: one can */
	char id[JOB_ID], tenant[TENANT_NAME], key[JOB_KEY];
	char device[STORE_NAME];
	uint8_t fingerprint[32];
	int priority;
	double charge_ms;		/* of device time, which the tenant's
					 * fair share is charged */
	bool float64;			/* the device must support it */
	bool has_deadline;
	int64_t left_ms;		/* until the deadline */
	int64_t need;			/* bytes of the device's memory */
	int64_t lease_ms;
	uint64_t bytes;			/* of the operands' payload */
	struct shared *shared;
	char file[SHARED_NAME];		/* the payload's file in the shared
					 * directory; "": there is none */
	struct uses uses;		/* operands that are not in it */
	bool stores;			/* the job stores outputs */
	bool quiet;			/* no other host is notified: quiet.h */
	bool recount;			/* by the last count the fleet's queue
					 * is full: count again first */
	uint64_t queue_limit;
	struct count count;
	uint64_t queued_most;		/* jobs of the tenant that may wait; 0:
					 * any number */
	struct text request;
	struct matrix operand[RECORD_OPERANDS];	/* references */
	size_t n;
	char old[JOB_ID];		/* the job that has the key and serves
					 * this request, or "" */
};

/* Writes the job, or sets x->old. ERR_GONE if a stored matrix that it uses was
 * deleted meanwhile. */
int enqueue_write(struct enqueuing *x, struct pg *p, struct err *e);

#endif
