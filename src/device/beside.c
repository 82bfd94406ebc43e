/* beside.c - downloads complete parts of an output while later launches compute
 * the rest. A command queue of its own, LANE_DOWN, holds these downloads:
 *
 *     lane 0      |compute 1|compute 2|compute 3|
 *     LANE_DOWN             |download 1 |download 2 |download 3|
 *
 * This needs memory on the host that the driver has pinned (pinned.h): from
 * other memory the host's threads would have to copy meanwhile. */
#include "base/size.h"
#include "device/pinned.h"
#include "device/sequence.h"

/* A download of fewer bytes, or of a smaller share of the output, waits for
 * more, because each costs the host some 20 us. */
enum { LEAST = 1 << 20, SHARE = 16 };

static size_t bytes_of(const struct extent *x)
{
	return x->end - x->begin;
}

static bool suits(const struct seq *s, const struct buffer *b)
{
	return !seq_failed(s) && !s->deferred && b->output && b->awaited &&
	       b->memory && !b->wide && b->bytes > LEAST &&
	       pinned_already(s, b);
}

bool seq_downloads_beside(const struct seq *s, struct buf b)
{
	return suits(s, buffer_get(s, b.id));
}

/* Enqueues the download of bytes begin to end - 1, after `mark`. */
static void download(struct seq *s, const struct buffer *b, size_t begin,
                  size_t end, cl_event mark)
{
	cl_event event = NULL;

	if (begin < end)
		SEQ_TRY(s, "download", clEnqueueReadBuffer(s->lanes[LANE_DOWN],
		    b->mem, CL_FALSE, begin, end - begin, buffer_host(b) +
		    begin, 1, &mark, &event));
	if (event)
		s->beside[s->n_beside++] = event;
}

/* Enqueues the download of what is complete and is not being downloaded yet. */
static void download_complete(struct seq *s, struct buffer *b)
{
	const struct extent old = b->downloading, new = b->complete;
	cl_command_queue *down = &s->lanes[LANE_DOWN];
	cl_event mark;

	if (!*down)
		*down = device_lane(s->device, LANE_DOWN, s->err);
	mark = lane_mark(s, s->queue);
	if (bytes_of(&old) == 0) {
		download(s, b, new.begin, new.end, mark);
	} else {
		download(s, b, new.begin, old.begin, mark);
		download(s, b, old.end, new.end, mark);
	}
	SEQ_TRY(s, "flush", clFlush(*down));
	if (mark)
		clReleaseEvent(mark);
	s->busy = true;
	b->downloading = new;
}

static bool has_room(const struct seq *s)
{
	return s->n_beside + 2 <= BESIDE;
}

void seq_output_done(struct seq *s, struct buf b, size_t begin, size_t end)
{
	struct buffer *o = buffer_get(s, b.id);
	struct extent *complete = &o->complete;
	size_t waiting;

	if (!suits(s, o) || begin >= end)
		return;
	if (bytes_of(complete) == 0)
		*complete = (struct extent){ begin, end };
	else if (begin <= complete->end && end >= complete->begin)
		*complete = (struct extent){
			size_min(begin, complete->begin),
			size_max(end, complete->end) };
	waiting = bytes_of(complete) - bytes_of(&o->downloading);
	if (waiting >= size_max(LEAST, o->bytes / SHARE) && has_room(s))
		download_complete(s, o);
}

void seq_outputs_done(struct seq *s)
{
	for (int i = 0; i < s->n_buffers; i++)
		seq_output_done(s, (struct buf){ i + 1 }, 0,
		                s->buffer[i].bytes);
}

bool beside_rest(struct seq *s, struct buffer *b)
{
	const size_t begun = has_room(s) ? bytes_of(&b->downloading) : 0;

	b->complete = (struct extent){ 0, b->bytes };
	if (begun > 0 && begun < b->bytes)
		download_complete(s, b);
	b->complete = b->downloading = (struct extent){ 0 };
	return begun > 0;
}

/* Returns that time of the download, by the device's clock. */
static cl_ulong time_of(struct seq *s, cl_event event,
                        cl_profiling_info info)
{
	cl_ulong ns = 0;

	SEQ_TRY(s, "timing", clGetEventProfilingInfo(event, info, sizeof ns,
	    &ns, NULL));
	return ns;
}

/* download_ns counts what these downloads take after the last kernel. */
void beside_settle(struct seq *s)
{
	cl_ulong begin = 0, end = 0;

	for (int i = 0; i < s->n_beside; i++) {
		const struct pending p = { .event = s->beside[i],
		                           .account = ACCOUNT_DOWNLOAD };
		const cl_ulong from = time_of(s, p.event,
		                              CL_PROFILING_COMMAND_START);
		const cl_ulong to = time_of(s, p.event,
		                            CL_PROFILING_COMMAND_END);

		begin = i == 0 || from < begin ? from : begin;
		end = to > end ? to : end;
		if (s->trace && !seq_failed(s))
			trace_command(s, &p, from, to);
		clReleaseEvent(p.event);
	}
	s->n_beside = 0;
	begin = begin < s->end_ns ? s->end_ns : begin;
	if (end > begin && (int64_t)(end - begin) > s->timing.download_ns)
		s->timing.download_ns = (int64_t)(end - begin);
}
