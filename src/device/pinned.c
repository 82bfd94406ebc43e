/* pinned.c - see pinned.h. */
#include "device/pinned.h"
#include "device/sequence.h"

static void release(void *handle)
{
	clReleaseMemObject(handle);
}

/* NVIDIA's driver pins the memory that a buffer uses on the host as long as the
 * buffer exists. */
static void pin(const struct device *d, struct memory *m)
{
	cl_int rc = CL_SUCCESS;

	m->pin.handle = clCreateBuffer(d->context, CL_MEM_READ_WRITE |
	                               CL_MEM_USE_HOST_PTR, m->bytes, m->data,
	                               &rc);
	m->pin.release = release;
}

static bool fills(const struct buffer *b)
{
	const struct memory *m = b->memory;

	return m->fd >= 0 && !m->whole && b->at.at == 0 && b->at.rows == 1 &&
	       b->bytes == m->bytes;
}

static bool may_pin(const struct seq *s, const struct buffer *b)
{
	return !seq_failed(s) && !seq_shares_memory(s) && fills(b);
}

bool pinned_already(const struct seq *s, const struct buffer *b)
{
	return may_pin(s, b) && b->memory->pin.handle;
}

bool pinned_output(struct seq *s, const struct buffer *b)
{
	struct memory *m = b->memory;

	if (!may_pin(s, b))
		return false;
	if (!m->pin.handle && m->pin.downloads++ == 1) {
		/* The device computes while the host pins. */
		SEQ_TRY(s, "flush", clFlush(s->queue));
		pin(s->device, m);
	}
	return m->pin.handle != NULL;
}

void pinned_now(struct seq *s, struct memory *m)
{
	if (!seq_failed(s) && !seq_shares_memory(s) && !m->pin.handle)
		pin(s->device, m);
}
