/* region.c - copies between the host and buffers that exist already, in the
 * present lane. */
#include "device/sequence.h"

/* Waits for the command, and counts its time. */
static void settle(struct seq *s, cl_event event, int account)
{
	if (event) {
		SEQ_TRY(s, "flush", clFlush(s->queue));
		SEQ_TRY(s, "wait", clWaitForEvents(1, &event));
	}
	command_end(s, event, account);
}

void seq_lane_read(struct seq *s, struct buf b, size_t offset, void *host,
                   size_t bytes)
{
	cl_event event, *want;

	if (!host || bytes == 0 || !seq_goes_on(s))
		return;
	want = command_begin(s, &event, true);
	SEQ_TRY(s, "read", clEnqueueReadBuffer(s->queue,
	    buffer_get(s, b.id)->mem, CL_FALSE, offset, bytes, host, 0, NULL,
	    want));
	settle(s, event, ACCOUNT_DOWNLOAD);
}

void seq_lane_write(struct seq *s, struct buf b, size_t offset,
                    const void *host, size_t bytes)
{
	cl_event event, *want;

	if (!host || bytes == 0 || !seq_goes_on(s))
		return;
	want = command_begin(s, &event, true);
	SEQ_TRY(s, "write", clEnqueueWriteBuffer(s->queue,
	    buffer_get(s, b.id)->mem, CL_FALSE, offset, bytes, host, 0, NULL,
	    want));
	settle(s, event, ACCOUNT_UPLOAD);
}

/* Returns the region's place on the host, with b as its memory on the
 * device. */
static struct buffer copy_of(const struct seq *s, const struct matrix *m,
                             const struct region *r, struct buf b)
{
	struct buffer like = buffer_like(m, r);

	like.mem = buffer_get(s, b.id)->mem;
	return like;
}

void seq_load(struct seq *s, const struct matrix *m, const struct region *r,
              struct buf b)
{
	const struct buffer copy = copy_of(s, m, r, b);

	lanes_flush(s);
	if (copy.bytes > 0 && seq_goes_on(s))
		buffer_upload(s, &copy, 0);
}

void seq_store(struct seq *s, struct buf b, const struct matrix *m,
               const struct region *r)
{
	struct buffer copy = copy_of(s, m, r, b);

	lanes_flush(s);
	if (copy.bytes > 0 && seq_goes_on(s))
		buffer_download(s, &copy);
}
