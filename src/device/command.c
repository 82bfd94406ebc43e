/* command.c - what is enqueued, one after the other. */
#include "device/sequence.h"

cl_event *command_begin(struct seq *s, cl_event *event)
{
	const bool all = s->level == TIMING_FULL;

	*event = NULL;
	if (s->last_id - (s->n_pending ? s->ring[s->oldest].id : s->last_id)
	    >= AHEAD)
		times_harvest(s, AHEAD / 2);
	return all || s->launches % STRIDE == 0 ? event : NULL;
}

void command_end(struct seq *s, cl_event event, int account)
{
	if (seq_failed(s)) {
		if (event)
			clReleaseEvent(event);
		return;
	}
	s->busy = true;
	s->last_id++;
	s->unmarked = !event;
	if (event)
		times_add(s, event, account);
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
