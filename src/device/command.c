/* command.c - what is enqueued: one after the other, or overlapping. */
#include "device/sequence.h"

cl_event *command_begin(struct seq *s, cl_event *event)
{
	bool all = s->level == TIMING_FULL || s->overlapping;

	*event = NULL;
	if (s->last_id - (s->n_pending ? s->ring[s->oldest].id : s->last_id)
	    >= AHEAD)
		times_harvest(s, AHEAD / 2);
	return all || s->launches % STRIDE == 0 ? event : NULL;
}

static void forget_after(struct seq *s)
{
	while (s->n_after > 0)
		clReleaseEvent(s->after[--s->n_after]);
}

struct step command_end(struct seq *s, cl_event event, int account)
{
	forget_after(s);
	if (seq_failed(s)) {
		if (event)
			clReleaseEvent(event);
		return (struct step){ 0 };
	}
	s->busy = true;
	s->last_id++;
	s->unmarked = !event;
	if (event)
		times_add(s, event, account);
	return (struct step){ s->last_id };
}

/* A launch without work-items: what waits for it waits for what it would
 * have waited for. */
struct step command_none(struct seq *s)
{
	cl_event event = NULL;

	if (s->n_after == 0 || !SEQ_TRY(s, "marker",
	    clEnqueueMarkerWithWaitList(s->queue, COMMAND_WAITS(s), &event)))
		return (struct step){ 0 };
	return command_end(s, event, ACCOUNT_NONE);
}

/* The end of the last kernel, where it has no event of its own. */
void command_mark_end(struct seq *s)
{
	cl_event event = NULL;

	if (s->unmarked && SEQ_TRY(s, "marker",
	    clEnqueueMarkerWithWaitList(s->queue, 0, NULL, &event)))
		command_end(s, event, ACCOUNT_KERNELS);
}

/* Also after a failure: the host's memory must be the host's again. */
void command_wait_all(struct seq *s)
{
	cl_int rc;

	if (s->busy) {
		rc = clFinish(s->queue);
		SEQ_TRY(s, "finish", rc);
	}
	s->busy = false;
	times_harvest(s, 0);
}

static cl_int make_overlap_queue(struct device *d)
{
	const cl_command_queue_properties timed = CL_QUEUE_PROFILING_ENABLE;
	const cl_command_queue_properties free_order =
	    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
	cl_int rc;

	d->overlap = clCreateCommandQueue(d->context, d->id,
	                                  timed | free_order, &rc);
	if (rc == CL_INVALID_QUEUE_PROPERTIES)
		d->overlap = clCreateCommandQueue(d->context, d->id, timed,
		                                  &rc);
	return rc;
}

/* What comes later in `to` waits for all that is in `from`. */
static void hand_over(struct seq *s, cl_command_queue from,
                      cl_command_queue to)
{
	cl_event event = NULL;

	if (SEQ_TRY(s, "marker",
	    clEnqueueMarkerWithWaitList(from, 0, NULL, &event)))
		SEQ_TRY(s, "flush", clFlush(from));
	SEQ_TRY(s, "barrier",
	        clEnqueueBarrierWithWaitList(to, 1, &event, NULL));
	if (event)
		clReleaseEvent(event);
	s->queue = to;
	s->busy = true;
}

void seq_overlap(struct seq *s)
{
	struct device *d = s->device;

	if (s->overlapping || seq_failed(s))
		return;
	command_mark_end(s);
	if (!d->overlap)
		SEQ_TRY(s, "queue", make_overlap_queue(d));
	if (seq_failed(s))
		return;
	s->overlapping = true;
	hand_over(s, d->queue, d->overlap);
}

void seq_join(struct seq *s)
{
	if (!s->overlapping)
		return;
	forget_after(s);
	if (seq_failed(s))
		clFinish(s->device->overlap);
	else
		hand_over(s, s->device->overlap, s->device->queue);
	s->queue = s->device->queue;
	s->overlapping = false;
}

/* One event in place of all. */
static void fold_after(struct seq *s)
{
	cl_event event = NULL;

	if (!SEQ_TRY(s, "marker", clEnqueueMarkerWithWaitList(s->queue,
	    COMMAND_WAITS(s), &event)))
		return;
	forget_after(s);
	s->after[s->n_after++] = event;
}

void seq_after(struct seq *s, struct step step)
{
	cl_event event = s->overlapping ? times_event(s, step.id) : NULL;

	if (!event || seq_failed(s))
		return;
	if (s->n_after == AFTER)
		fold_after(s);
	if (s->n_after == AFTER || !SEQ_TRY(s, "event", clRetainEvent(event)))
		return;
	s->after[s->n_after++] = event;
}
