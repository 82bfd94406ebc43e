/* trace.h - the trace of a job's call: each command with its beginning and
 * end.
 *
 * A worker writes the trace into the memory that it shares with the front,
 * which copies and checks it. A job that ran in parts has a list of traces, one
 * for each device. Because traces are large, only those of the newest jobs are
 * kept; a reply that is being sent holds a reference.
 */
#ifndef QUEUE_TRACE_H
#define QUEUE_TRACE_H

#include "queue/job.h"
#include "wire/call.h"

enum { TRACES = 32 };

struct trace {
	unsigned refs;
	struct trace *next;		/* of the job's next part, owned */
	int device;			/* index */
	uint64_t left_out;		/* events for which there was no room */
	int n_names;
	char name[TIMING_ROWS][TIMING_NAME];
	int step[TIMING_ROWS];		/* of the pipeline that has the row */
	unsigned n;
	struct trace_event event[];	/* kind: an index of name, or one of
					 * enum trace_kind */
};

/* The jobs whose traces are kept, and where the next one goes. { 0 }: none. */
struct traces {
	struct job *job[TRACES];
	unsigned next;
};

/* Copies the trace of a call that device `device` answered with d. Returns NULL
 * without an error if there is no memory for it, and NULL with ERR_DEVICE if
 * the worker wrote something impossible. The caller owns one reference. */
struct trace *trace_take(const struct trace_page *p, const struct done *d,
                         int device, struct err *e);
struct trace *trace_ref(struct trace *t);
void trace_unref(struct trace *t);		/* NULL is fine */

/* Keeps the trace of job j, which has ended, and drops the oldest trace if
 * there are TRACES already. */
void traces_keep(struct traces *all, struct job *j);

#endif
