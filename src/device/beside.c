/* beside.c - downloads the completed part of an output beside the launches that
 * compute the rest of it, by a lane of its own:
 *
 *     lane 0      |compute 1|compute 2|compute 3|
 *     LANE_DOWN             |download 1 |download 2 |download 3|
 *
 * This needs memory on the host that the driver has pinned (pinned.h): from
 * other memory the host's threads would have to copy meanwhile. A thread of its
 * own enqueues the downloads, because NVIDIA's driver returns from a read that
 * need not block only when the bytes have arrived. */
#include "base/copier.h"
#include "base/size.h"
#include "device/pinned.h"
#include "device/sequence.h"

enum {
	/* A download of fewer bytes, or of a smaller share of the output, waits
	 * for more, because each costs the host some 20 us. */
	LEAST = 1 << 20, SHARE = 16,
	/* Bytes of a transfer: no longer than it takes must the other lanes'
	 * small transfers wait. */
	PIECE = 8 << 20,
};

static bool is_empty(const struct extent *x)
{
	return x->begin == x->end;
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

/* Sets the times of a download whose latest transfer is this one. */
static cl_int note_times(struct fetch *f, cl_event event)
{
	cl_ulong begin = 0;
	cl_int rc = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START,
	                                    sizeof begin, &begin, NULL);

	if (rc == CL_SUCCESS)
		rc = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END,
		                             sizeof f->end_ns, &f->end_ns,
		                             NULL);
	if (!f->begin_ns)
		f->begin_ns = begin;
	clReleaseEvent(event);
	return rc;
}

/* Downloads part i, in the fetcher's thread. */
static void download(void *arg, size_t i)
{
	struct seq *const s = arg;
	struct fetch *const f = &s->beside[i];
	cl_event event;

	f->rc = clWaitForEvents(1, &f->mark);
	for (size_t at = f->part.begin, n; at < f->part.end &&
	     f->rc == CL_SUCCESS; at += n) {
		n = size_min(PIECE, f->part.end - at);
		f->rc = clEnqueueReadBuffer(s->lanes[LANE_DOWN], f->mem,
		    CL_TRUE, at, n, f->to + (at - f->part.begin), 0, NULL,
		    &event);
		if (f->rc == CL_SUCCESS)
			f->rc = note_times(f, event);
	}
}

/* Makes the lane and the thread, unless the device has them. */
static bool has_means(struct seq *s)
{
	struct device *const d = s->device;

	if (!d->fetcher)
		d->fetcher = copier_new(2, s->err);
	if (s->n_beside == 0 && d->fetcher)
		copier_begin(d->fetcher, download, s);
	s->lanes[LANE_DOWN] = device_lane(d, LANE_DOWN, s->err);
	return !seq_failed(s);
}

/* Begins the download of bytes begin to end - 1 when all commands so far of the
 * present lane have ended. */
static void fetch(struct seq *s, const struct buffer *b, size_t begin,
                  size_t end)
{
	struct fetch *f = &s->beside[s->n_beside];

	if (begin >= end || !has_means(s))
		return;
	*f = (struct fetch){ .mem = b->mem, .part = { begin, end },
	                     .to = buffer_host(b) + begin };
	if (SEQ_TRY(s, "marker", clEnqueueMarkerWithWaitList(s->queue, 0,
	    NULL, &f->mark)) && SEQ_TRY(s, "flush", clFlush(s->queue)))
		copier_allow(s->device->fetcher, ++s->n_beside);
	else if (f->mark)
		clReleaseEvent(f->mark);
	s->busy = true;
}

/* Begins the download of what is done and has not been fetched yet. */
static void fetch_done(struct seq *s, struct buffer *b)
{
	const struct extent old = b->fetched, new = b->done;

	if (is_empty(&old)) {
		fetch(s, b, new.begin, new.end);
	} else {
		fetch(s, b, new.begin, old.begin);
		fetch(s, b, old.end, new.end);
	}
	b->fetched = new;
}

static bool has_room(const struct seq *s)
{
	return s->n_beside + 2 <= BESIDE;
}

void seq_output_done(struct seq *s, struct buf b, size_t begin, size_t end)
{
	struct buffer *o = buffer_get(s, b.id);
	struct extent *done = &o->done;
	size_t waiting;

	if (!suits(s, o) || begin >= end)
		return;
	if (is_empty(done))
		*done = (struct extent){ begin, end };
	else if (begin <= done->end && end >= done->begin)
		*done = (struct extent){ size_min(begin, done->begin),
		                         size_max(end, done->end) };
	waiting = done->end - done->begin - (o->fetched.end - o->fetched.begin);
	if (waiting >= size_max(LEAST, o->bytes / SHARE) && has_room(s))
		fetch_done(s, o);
}

void seq_outputs_done(struct seq *s)
{
	for (int i = 0; i < s->n_buffers; i++)
		seq_output_done(s, (struct buf){ i + 1 }, 0,
		                s->buffer[i].bytes);
}

bool beside_rest(struct seq *s, struct buffer *b)
{
	const bool begun = !is_empty(&b->fetched) && has_room(s);

	b->done = (struct extent){ 0, b->bytes };
	if (begun && (b->fetched.begin > 0 || b->fetched.end < b->bytes))
		fetch_done(s, b);
	b->done = b->fetched = (struct extent){ 0 };
	return begun;
}

void beside_wait(struct seq *s)
{
	if (s->n_beside > 0)
		copier_wait(s->device->fetcher, s->n_beside);
}

/* download_ns counts what these downloads take after the last kernel. */
void beside_settle(struct seq *s)
{
	const struct pending p = { .account = ACCOUNT_DOWNLOAD };
	cl_ulong begin = UINT64_MAX, end = 0;

	for (size_t i = 0; i < s->n_beside; i++) {
		const struct fetch *f = &s->beside[i];

		clReleaseEvent(f->mark);
		if (!SEQ_TRY(s, "download", f->rc))
			continue;
		begin = f->begin_ns < begin ? f->begin_ns : begin;
		end = f->end_ns > end ? f->end_ns : end;
		if (s->trace)
			trace_command(s, &p, f->begin_ns, f->end_ns);
	}
	s->n_beside = 0;
	begin = begin < s->end_ns ? s->end_ns : begin;
	if (end > begin && (int64_t)(end - begin) > s->timing.download_ns)
		s->timing.download_ns = (int64_t)(end - begin);
}
