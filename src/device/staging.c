/* staging.c - matrices to and from a device with memory of its own, through a
 * ring of buffers that the driver has pinned: it copies from and to other
 * memory at a sixth of the bus's rate (9 and 17 of 55 GB/s on an H200).
 *
 *     matrix ──threads──▶ slot ──bus──▶ device      chunk after chunk, so that
 *     matrix ◀──threads── slot ◀──bus── device      both ways of each overlap
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/copier.h"
#include "base/size.h"
#include "device/sequence.h"

enum {
	SLOTS = 4,
	SLOT_BYTES = 8 << 20,
	LEAST = 1 << 20,		/* less is not worth the way */
	THREADS_MOST = 8,
};

struct slot {
	cl_mem mem;
	void *at;			/* it, mapped for good */
	cl_event busy;			/* owned; NULL: free */
};

struct staging {
	struct copier *copier;
	struct slot slot[SLOTS];
};

void staging_free(struct device *d)
{
	struct staging *g = d->staging;

	if (!g)
		return;
	for (int i = 0; i < SLOTS; i++) {
		struct slot *t = &g->slot[i];

		if (t->at)
			clEnqueueUnmapMemObject(d->queue, t->mem, t->at, 0,
			                        NULL, NULL);
		if (t->mem)
			clReleaseMemObject(t->mem);
	}
	copier_free(g->copier);
	free(g);
	d->staging = NULL;
}

static void make_slot(struct device *d, struct slot *t, struct err *e)
{
	const cl_map_flags both = CL_MAP_READ | CL_MAP_WRITE;
	cl_int rc = CL_SUCCESS;

	if (CL_TRY_NEW(d, e, "staging", t->mem, clCreateBuffer(d->context,
	    CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, SLOT_BYTES, NULL, &rc)))
		CL_TRY_NEW(d, e, "staging", t->at, clEnqueueMapBuffer(d->queue,
		    t->mem, CL_TRUE, both, 0, SLOT_BYTES, 0, NULL, NULL, &rc));
}

/* Half of the processors: the front has work, too. */
static int threads(void)
{
	const long n = sysconf(_SC_NPROCESSORS_ONLN) / 2;

	return n < 1 ? 1 : n > THREADS_MOST ? THREADS_MOST : (int)n;
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
	for (int i = 0; i < SLOTS; i++)
		make_slot(d, &g->slot[i], e);
	if (e->code != ERR_NONE)
		staging_free(d);
	return d->staging;
}

bool staging_suits(size_t bytes)
{
	return bytes >= LEAST;
}

static void wait_for(struct seq *s, struct slot *t)
{
	if (!t->busy)
		return;
	SEQ_TRY(s, "staging", clWaitForEvents(1, &t->busy));
	clReleaseEvent(t->busy);
	t->busy = NULL;
}

/* Chunk i of so many bytes. */
struct chunk {
	struct slot *slot;
	size_t at, bytes;
};

static struct chunk chunk_of(struct staging *g, size_t bytes, size_t i)
{
	const size_t at = i * SLOT_BYTES;

	return (struct chunk){ &g->slot[i % SLOTS], at,
	                       size_min(bytes - at, SLOT_BYTES) };
}

static void wait_for_all(struct seq *s, struct staging *g)
{
	for (int i = 0; i < SLOTS; i++)
		wait_for(s, &g->slot[i]);
	s->busy = true;
}

void staging_upload(struct seq *s, cl_mem to, const char *from, size_t bytes)
{
	struct staging *g = staging_of(s->device, s->err);
	const size_t chunks = size_blocks(bytes, SLOT_BYTES);
	const int64_t begun = clock_ns();

	for (size_t i = 0; i < chunks && !seq_failed(s); i++) {
		const struct chunk c = chunk_of(g, bytes, i);

		wait_for(s, c.slot);
		copier_copy(g->copier, c.slot->at, from + c.at, c.bytes);
		SEQ_TRY(s, "upload", clEnqueueWriteBuffer(s->queue, to,
		    CL_FALSE, c.at, c.bytes, c.slot->at, 0, NULL,
		    &c.slot->busy));
		SEQ_TRY(s, "flush", clFlush(s->queue));
	}
	if (g)
		wait_for_all(s, g);
	s->timing.upload_ns += clock_ns() - begun;
}

static void read_chunk(struct seq *s, cl_mem from, const struct chunk *c)
{
	SEQ_TRY(s, "download", clEnqueueReadBuffer(s->queue, from, CL_FALSE,
	    c->at, c->bytes, c->slot->at, 0, NULL, &c->slot->busy));
	SEQ_TRY(s, "flush", clFlush(s->queue));
}

void staging_download(struct seq *s, cl_mem from, char *to, size_t bytes)
{
	struct staging *g = staging_of(s->device, s->err);
	const size_t chunks = size_blocks(bytes, SLOT_BYTES);
	int64_t begun;

	SEQ_TRY(s, "finish", clFinish(s->queue));	/* of the kernels */
	begun = clock_ns();
	for (size_t i = 0; i < chunks + SLOTS && !seq_failed(s); i++) {
		if (i >= SLOTS) {
			const struct chunk old = chunk_of(g, bytes, i - SLOTS);

			wait_for(s, old.slot);
			if (!seq_failed(s))
				copier_copy(g->copier, to + old.at,
				            old.slot->at, old.bytes);
		}
		if (i < chunks) {
			const struct chunk c = chunk_of(g, bytes, i);

			read_chunk(s, from, &c);
		}
	}
	if (g)
		wait_for_all(s, g);
	s->timing.download_ns += clock_ns() - begun;
}
