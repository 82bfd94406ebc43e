/* download.c - a sequence's outputs, from the device to the host. */
#include "device/pinned.h"
#include "device/sequence.h"
#include "device/staging.h"

/* Maps memory that the host shares with a device other than a CPU, so that the
 * host may use it. */
static void give_to_host(struct seq *s, const struct buffer *b)
{
	void *p = NULL;
	cl_int rc = CL_SUCCESS;

	if (CL_TRY_NEW(s->device, s->err, "map", p, clEnqueueMapBuffer(
	    s->queue, b->mem, CL_TRUE, CL_MAP_READ, 0, b->bytes, 0, NULL,
	    NULL, &rc)))
		SEQ_TRY(s, "unmap", clEnqueueUnmapMemObject(s->queue, b->mem,
		    p, 0, NULL, NULL));
}

void buffer_download(struct seq *s, struct buffer *b)
{
	const size_t origin[3] = { 0 }, region[3] = { b->at.row, b->at.rows,
	                                              1 };
	cl_event event = NULL;

	if (beside_rest(s, b))
		return;
	if (!pinned_output(s, b) && staging_suits(s, buffer_host(b), &b->at))
		staging_download(s, b->mem, buffer_host(b), &b->at, b->lower);
	else if (b->at.rows > 1)
		SEQ_TRY(s, "download", clEnqueueReadBufferRect(s->queue, b->mem,
		    CL_FALSE, origin, origin, region, 0, 0, b->at.pitch,
		    0, buffer_host(b), 0, NULL, &event));
	else
		SEQ_TRY(s, "download", clEnqueueReadBuffer(s->queue, b->mem,
		    CL_FALSE, 0, b->bytes, buffer_host(b), 0, NULL, &event));
	if (event)
		command_end(s, event, ACCOUNT_DOWNLOAD);
}

/* Returns whether an output stays on the device until seq_fetch() downloads
 * it. */
static bool is_lazy(const struct seq *s, const struct buffer *b)
{
	return s->deferred && b->memory->look && !b->memory->looked;
}

bool buffers_wait(const struct seq *s)
{
	for (int i = 0; i < s->n_buffers; i++)
		if (s->buffer[i].awaited && s->buffer[i].memory &&
		    !is_lazy(s, &s->buffer[i]))
			return true;
	return false;
}

/* On a CPU there is nothing to download, because PoCL's kernels write into the
 * matrix itself. */
void buffers_download(struct seq *s)
{
	for (int i = 0; i < s->n_buffers; i++) {
		struct buffer *b = &s->buffer[i];

		if (!b->awaited || !b->memory || is_lazy(s, b))
			continue;
		b->awaited = false;
		if (b->owner != OWNER_HOST)
			buffer_download(s, b);
		else if (s->device->sheet.type != DEVICE_CPU)
			give_to_host(s, b);
	}
}

void seq_output_lower(struct seq *s, struct buf b, size_t n)
{
	struct buffer *o;
	struct lower l;

	if (seq_failed(s) || b.id == 0)
		return;
	o = buffer_get(s, b.id);
	l = (struct lower){ n, n * dtype_bytes(s->dtype) };
	if (!o->wide && o->memory && o->bytes % (n * l.row) == 0 &&
	    staging_suits_lower(s, buffer_host(o), &o->at, l))
		o->lower = l;
}
