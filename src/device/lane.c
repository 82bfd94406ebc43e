/* lane.c - lanes: launches in different lanes may run at the same time, because
 * each lane is a queue of its own. */
#include "device/sequence.h"

bool device_lanes;

void seq_lane(struct seq *s, int lane)
{
	if (seq_failed(s) || (seq_shares_memory(s) && !device_lanes))
		return;
	if (!s->lanes[lane])
		s->lanes[lane] = device_lane(s->device, lane, s->err);
	if (s->lanes[lane])
		s->queue = s->lanes[lane];
}

cl_event lane_mark(struct seq *s, cl_command_queue q)
{
	cl_event mark = NULL;

	SEQ_TRY(s, "marker", clEnqueueMarkerWithWaitList(q, 0, NULL, &mark));
	SEQ_TRY(s, "flush", clFlush(q));
	return mark;
}

void seq_follow(struct seq *s, int lane)
{
	cl_command_queue other = s->lanes[lane];
	cl_event mark;

	if (!other || other == s->queue || seq_failed(s))
		return;
	mark = lane_mark(s, other);
	SEQ_TRY(s, "barrier", clEnqueueBarrierWithWaitList(s->queue, 1, &mark,
	    NULL));
	if (mark)
		clReleaseEvent(mark);
}

void lanes_flush(struct seq *s)
{
	for (int i = 0; i < DEVICE_LANES; i++)
		if (s->lanes[i] && !seq_failed(s))
			SEQ_TRY(s, "flush", clFlush(s->lanes[i]));
}

/* Waits until the commands of all lanes have ended, even if the sequence has
 * failed, and selects lane 0. */
void lanes_finish(struct seq *s)
{
	for (int i = 0; i < DEVICE_LANES; i++) {
		cl_int rc = s->lanes[i] ? clFinish(s->lanes[i]) : CL_SUCCESS;

		SEQ_TRY(s, "finish", rc);
	}
	s->queue = s->lanes[0];
}
