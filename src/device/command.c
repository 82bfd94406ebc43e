/* command.c - how a sequence's commands are enqueued, in order. */
#include "base/clock.h"
#include "device/sequence.h"

/* While launches are shorter than this on average, the host waits for hundreds
 * of them at a time. */
static const int64_t short_ns = 50000;

static void keep_up(struct seq *s)
{
	if (s->n_pending == 0 ||
	    s->last_id - s->ring[s->oldest].id < 4 * s->stride)
		return;
	times_harvest(s, 2 * s->stride);
	s->stride = clock_ns() - s->begun_ns < s->last_id * short_ns ?
	            STRIDE_LONG : STRIDE;
}

cl_event *command_begin(struct seq *s, cl_event *event, bool wanted)
{
	*event = NULL;
	keep_up(s);
	if (s->trace)
		s->from_ns = clock_ns();
	return wanted || s->trace ||
	       s->last_id - s->last_event >= s->stride ? event : NULL;
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
	if (event) {
		s->last_event = s->last_id;
		times_add(s, event, account);
	}
	s->paced = (struct paced){ 0 };
	s->more = false;
}

/* Records the end of the last kernel if that has no event of its own. */
void command_mark_end(struct seq *s)
{
	cl_event event = NULL;

	if (s->last_event < s->last_id && SEQ_TRY(s, "marker",
	    clEnqueueMarkerWithWaitList(s->queue, 0, NULL, &event)))
		command_end(s, event, ACCOUNT_KERNELS);
}

/* Waits after a failure as well, because the device must not use the host's
 * memory any more. */
void command_wait_all(struct seq *s)
{
	if (!seq_shares_memory(s))
		times_harvest(s, 0);
	if (s->busy)
		lanes_finish(s);
	s->busy = false;
	times_harvest(s, 0);
	beside_settle(s);
}
