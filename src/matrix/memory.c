/* memory.c - see memory.h. */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/size.h"
#include "matrix/cutter.h"
#include "matrix/memory.h"
#include "matrix/pages.h"
#include "matrix/spare.h"
#include "matrix/touch.h"

enum {
	SLAB_BYTES = 64 << 20,
	SPARE_SHARE = 4,		/* at most 1/4 of the limit is spare */
};

struct memory_pool {
	size_t limit;
	int fd;				/* the slab */
	char *slab;
	pthread_mutex_t lock;		/* guards all below */
	size_t used;
	struct spares spares;		/* beside used, within the limit */
	struct cutter cutter;		/* of the slab */
};

static int memfd(const char *name, size_t bytes)
{
	int fd = memfd_create(name, MFD_CLOEXEC);

	if (fd >= 0 && ftruncate(fd, (off_t)bytes) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

struct memory_pool *memory_pool_new(size_t limit, struct err *e)
{
	struct memory_pool *p = calloc(1, sizeof *p);

	if (!p || pthread_mutex_init(&p->lock, NULL) != 0) {
		free(p);
		err_set(e, ERR_MEMORY, "no memory for the pool of matrices");
		return NULL;
	}
	p->limit = limit;
	p->cutter.bytes = SLAB_BYTES;
	p->fd = memfd("linalgd-slab", SLAB_BYTES);
	p->slab = p->fd < 0 ? NULL : pages_map(p->fd, SLAB_BYTES);
	if (p->slab)
		return p;
	err_set(e, ERR_MEMORY, "shared memory of %d MiB: %s",
	        SLAB_BYTES >> 20, strerror(errno));
	memory_pool_free(p);
	return NULL;
}

void memory_pool_free(struct memory_pool *p)
{
	if (!p)
		return;
	spares_free(p->spares.first);
	cutter_fini(&p->cutter);
	if (p->slab)
		munmap(p->slab, SLAB_BYTES);
	if (p->fd >= 0)
		close(p->fd);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

int memory_pool_slab(const struct memory_pool *p)
{
	return p->fd;
}

size_t memory_pool_limit(const struct memory_pool *p)
{
	return p->limit;
}

size_t memory_pool_used(const struct memory_pool *p)
{
	struct memory_pool *q = (struct memory_pool *)p;
	size_t used;

	pthread_mutex_lock(&q->lock);
	used = q->used;
	pthread_mutex_unlock(&q->lock);
	return used;
}

static int charge(struct memory_pool *p, size_t bytes, struct err *e)
{
	struct memory *dropped = NULL;
	size_t left;

	if (bytes > p->limit)
		return err_set(e, ERR_TOO_LARGE, "a matrix of %zu bytes is "
		               "beyond the limit of %zu for all matrices",
		               bytes, p->limit);
	pthread_mutex_lock(&p->lock);
	left = p->limit - p->used;
	if (bytes <= left)
		p->used += bytes;
	if (p->used + p->spares.bytes > p->limit)
		dropped = spares_drop(&p->spares, INT64_MAX);
	pthread_mutex_unlock(&p->lock);
	spares_free(dropped);
	if (bytes <= left)
		return 0;
	return err_set(e, ERR_MEMORY, "%zu bytes are wanted for a matrix, %zu "
	               "of %zu are left", bytes, left, p->limit);
}

static void discharge(struct memory_pool *p, size_t bytes)
{
	pthread_mutex_lock(&p->lock);
	p->used -= bytes;
	pthread_mutex_unlock(&p->lock);
}

/* A piece of the slab; false when it is used up. */
static bool cut(struct memory_pool *p, size_t bytes, size_t *offset)
{
	bool found;

	pthread_mutex_lock(&p->lock);
	found = cutter_take(&p->cutter, bytes, offset);
	pthread_mutex_unlock(&p->lock);
	return found;
}

static void uncut(struct memory_pool *p, size_t offset, size_t bytes)
{
	pthread_mutex_lock(&p->lock);
	cutter_give(&p->cutter, offset, bytes);
	pthread_mutex_unlock(&p->lock);
}

/* fd is taken over, whatever happens. */
static struct memory *adopt(int fd, size_t bytes, struct err *e)
{
	struct memory *m = calloc(1, sizeof *m);

	if (m) {
		*m = (struct memory){ .bytes = bytes, .fd = fd, .refs = 1 };
		m->data = pages_map(fd, bytes);
	}
	if (m && m->data)
		return m;
	err_set(e, ERR_MEMORY, "mapping %zu bytes: %s", bytes, strerror(errno));
	free(m);
	close(fd);
	return NULL;
}

static struct memory *new_large(struct memory_pool *p, size_t bytes,
                                struct err *e)
{
	struct memory *m;
	int fd;

	pthread_mutex_lock(&p->lock);
	m = spares_take(&p->spares, bytes, bytes);
	pthread_mutex_unlock(&p->lock);
	if (m)
		return m;
	fd = memfd("linalgd-matrix", bytes);
	if (fd >= 0)
		return adopt(fd, bytes, e);
	err_set(e, ERR_MEMORY, "shared memory of %zu bytes: %s", bytes,
	        strerror(errno));
	return NULL;
}

static struct memory *new_small(struct memory_pool *p, size_t bytes,
                                size_t offset, struct err *e)
{
	struct memory *m = calloc(1, sizeof *m);

	if (!m) {
		uncut(p, offset, bytes);
		err_set(e, ERR_MEMORY, "no memory for a matrix");
		return NULL;
	}
	*m = (struct memory){ .data = p->slab + offset, .bytes = bytes,
	                      .fd = -1, .offset = offset, .refs = 1 };
	return m;
}

struct memory *memory_new(struct memory_pool *p, size_t bytes, struct err *e)
{
	struct memory *m;
	size_t offset;

	if (charge(p, bytes, e) < 0)
		return NULL;
	m = bytes < MEMORY_SLAB && cut(p, bytes, &offset) ?
	    new_small(p, bytes, offset, e) : new_large(p, bytes, e);
	if (m)
		m->pool = p;
	else
		discharge(p, bytes);
	return m;
}

struct memory *memory_spare(struct memory_pool *p, size_t least, size_t most)
{
	struct memory *m;

	pthread_mutex_lock(&p->lock);
	m = spares_take(&p->spares, least, most);
	if (m)
		p->used += m->bytes;
	pthread_mutex_unlock(&p->lock);
	return m;
}

/* Moves a piece that begins or ends in the slab. */
static int move(struct memory **m, size_t bytes, struct err *e)
{
	struct memory *to = memory_new((*m)->pool, bytes, e);

	if (!to)
		return -1;
	memcpy(to->data, (*m)->data, size_min(bytes, (*m)->bytes));
	memory_unref(*m);
	*m = to;
	return 0;
}

/* Growing: the file first; shrinking: the mapping first. */
static int remap(struct memory *m, size_t bytes)
{
	const bool shrinks = bytes < m->bytes;
	void *data;

	if (bytes > m->bytes && ftruncate(m->fd, (off_t)bytes) < 0)
		return -1;
	atomic_store(&m->present, shrinks && atomic_load(&m->present));
	data = mremap(m->data, m->bytes, bytes, MREMAP_MAYMOVE);
	if (data == MAP_FAILED)
		return -1;
	m->data = data;
	m->bytes = bytes;
	return shrinks ? ftruncate(m->fd, (off_t)bytes) : 0;
}

int memory_resize(struct memory **at, size_t bytes, struct err *e)
{
	struct memory *m = *at;
	size_t old = m->bytes;

	touch_end(m);
	if (m->fd < 0 || bytes < MEMORY_SLAB)
		return move(at, bytes, e);
	if (bytes > m->pool->limit)
		return charge(m->pool, bytes, e);
	if (bytes > old && charge(m->pool, bytes - old, e) < 0)
		return -1;
	if (remap(m, bytes) < 0) {
		if (bytes > old)
			discharge(m->pool, bytes - old);
		return err_set(e, ERR_MEMORY, "shared memory of %zu bytes: %s",
		               bytes, strerror(errno));
	}
	if (bytes < old)
		discharge(m->pool, old - bytes);
	return 0;
}

struct memory *memory_ref(struct memory *m)
{
	if (m)
		atomic_fetch_add(&m->refs, 1);
	return m;
}

/* Keeps a large piece for the next request of its size, if there is room. */
static bool keep(struct memory_pool *p, struct memory *m)
{
	bool room;

	pthread_mutex_lock(&p->lock);
	room = p->spares.bytes + m->bytes <= p->limit / SPARE_SHARE &&
	       p->used + p->spares.bytes <= p->limit;
	p->used -= m->bytes;
	if (room)
		spares_keep(&p->spares, m);
	pthread_mutex_unlock(&p->lock);
	return room;
}

void memory_unref(struct memory *m)
{
	if (!m || atomic_fetch_sub(&m->refs, 1) != 1)
		return;
	touch_end(m);
	if (m->whole) {
		memory_unref(m->whole);
		free(m);
		return;
	}
	if (m->pool && m->fd >= 0) {
		if (keep(m->pool, m))
			return;
	} else if (m->pool) {
		uncut(m->pool, m->offset, m->bytes);
		discharge(m->pool, m->bytes);
	}
	m->next = NULL;
	spares_free(m);
}

struct memory *memory_part(struct memory *m, size_t offset, size_t bytes,
                           struct err *e)
{
	/* beyond what counts stored matrices */
	const uint64_t begin = (uint64_t)(offset / MEMORY_ALIGN + 1) << 32;
	struct memory *part = calloc(1, sizeof *part);

	if (!part) {
		err_set(e, ERR_MEMORY, "no memory for a part of a matrix");
		return NULL;
	}
	*part = (struct memory){
		.data = (char *)m->data + offset, .bytes = bytes, .fd = m->fd,
		.offset = m->offset + offset, .refs = 1,
		.stored = m->stored ? m->stored + begin : 0,
		.whole = memory_ref(m),
	};
	return part;
}

bool memory_pool_trim(struct memory_pool *p, int64_t before_ns)
{
	struct memory *dropped;
	bool left;

	pthread_mutex_lock(&p->lock);
	dropped = spares_drop(&p->spares, before_ns);
	left = p->used || p->spares.bytes;
	pthread_mutex_unlock(&p->lock);
	spares_free(dropped);
	return left;
}

int slab_map(struct slab *s, int fd, struct err *e)
{
	struct stat st;

	s->data = NULL;
	if (fstat(fd, &st) == 0) {
		s->bytes = (size_t)st.st_size;
		s->data = pages_map(fd, s->bytes);
	}
	return s->data ? 0 : err_set(e, ERR_MEMORY, "mapping the slab: %s",
	                             strerror(errno));
}

struct memory *memory_map(int fd, size_t bytes, struct err *e)
{
	struct stat st;

	if (fstat(fd, &st) == 0 && (size_t)st.st_size >= bytes)
		return adopt(fd, bytes, e);
	close(fd);
	err_set(e, ERR_INTERNAL, "a matrix of %zu bytes came with less memory",
	        bytes);
	return NULL;
}

struct memory *memory_in_slab(const struct slab *s, size_t offset,
                              size_t bytes, struct err *e)
{
	struct memory *m = NULL;

	if (bytes > s->bytes || offset > s->bytes - bytes)
		err_set(e, ERR_INTERNAL, "a matrix lies outside of the slab");
	else if (!(m = calloc(1, sizeof *m)))
		err_set(e, ERR_MEMORY, "no memory for a matrix");
	else
		*m = (struct memory){ .data = (char *)s->data + offset,
		                      .bytes = bytes, .fd = -1,
		                      .offset = offset, .refs = 1 };
	return m;
}
