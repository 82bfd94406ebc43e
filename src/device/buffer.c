/* buffer.c - the memory that a sequence's kernels see. */
#include <stdlib.h>

#include "device/sequence.h"

struct buffer *buffer_get(const struct seq *s, int id)
{
	static struct buffer none;

	return id > 0 && id <= s->n_buffers ? &s->buffer[id - 1] : &none;
}

static struct buf find(const struct seq *s, const struct memory *m)
{
	for (int i = 0; i < s->n_buffers && m; i++)
		if (s->buffer[i].memory == m)
			return (struct buf){ i + 1 };
	return (struct buf){ 0 };
}

static bool make_room(struct seq *s)
{
	int room = s->room ? 2 * s->room : 16;
	struct buffer *b;

	if (s->n_buffers < s->room)
		return true;
	b = realloc(s->buffer, (size_t)room * sizeof *b);
	if (!b) {
		err_set(s->err, ERR_MEMORY, "out of memory for %d buffers",
		        room);
		return false;
	}
	s->buffer = b;
	s->room = room;
	return true;
}

static struct buf keep(struct seq *s, struct buffer b)
{
	if (!b.mem)
		return (struct buf){ 0 };
	s->buffer[s->n_buffers++] = b;
	return (struct buf){ s->n_buffers };
}

static cl_mem create(struct seq *s, cl_mem_flags flags, size_t bytes,
                     void *host)
{
	cl_mem mem = NULL;
	cl_int rc = CL_SUCCESS;

	CL_TRY_NEW(s->device, s->err, "buffer", mem, clCreateBuffer(
	    s->device->context, CL_MEM_READ_WRITE | flags, bytes, host, &rc));
	return mem;
}

static struct buf scratch(struct seq *s, struct buffer b)
{
	if (seq_failed(s) || !make_room(s))
		return (struct buf){ 0 };
	b.mem = spare_take(s->device, b.bytes ? b.bytes : 1, s->err);
	b.spare = true;
	return keep(s, b);
}

struct buf seq_scratch(struct seq *s, size_t bytes)
{
	return scratch(s, (struct buffer){ .bytes = bytes });
}

struct buf seq_constant(struct seq *s, const void *host, size_t bytes)
{
	if (bytes == 0)
		return seq_scratch(s, 0);
	if (seq_failed(s) || !make_room(s))
		return (struct buf){ 0 };
	return keep(s, (struct buffer){
		.mem = create(s, CL_MEM_COPY_HOST_PTR, bytes, (void *)host),
		.bytes = bytes,
	});
}

static void upload(struct seq *s, const struct buffer *b)
{
	cl_event event = NULL;

	if (staging_suits(b->bytes)) {
		staging_upload(s, b->mem, b->memory->data, b->bytes);
		return;
	}
	SEQ_TRY(s, "upload", clEnqueueWriteBuffer(s->queue, b->mem,
	    CL_FALSE, 0, b->bytes, b->memory->data, 0, NULL, &event));
	command_end(s, event, ACCOUNT_UPLOAD);
}

bool device_copies;

/* Do kernels work on the host's memory itself? */
static bool shares_memory(const struct seq *s)
{
	return s->device->sheet.unified_memory && !device_copies;
}

/* A buffer that has a stored matrix's elements already. */
static struct buf resident(struct seq *s, const struct matrix *m)
{
	struct buffer b = { .bytes = matrix_size(m), .memory = m->memory };

	if (!m->memory || !m->memory->stored || shares_memory(s) ||
	    !make_room(s))
		return (struct buf){ 0 };
	b.mem = resident_take(s->device, m->memory->stored, b.bytes);
	return keep(s, b);
}

/* The buffer of a matrix: its own memory where the device shares it. */
static struct buf matrix_buffer(struct seq *s, const struct matrix *m)
{
	struct buffer b = { .bytes = matrix_size(m), .memory = m->memory };

	if (b.bytes == 0)
		return seq_scratch(s, 0);
	if (!shares_memory(s))
		return scratch(s, b);
	if (!make_room(s))
		return (struct buf){ 0 };
	b.mem = create(s, CL_MEM_USE_HOST_PTR, b.bytes, m->memory->data);
	return keep(s, b);
}

struct buf seq_input(struct seq *s, const struct matrix *m)
{
	struct buf b;

	if (seq_failed(s) || m->ndim == MATRIX_ABSENT)
		return (struct buf){ 0 };
	b = find(s, m->memory);
	if (!b.id)
		b = resident(s, m);
	if (b.id)
		return b;
	b = matrix_buffer(s, m);
	if (b.id && s->buffer[b.id - 1].memory && !shares_memory(s))
		upload(s, &s->buffer[b.id - 1]);
	return b;
}

struct buf seq_output(struct seq *s, const struct matrix *m)
{
	struct buf b;

	if (seq_failed(s) || m->ndim == MATRIX_ABSENT)
		return (struct buf){ 0 };
	b = find(s, m->memory);
	if (!b.id)
		b = matrix_buffer(s, m);
	if (b.id)
		s->buffer[b.id - 1].output = true;
	return b;
}

/* Shared memory that is not the CPU's own: it becomes the host's by mapping. */
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

static void download(struct seq *s, const struct buffer *b)
{
	cl_event event = NULL;

	if (staging_suits(b->bytes)) {
		staging_download(s, b->mem, b->memory->data, b->bytes);
		return;
	}
	SEQ_TRY(s, "download", clEnqueueReadBuffer(s->queue, b->mem, CL_FALSE,
	    0, b->bytes, b->memory->data, 0, NULL, &event));
	command_end(s, event, ACCOUNT_DOWNLOAD);
}

/* On a CPU, PoCL's kernels write into the matrix itself. */
void buffers_download(struct seq *s)
{
	const struct sheet *d = &s->device->sheet;

	for (int i = 0; i < s->n_buffers; i++) {
		const struct buffer *b = &s->buffer[i];

		if (!b->output || !b->memory ||
		    (d->type == DEVICE_CPU && shares_memory(s)))
			continue;
		if (shares_memory(s))
			give_to_host(s, b);
		else
			download(s, b);
	}
}

/* An uploaded stored matrix becomes resident. */
static bool stays(const struct seq *s, const struct buffer *b)
{
	return b->spare && b->memory && b->memory->stored && !b->output &&
	       !seq_failed(s) &&
	       resident_keep(s->device, b->memory->stored, b->mem, b->bytes);
}

void buffers_free(struct seq *s)
{
	for (int i = 0; i < s->n_buffers; i++) {
		struct buffer *b = &s->buffer[i];

		if (stays(s, b))
			continue;
		if (b->spare && !s->device->lost)
			spare_give(s->device, b->mem, b->bytes ? b->bytes : 1);
		else
			clReleaseMemObject(b->mem);
	}
	free(s->buffer);
	s->buffer = NULL;
	s->n_buffers = s->room = 0;
}
