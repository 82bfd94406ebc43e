/* received.c - see received.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/size.h"
#include "matrix/blocks.h"
#include "matrix/pages.h"
#include "matrix/received.h"

int slab_map(struct slab *s, int fd, struct err *e)
{
	struct stat st;

	s->data = NULL;
	if (fstat(fd, &st) == 0) {
		s->bytes = (size_t)st.st_size;
		s->data = pages_map(fd, s->bytes, false);
	}
	return s->data ? 0 : err_set(e, ERR_MEMORY, "mapping the slab: %s",
	                             strerror(errno));
}

/* Returns a struct memory for `bytes` bytes at `offset` of mapped memory of
 * `all` bytes; NULL with *e if they lie outside of it. */
static struct memory *within(void *data, size_t all, size_t offset,
                             size_t bytes, struct err *e)
{
	struct memory *m = NULL;

	if (bytes > all || offset > all - bytes || offset % MEMORY_ALIGN)
		err_set(e, ERR_INTERNAL, "a matrix of %zu bytes at %zu lies "
		        "outside of the %zu that are shared", bytes, offset,
		        all);
	else if (!(m = calloc(1, sizeof *m)))
		err_set(e, ERR_MEMORY, "no memory for a matrix");
	else
		*m = (struct memory){ .data = (char *)data + offset,
		                      .bytes = bytes, .fd = -1,
		                      .offset = offset, .refs = 1 };
	return m;
}

struct memory *slab_operand(const struct slab *s, size_t offset,
                            size_t bytes, struct err *e)
{
	return within(s->data, s->bytes, offset, bytes, e);
}

struct memory *slab_result(const struct slab *s, size_t offset, size_t bytes,
                           struct err *e)
{
	return within(s->results, s->results_bytes, offset, bytes, e);
}

struct memory *received_map(int fd, size_t bytes, bool writable,
                            struct err *e)
{
	struct memory *m = calloc(1, sizeof *m);
	struct stat st;

	if (!m) {
		err_set(e, ERR_MEMORY, "no memory for a matrix");
	} else if (fstat(fd, &st) == 0 && (size_t)st.st_size >= bytes) {
		*m = (struct memory){ .bytes = bytes, .room = bytes, .fd = fd,
		                      .writable = writable, .refs = 1 };
		m->data = pages_map(fd, bytes, writable);
		if (m->data)
			return m;
		err_set(e, ERR_MEMORY, "mapping %zu bytes: %s", bytes,
		        strerror(errno));
	} else {
		err_set(e, ERR_INTERNAL, "a matrix of %zu bytes came with less "
		        "memory", bytes);
	}
	free(m);
	close(fd);
	return NULL;
}

struct memory *received_new(size_t bytes, struct err *e)
{
	struct memory *m = calloc(1, sizeof *m);

	if (!m) {
		err_set(e, ERR_MEMORY, "no memory for an intermediate");
		return NULL;
	}
	*m = (struct memory){ .bytes = bytes, .fd = -1, .writable = true,
	                      .own = true, .refs = 1 };
	return m;
}

int received_back(struct memory *m, struct err *e)
{
	if (!m->own || m->data)
		return 0;
	m->data = blocks_take(m->bytes, &m->room);
	return m->data ? 0 : err_set(e, ERR_MEMORY, "an intermediate of %zu "
	                             "bytes: %s", m->bytes, strerror(errno));
}

int received_protect(struct memory *m, bool writable)
{
	if (m->writable == writable)
		return 0;
	if (mprotect(m->data, size_max(m->bytes, 1),
	             PROT_READ | (writable ? PROT_WRITE : 0)) < 0)
		return -1;
	m->writable = writable;
	return 0;
}
