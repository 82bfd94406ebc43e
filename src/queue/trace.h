/* trace.h - the trace of a job's call: each command with its beginning and
 * end.
 *
 * A worker writes it into the memory that it shares with the front, which
 * copies and checks it. A job that ran in parts has a list of them, one a
 * device. Only the newest few are kept, because a trace is large; a reply that
 * is being sent has a reference.
 */
#ifndef QUEUE_TRACE_H
#define QUEUE_TRACE_H

#include "queue/job.h"
#include "wire/call.h"

enum { TRACES = 32 };

struct trace {
	unsigned refs;
	struct trace *next;		/* of the job's other parts, owned */
	int device;			/* index */
	uint64_t left_out;		/* events, for want of room */
	int n_names;
	char name[TIMING_ROWS][TIMING_NAME];
	unsigned n;
	struct trace_event event[];	/* kind: an index of name, or one of
					 * enum trace_kind */
};

/* The jobs whose traces are kept, and where the next one goes. { 0 }: none. */
struct traces {
	struct job *job[TRACES];
	unsigned next;
};

/* Copies the trace of a call that was answered by d. NULL without memory for
 * it, or with ERR_DEVICE if it cannot be a trace. */
struct trace *trace_take(const struct trace_page *p, const struct done *d,
                         int device, struct err *e);
struct trace *trace_ref(struct trace *t);
void trace_unref(struct trace *t);		/* NULL is fine */

/* Keeps the trace of a job that has ended, instead of the oldest. */
void traces_keep(struct traces *all, struct job *j);

#endif
