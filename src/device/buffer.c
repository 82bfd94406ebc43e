/* buffer.c - a sequence's buffers: the memory that its kernels see. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "device/sequence.h"
#include "device/staging.h"

struct buffer *buffer_get(const struct seq *s, int id)
{
	static struct buffer none;

	return id > 0 && id <= s->n_buffers ? &s->buffer[id - 1] : &none;
}

static struct buf find(const struct seq *s, const struct memory *m,
                       const struct span *at)
{
	for (int i = 0; i < s->n_buffers && m; i++)
		if (s->buffer[i].memory == m && span_same(&s->buffer[i].at, at))
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

struct buf buffer_scratch(struct seq *s, struct buffer b)
{
	if (seq_failed(s) || !make_room(s))
		return (struct buf){ 0 };
	b.bytes = b.bytes ? b.bytes : 1;
	b.mem = spare_take(s->device, b.bytes, s->err);
	b.owner = OWNER_SPARES;
	return keep(s, b);
}

struct buf seq_scratch(struct seq *s, size_t bytes)
{
	return buffer_scratch(s, (struct buffer){ .bytes = bytes });
}

/* Makes a buffer from the host's bytes. The driver may copy them as late as at
 * the first launch that uses the buffer, which then waits for the device. */
static struct buf made_from(struct seq *s, const void *host, size_t bytes)
{
	struct buffer b = { .bytes = bytes, .owner = OWNER_SEQUENCE };

	if (seq_failed(s) || !make_room(s) ||
	    !account_take(s->device, bytes, s->err))
		return (struct buf){ 0 };
	b.mem = create(s, CL_MEM_COPY_HOST_PTR, bytes, (void *)host);
	if (!b.mem)
		account_give(s->device, bytes);
	return keep(s, b);
}

/* Makes a buffer and enqueues an upload of a copy of the host's bytes, without
 * waiting for the upload. */
static struct buf sent_from(struct seq *s, const void *host, size_t bytes)
{
	struct buffer like = { .bytes = bytes, .sent = malloc(bytes) };
	cl_event event = NULL, *want;
	struct buf b;

	if (!like.sent) {
		err_set(s->err, ERR_MEMORY, "out of memory for %zu bytes",
		        bytes);
		return (struct buf){ 0 };
	}
	memcpy(like.sent, host, bytes);
	b = buffer_scratch(s, like);
	if (!b.id) {
		free(like.sent);
		return b;
	}
	want = command_begin(s, &event, false);
	SEQ_TRY(s, "upload", clEnqueueWriteBuffer(s->queue,
	    buffer_get(s, b.id)->mem, CL_FALSE, 0, bytes, like.sent, 0, NULL,
	    want));
	command_end(s, event, ACCOUNT_CONSTANT);
	return b;
}

struct buf seq_constant(struct seq *s, const void *host, size_t bytes)
{
	enum { SHORT = 64 << 10 };

	if (bytes == 0)
		return seq_scratch(s, 0);
	return seq_shares_memory(s) || bytes > SHORT ?
	       made_from(s, host, bytes) : sent_from(s, host, bytes);
}

struct buf seq_counters(struct seq *s)
{
	static const int32_t zeros[SEQ_COUNTERS];
	struct device *d = s->device;

	if (seq_failed(s) || !make_room(s))
		return (struct buf){ 0 };
	if (!d->counters)
		d->counters = create(s, CL_MEM_COPY_HOST_PTR, sizeof zeros,
		                     (void *)zeros);
	return keep(s, (struct buffer){ .mem = d->counters,
	                                .owner = OWNER_DEVICE });
}

void counters_drop(struct device *d)
{
	if (d->counters)
		clReleaseMemObject(d->counters);
	d->counters = NULL;
}

/* Uploads all but the first `sent` bytes. */
static void upload_rest(struct seq *s, const struct buffer *b, size_t sent)
{
	const size_t n = b->bytes - sent;
	const struct span rest = { b->at.at + sent, 1, n, n };
	char *from = buffer_host(b) + sent;
	cl_event event = NULL;

	if (n == 0)
		return;
	if (staging_suits(s, from, &rest)) {
		staging_upload(s, b->mem, sent, from, &rest);
		return;
	}
	SEQ_TRY(s, "upload", clEnqueueWriteBuffer(s->queue, b->mem, CL_FALSE,
	    sent, n, from, 0, NULL, &event));
	if (event)
		command_end(s, event, ACCOUNT_UPLOAD);
}

static void upload_rows(struct seq *s, const struct buffer *b)
{
	const size_t origin[3] = { 0 }, region[3] = { b->at.row, b->at.rows,
	                                              1 };
	cl_event event = NULL;

	if (staging_suits(s, buffer_host(b), &b->at))
		staging_upload(s, b->mem, 0, buffer_host(b), &b->at);
	else
		SEQ_TRY(s, "upload", clEnqueueWriteBufferRect(s->queue, b->mem,
		    CL_FALSE, origin, origin, region, 0, 0, b->at.pitch,
		    0, buffer_host(b), 0, NULL, &event));
	if (event)
		command_end(s, event, ACCOUNT_UPLOAD);
}

void buffer_upload(struct seq *s, const struct buffer *b, size_t sent)
{
	if (b->at.rows > 1)
		upload_rows(s, b);
	else
		upload_rest(s, b, sent);
}

bool device_copies;

bool seq_shares_memory(const struct seq *s)
{
	return s->device->sheet.unified_memory && !device_copies;
}

struct buf buffer_resident(struct seq *s, struct buffer b)
{
	if (!b.stored || seq_failed(s) || !make_room(s))
		return (struct buf){ 0 };
	b.mem = resident_take(s->device, b.stored, &b.at);
	b.owner = OWNER_RESIDENTS;
	return keep(s, b);
}

/* Returns the buffer of a whole matrix whose first *sent bytes were uploaded
 * early; { 0 } and a *sent of 0 if there is none. */
static struct buf early(struct seq *s, struct buffer b, size_t *sent)
{
	*sent = 0;
	if (b.at.at > 0 || b.at.rows > 1 || seq_shares_memory(s) ||
	    !make_room(s))
		return (struct buf){ 0 };
	b.mem = early_take(s->device, b.memory->upload_id, b.bytes, sent);
	b.owner = OWNER_SPARES;
	return keep(s, b);
}

/* Makes the buffer of a matrix or a region. It is the matrix's own memory if
 * the device shares the host's memory and the rows have no gaps between
 * them. */
static struct buf matrix_buffer(struct seq *s, struct buffer b)
{
	if (b.bytes == 0)
		return seq_scratch(s, 0);
	if (!seq_shares_memory(s) || b.at.rows > 1)
		return buffer_scratch(s, b);
	if (!make_room(s))
		return (struct buf){ 0 };
	b.mem = create(s, CL_MEM_USE_HOST_PTR, b.bytes, buffer_host(&b));
	b.owner = OWNER_HOST;
	return keep(s, b);
}

struct buffer buffer_like(const struct matrix *m, const struct region *r)
{
	const size_t size = dtype_bytes(m->dtype);
	const bool whole = r->cols == r->ld;
	const size_t row = (whole ? r->rows * r->cols : r->cols) * size;

	return (struct buffer){
		.bytes = r->rows * r->cols * size, .memory = m->memory,
		.stored = m->memory ? m->memory->stored : 0,
		.at = { r->at * size, whole ? 1 : r->rows, row,
		        r->rows == 1 || whole ? row : r->ld * size },
	};
}

static struct region all_of(const struct matrix *m)
{
	const size_t n = matrix_size(m) / dtype_bytes(m->dtype);

	return (struct region){ 0, 1, n, n };
}

/* Describes a region's buffer in *like, and sets *b to the buffer that this
 * sequence already has for the region, if any. Returns false if there is
 * nothing to do: the sequence has failed or the matrix is absent. */
static bool look_up(struct seq *s, const struct matrix *m,
                    const struct region *r, struct buffer *like,
                    struct buf *b)
{
	*b = (struct buf){ 0 };
	if (seq_failed(s) || m->ndim == MATRIX_ABSENT)
		return false;
	*like = buffer_like(m, r);
	*b = find(s, m->memory, &like->at);
	return true;
}

/* Returns the buffer of the elements as they are stored. */
static struct buf input(struct seq *s, const struct matrix *m,
                        const struct region *r)
{
	struct buffer like;
	size_t sent;
	struct buf b;

	if (!look_up(s, m, r, &like, &b))
		return b;
	if (!b.id && !seq_shares_memory(s))
		b = buffer_resident(s, like);
	if (b.id)
		return b;
	b = early(s, like, &sent);
	if (!b.id)
		b = matrix_buffer(s, like);
	if (b.id && s->buffer[b.id - 1].memory &&
	    s->buffer[b.id - 1].owner != OWNER_HOST)
		buffer_upload(s, &s->buffer[b.id - 1], sent);
	return b;
}

struct buf seq_input_region(struct seq *s, const struct matrix *m,
                            const struct region *r)
{
	const struct buf b = input(s, m, r);

	return b.id ? halves_input(s, b, m->dtype) : b;
}

struct buf seq_output_region(struct seq *s, const struct matrix *m,
                             const struct region *r)
{
	struct buffer like;
	struct buf b;

	if (!look_up(s, m, r, &like, &b))
		return b;
	if (!b.id)
		b = matrix_buffer(s, like);
	if (b.id)
		s->buffer[b.id - 1].output = s->buffer[b.id - 1].awaited =
		    s->buffer[b.id - 1].fresh = true;
	return halves_output(s, b, m->dtype);
}

struct buf seq_input(struct seq *s, const struct matrix *m)
{
	const struct region all = all_of(m);

	return seq_input_region(s, m, &all);
}

struct buf seq_output(struct seq *s, const struct matrix *m)
{
	const struct region all = all_of(m);

	return seq_output_region(s, m, &all);
}

struct buf seq_temporary(struct seq *s, const struct matrix *m)
{
	const struct region all = all_of(m);

	return buffer_scratch(s, buffer_like(m, &all));
}

/* Makes the buffer of an uploaded stored matrix resident, or of what follows
 * from one, which has no memory of the host. Returns false if the buffer is not
 * to be kept. */
static bool stays(const struct seq *s, const struct buffer *b)
{
	return b->owner == OWNER_SPARES && b->stored && !b->output &&
	       !seq_failed(s) && (!b->memory || !seq_shares_memory(s)) &&
	       resident_keep(s->device, b->stored, &b->at, b->mem);
}

static void let_go(struct seq *s, const struct buffer *b)
{
	struct device *d = s->device;

	free(b->sent);
	if (b->owner == OWNER_RESIDENTS) {
		resident_give(d, b->mem);
	} else if (b->owner == OWNER_SPARES && !d->lost) {
		spare_give(d, b->mem, b->bytes, d->tenant);
	} else if (b->owner != OWNER_DEVICE) {
		clReleaseMemObject(b->mem);
		if (b->owner != OWNER_HOST)
			account_give(d, b->bytes);
	}
}

/* Releases a buffer. Its entry keeps only its length, which seq_memory()
 * counts. */
void buffer_let_go(struct seq *s, struct buffer *b)
{
	const size_t bytes = b->bytes;

	if (b->mem && !stays(s, b))
		let_go(s, b);
	*b = (struct buffer){ .bytes = bytes };
}

void buffers_drop(struct seq *s, int first)
{
	for (int i = first; i < s->n_buffers; i++)
		buffer_let_go(s, &s->buffer[i]);
	s->n_buffers = first;
}

void buffers_free(struct seq *s)
{
	buffers_drop(s, 0);
	free(s->buffer);
	s->buffer = NULL;
	s->room = 0;
}
