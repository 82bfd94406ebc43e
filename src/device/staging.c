/* staging.c - copies matrices to and from a device with memory of its own
 * through a ring of memory that the driver has pinned: from and to other memory
 * the driver copies at a sixth of the bus's rate (9 and 17 of 55 GB/s on an
 * H200).
 *
 *     matrix ──threads──▶ ring ──bus──▶ device
 *     matrix ◀──threads── ring ◀──bus── device
 *
 * Threads copy small pieces, and a transfer over the bus takes all pieces that
 * are ready and adjacent: so both start at once, and transfers, which have a
 * fixed cost, are as large as possible. Matrices that a call gathers may lie in
 * the ring from the start.
 *
 * Of lower triangular matrices, whose pieces are whole rows, a transfer leaves
 * out the columns that are above the diagonal in all of its rows; the threads
 * write the zeros. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/copier.h"
#include "base/host.h"
#include "base/size.h"
#include "device/sequence.h"
#include "device/staging.h"

enum {
	PIECE = 128 << 10,
	RING = COPIER_AHEAD,		/* pieces */
	RING_BYTES = RING * PIECE,
	RUN = 8,			/* pieces of one transfer, at most */
	IN_FLIGHT = 4,			/* transfers from the device */
	LEAST = 1 << 20,		/* bytes; fewer go without the ring */
	THREADS_MOST = 8,
};

struct staging {
	struct copier *copier;
	cl_mem mem;			/* the ring's buffer */
	char *at;			/* its address, mapped for good */
};

void staging_free(struct device *d)
{
	struct staging *g = d->staging;

	if (!g)
		return;
	if (g->at)
		clEnqueueUnmapMemObject(d->lane[0], g->mem, g->at, 0, NULL,
		                        NULL);
	if (g->mem)
		clReleaseMemObject(g->mem);
	copier_free(g->copier);
	free(g);
	d->staging = NULL;
}

void staging_clear(struct device *d)
{
	if (d->staging && d->staging->at)
		memset(d->staging->at, 0, RING_BYTES);
}

static void make_ring(struct device *d, struct staging *g, struct err *e)
{
	const cl_map_flags both = CL_MAP_READ | CL_MAP_WRITE;
	cl_int rc = CL_SUCCESS;

	if (CL_TRY_NEW(d, e, "staging", g->mem, clCreateBuffer(d->context,
	    CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, RING_BYTES, NULL, &rc)))
		CL_TRY_NEW(d, e, "staging", g->at, clEnqueueMapBuffer(
		    d->lane[0], g->mem, CL_TRUE, both, 0, RING_BYTES, 0, NULL,
		    NULL, &rc));
}

/* Half of the processors; the others are left to the front. */
static int threads(void)
{
	const int n = host_threads() / 2;

	return n < 1 ? 1 : n > THREADS_MOST ? THREADS_MOST : n;
}

static struct staging *staging_of(struct device *d, struct err *e)
{
	struct staging *g = d->staging;

	if (g)
		return g;
	g = d->staging = calloc(1, sizeof *g);
	if (!g) {
		err_set(e, ERR_MEMORY, "no memory for staging");
		return NULL;
	}
	g->copier = copier_new(threads(), e);
	make_ring(d, g, e);
	if (e->code != ERR_NONE)
		staging_free(d);
	return d->staging;
}

static bool in_ring(const struct staging *g, const char *host)
{
	return g && host >= g->at && host < g->at + RING_BYTES;
}

bool staging_suits(const struct seq *s, const char *host,
                   const struct span *at)
{
	return !seq_shares_memory(s) && span_bytes(at) >= LEAST &&
	       !in_ring(s->device->staging, host);
}

bool staging_suits_lower(const struct seq *s, const char *host,
                         const struct span *at, struct lower l)
{
	return staging_suits(s, host, at) && at->rows == 1 && l.row <= PIECE;
}

void *seq_pinned(struct seq *s, size_t bytes)
{
	const struct staging *g;

	if (seq_failed(s) || seq_shares_memory(s) || bytes > RING_BYTES)
		return NULL;
	g = staging_of(s->device, s->err);
	return g ? g->at : NULL;
}

/* A transfer under way, of the pieces before `end`. */
struct flight {
	cl_event event;			/* owned */
	size_t end;
};

/* A matrix being copied in pieces; piece i occupies slot i % RING. */
struct course {
	struct seq *seq;
	struct staging *g;
	cl_mem mem;
	char *host;
	struct span at;
	size_t begin, bytes, pieces;	/* begin: in the buffer */
	size_t piece;			/* bytes of a piece */
	struct lower lower;		/* rows 0: the matrices are not lower
					 * triangular */
	bool down;
	struct flight flight[RING];
	size_t flown, landed;		/* transfers begun, completed */
};

static bool begin(struct course *c, struct seq *s, cl_mem mem, char *host,
                  const struct span *at)
{
	c->seq = s;
	c->g = staging_of(s->device, s->err);
	c->mem = mem;
	c->host = host;
	c->at = *at;
	c->bytes = span_bytes(at);
	c->piece = c->lower.rows ? PIECE / c->lower.row * c->lower.row : PIECE;
	c->pieces = size_blocks(c->bytes, c->piece);
	c->flown = c->landed = 0;
	return c->g != NULL;
}

/* Copies the lower triangular part of row `row` from the ring, and writes the
 * zeros to the right of the diagonal. */
static void copy_lower(const struct lower *l, size_t row, char *host,
                       const char *ring)
{
	const size_t n = (row % l->rows + 1) * (l->row / l->rows);

	memcpy(host, ring, n);
	memset(host + n, 0, l->row - n);
}

/* Copies piece i between the ring and the matrix's rows, which may have
 * gaps. */
static void copy_piece(void *arg, size_t i)
{
	const struct course *c = arg;
	const size_t end = size_min((i + 1) * c->piece, c->bytes);
	const size_t row = c->lower.row;
	char *ring = c->g->at + i % RING * c->piece;

	if (c->lower.rows) {
		for (size_t at = i * c->piece; at < end; at += row, ring += row)
			copy_lower(&c->lower, at / row, c->host + at, ring);
		return;
	}
	for (size_t at = i * c->piece, n; at < end; at += n, ring += n) {
		const size_t within = at % c->at.row;
		char *host = c->host + at / c->at.row * c->at.pitch + within;

		n = size_min(c->at.row - within, end - at);
		if (c->down)
			memcpy(host, ring, n);
		else
			memcpy(ring, host, n);
	}
}

/* Returns the number of pieces that one transfer from piece `from` on may
 * take. */
static size_t run_of(size_t from, size_t end)
{
	return size_min(size_min(end - from, RUN), RING - from % RING);
}

/* Enqueues a read of rows of lower triangular matrices, without those columns
 * that are right of the diagonal in all of these rows. */
static cl_int read_lower(const struct course *c, size_t at, size_t bytes,
                         char *ring, cl_event *event)
{
	const struct lower *l = &c->lower;
	const size_t first = at / l->row, rows = bytes / l->row;
	const size_t last = first + rows - 1;
	const size_t columns = first / l->rows == last / l->rows ?
	                       last % l->rows + 1 : l->rows;
	const size_t from[3] = { 0, first, 0 }, to[3] = { 0 };
	const size_t region[3] = { columns * (l->row / l->rows), rows, 1 };

	return clEnqueueReadBufferRect(c->seq->queue, c->mem, CL_FALSE, from,
	                               to, region, l->row, 0, l->row, 0, ring,
	                               0, NULL, event);
}

static cl_int read_pieces(const struct course *c, size_t at, size_t bytes,
                          char *ring, cl_event *event)
{
	if (c->lower.rows)
		return read_lower(c, at, bytes, ring, event);
	return clEnqueueReadBuffer(c->seq->queue, c->mem, CL_FALSE,
	                           c->begin + at, bytes, ring, 0, NULL, event);
}

/* Begins a transfer of n pieces; returns the piece after them. */
static size_t fly(struct course *c, size_t from, size_t n)
{
	const size_t at = from * c->piece;
	const size_t bytes = size_min(n * c->piece, c->bytes - at);
	struct flight *f = &c->flight[c->flown % RING];
	char *ring = c->g->at + from % RING * c->piece;
	struct seq *s = c->seq;

	*f = (struct flight){ .end = from + n };
	if (c->down)
		SEQ_TRY(s, "download", read_pieces(c, at, bytes, ring,
		                                   &f->event));
	else
		SEQ_TRY(s, "upload", clEnqueueWriteBuffer(s->queue, c->mem,
		    CL_FALSE, c->begin + at, bytes, ring, 0, NULL,
		    &f->event));
	SEQ_TRY(s, "flush", clFlush(s->queue));
	s->busy = true;
	c->flown++;
	return f->end;
}

/* Waits for the oldest transfer; returns the number of pieces that have
 * arrived. */
static size_t land(struct course *c)
{
	struct seq *s = c->seq;
	struct flight *f = &c->flight[c->landed++ % RING];

	if (f->event) {
		SEQ_TRY(s, "staging", clWaitForEvents(1, &f->event));
		clReleaseEvent(f->event);
	}
	return f->end;
}

static void land_all(struct course *c)
{
	while (c->landed < c->flown)
		land(c);
}

/* Uploads all pieces. Threads copy up to a ring's length ahead of what has
 * arrived. */
static void send_all(struct course *c)
{
	size_t allowed = 0, ready = 0, sent = 0, arrived = 0;

	while (sent < c->pieces && !seq_failed(c->seq)) {
		allowed = size_min(arrived + RING, c->pieces);
		copier_allow(c->g->copier, allowed);
		ready = copier_wait(c->g->copier, sent + 1);
		sent = fly(c, sent, run_of(sent, ready));
		while (sent - arrived > RING / 2)
			arrived = land(c);
	}
	copier_wait(c->g->copier, allowed);
}

/* Uploads a few pieces without threads, because waking them would take
 * longer. */
static void send_few(struct course *c)
{
	for (size_t i = 0; i < c->pieces; i++)
		copy_piece(c, i);
	fly(c, 0, c->pieces);
}

void staging_upload(struct seq *s, cl_mem to, size_t begins, char *from,
                    const struct span *at)
{
	struct course c = { .down = false, .begin = begins };
	const int64_t begun = clock_ns();

	if (begin(&c, s, to, from, at)) {
		copier_begin(c.g->copier, copy_piece, &c);
		(c.pieces <= RUN ? send_few : send_all)(&c);
		land_all(&c);
	}
	s->timing.upload_ns += clock_ns() - begun;
	trace_host(s, TRACE_UPLOAD, begun);
}

/* Downloads all pieces. Transfers run up to a ring's length ahead of the
 * threads. */
static void fetch_all(struct course *c)
{
	size_t asked = 0, arrived = 0, ready = 0;

	while (arrived < c->pieces && !seq_failed(c->seq)) {
		const size_t most = size_min(ready + RING, c->pieces);

		if (asked < most && c->flown - c->landed < IN_FLIGHT) {
			asked = fly(c, asked, run_of(asked, most));
			continue;
		}
		arrived = land(c);
		copier_allow(c->g->copier, arrived);
		if (asked < c->pieces && asked == most)
			ready = copier_wait(c->g->copier, ready + 1);
	}
	copier_wait(c->g->copier, arrived);
}

void staging_download(struct seq *s, cl_mem from, char *to,
                      const struct span *at, struct lower lower)
{
	struct course c = { .down = true, .lower = lower };
	int64_t begun;

	SEQ_TRY(s, "finish", clFinish(s->queue));	/* wait for the
							 * kernels */
	begun = clock_ns();
	if (!seq_failed(s) && begin(&c, s, from, to, at)) {
		copier_begin(c.g->copier, copy_piece, &c);
		fetch_all(&c);
		land_all(&c);
	}
	s->timing.download_ns += clock_ns() - begun;
	trace_host(s, TRACE_DOWNLOAD, begun);
}
