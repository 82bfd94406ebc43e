/* memory.c - see memory.h: single allocations; memory_pool.c accounts for
 * them. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/size.h"
#include "matrix/blocks.h"
#include "matrix/memory_pool.h"
#include "matrix/pages.h"
#include "matrix/touch.h"

/* Maps fd and takes it over, even on failure. */
static struct memory *adopt(int fd, size_t bytes, struct err *e)
{
	struct memory *m = calloc(1, sizeof *m);

	if (m) {
		*m = (struct memory){ .bytes = bytes, .room = bytes, .fd = fd,
		                      .refs = 1 };
		m->data = pages_map(fd, bytes, true);
	}
	if (m && m->data)
		return m;
	err_set(e, ERR_MEMORY, "mapping %zu bytes: %s", bytes, strerror(errno));
	free(m);
	close(fd);
	return NULL;
}

struct memory *memory_new_uncharged(struct memory_pool *p, size_t bytes,
                                    struct err *e)
{
	struct memory *m = NULL;
	int fd;

	if (pool_count_file(p, e) < 0)
		return NULL;
	fd = pool_memfd("linalgd-matrix", bytes);
	if (fd >= 0)
		m = adopt(fd, bytes, e);
	else
		err_set(e, ERR_MEMORY, "shared memory of %zu bytes: %s", bytes,
		        strerror(errno));
	if (m)
		m->pool = p;
	else
		pool_uncount_file(p);
	return m;
}

void memory_forget_contents(struct memory *m)
{
	m->stored = m->upload_id = 0;
}

/* Gives a piece that was used before, or NULL, to a new user. */
static struct memory *renewed(struct memory *m)
{
	if (m) {
		m->refs = 1;
		memory_forget_contents(m);
	}
	return m;
}

int memory_charge(struct memory *m, size_t bytes)
{
	if (memory_pool_charge(m->pool, bytes - m->charged))
		return -1;
	m->charged = bytes;
	return 0;
}

struct memory *memory_spare(struct memory_pool *p, size_t least, size_t most)
{
	struct memory *m = renewed(pool_take_spare(p, least, most));

	if (m)
		m->charged = m->bytes;
	return m;
}

static struct memory *new_large(struct memory_pool *p, size_t bytes,
                                struct err *e)
{
	struct memory *m = renewed(pool_find(p, bytes));

	return m ? m : memory_new_uncharged(p, bytes, e);
}

static struct memory *new_small(struct memory_pool *p, size_t bytes,
                                size_t offset, struct err *e)
{
	struct memory *m = calloc(1, sizeof *m);

	if (!m) {
		pool_uncut(p, offset);
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

	if (pool_charge(p, bytes, e) < 0)
		return NULL;
	m = bytes < MEMORY_SLAB && pool_cut(p, bytes, &offset) ?
	    new_small(p, bytes, offset, e) : new_large(p, bytes, e);
	if (m) {
		m->pool = p;
		m->charged = bytes;
	} else {
		memory_pool_discharge(p, bytes);
	}
	return m;
}

struct memory *memory_new_given(struct memory_pool *p, size_t bytes,
                                struct err *e)
{
	struct memory *m;

	if (pool_charge(p, bytes, e) < 0)
		return NULL;
	m = memory_new_uncharged(p, bytes, e);
	if (!m) {
		memory_pool_discharge(p, bytes);
		return NULL;
	}
	m->charged = bytes;
	m->given = true;
	/* Opened and sealed now, since the owner of a memfd could hold up an
	 * open() by a lease. */
	memory_descriptor(m, false);
	if (atomic_load(&m->sealed))
		return m;
	err_set(e, ERR_MEMORY, "sealing shared memory: %s", strerror(errno));
	memory_unref(m);
	return NULL;
}

/* Copies *m to a new allocation of another size. */
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

/* Shrinks m in place. The memfd keeps its size; only the pages between the new
 * size and what was charged are given back, as there are none beyond. */
static int shrink(struct memory *m, size_t bytes, struct err *e)
{
	int fd;

	if (bytes > m->charged) {
		if (pool_charge(m->pool, bytes - m->charged, e) < 0)
			return -1;
	} else if (bytes < m->charged) {
		fd = fcntl(m->fd, F_DUPFD_CLOEXEC, 0);
		if (fd < 0)
			return err_set(e, ERR_MEMORY, "a descriptor: %s",
			               strerror(errno));
		pool_give_back_tail(m->pool, fd, bytes, m->charged);
	}
	m->bytes = m->charged = bytes;
	return 0;
}

void memory_unpin(struct memory *m)
{
	if (m->pin.handle)
		m->pin.release(m->pin.handle);
	m->pin.handle = NULL;
}

static int remap(struct memory *m, size_t bytes)
{
	void *data;

	if (ftruncate(m->fd, (off_t)bytes) < 0)
		return -1;
	memory_unpin(m);
	data = mremap(m->data, size_max(m->room, 1), bytes, MREMAP_MAYMOVE);
	if (data == MAP_FAILED)
		return -1;
	touch_forget(m);
	m->data = data;
	m->bytes = m->room = bytes;
	return 0;
}

static int extend(struct memory *m, size_t bytes, struct err *e)
{
	const size_t more = bytes - m->charged;

	if (pool_charge(m->pool, more, e) < 0)
		return -1;
	if (remap(m, bytes) == 0) {
		m->charged = bytes;
		return 0;
	}
	memory_pool_discharge(m->pool, more);
	return err_set(e, ERR_MEMORY, "shared memory of %zu bytes: %s", bytes,
	               strerror(errno));
}

/* May m grow in place? Not once its size is sealed, nor after shrink(), because
 * the release thread may be freeing its pages. */
static bool may_grow(const struct memory *m)
{
	return !atomic_load(&m->sealed) && m->room == m->bytes;
}

int memory_resize(struct memory **at, size_t bytes, struct err *e)
{
	struct memory *m = *at;

	touch_end(m);
	if (m->fd < 0 || bytes < MEMORY_SLAB)
		return move(at, bytes, e);
	if (bytes > m->pool->limit)
		return pool_charge(m->pool, bytes, e);
	if (bytes > m->bytes)
		return may_grow(m) ? extend(m, bytes, e) : move(at, bytes, e);
	return shrink(m, bytes, e);
}

struct memory *memory_ref(struct memory *m)
{
	if (m)
		atomic_fetch_add(&m->refs, 1);
	return m;
}

void memory_unref(struct memory *m)
{
	if (!m || atomic_fetch_sub(&m->refs, 1) != 1)
		return;
	touch_end(m);
	if (m->whole) {
		memory_unref(m->whole);
		free(m);
	} else if (m->own) {
		if (m->data)
			blocks_give(m->data, m->room);
		free(m);
	} else if (m->pool && m->fd >= 0) {
		pool_give_back(m->pool, m);
	} else {
		if (m->pool) {
			pool_uncut(m->pool, m->offset);
			memory_pool_discharge(m->pool, m->bytes);
		}
		spare_destroy(m);
	}
}

struct memory *memory_part(struct memory *m, size_t offset, size_t bytes,
                           struct err *e)
{
	/* Above the numbers of store.c, which counts from 1 on. */
	const uint64_t begin = (uint64_t)(offset / MEMORY_ALIGN + 1) << 32;
	struct memory *const whole = m->whole ? m->whole : m;
	struct memory *part = calloc(1, sizeof *part);

	if (!part) {
		err_set(e, ERR_MEMORY, "no memory for a part of a matrix");
		return NULL;
	}
	*part = (struct memory){
		.data = (char *)m->data + offset, .bytes = bytes, .fd = m->fd,
		.offset = m->offset + offset, .refs = 1,
		.stored = m->stored ? m->stored + begin : 0,
		.given = m->given, .whole = memory_ref(whole),
	};
	return part;
}

static void open_for_reading(struct memory *m)
{
	struct err none_left = { 0 };

	if (pool_count_file(m->pool, &none_left) < 0)
		return;
	m->fd_read = pool_open_for_reading(m->fd);
	if (m->fd_read <= 0)
		pool_uncount_file(m->pool);
}

/* Without a second descriptor (no /proc, or too many open files) the writable
 * one has to do; the worker still maps it for reading only. */
int memory_descriptor(struct memory *m, bool writable)
{
	while (m->whole)
		m = m->whole;
	if (!atomic_load(&m->sealed))
		atomic_store(&m->sealed, pool_seal(m->fd) == 0);
	if (!writable && m->fd_read <= 0)
		open_for_reading(m);
	return !writable && m->fd_read > 0 ? m->fd_read : m->fd;
}
