/* payload_write.c - see payload.h: writing. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/size.h"
#include "base/slice.h"
#include "journal/payload_file.h"

#define UNFINISHED ".new-"

static int write_all(int fd, const char *bytes, size_t n)
{
	while (n > 0) {
		const ssize_t wrote = payload_calls.write(fd, bytes, n);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0)
			return -1;
		bytes += wrote;
		n -= (size_t)wrote;
	}
	return 0;
}

/* A payload that is being written. Bytes go through the buffer, so that the
 * checksum is of what was written even if a client, to whom the memory was
 * given, changes them meanwhile. If there is neither a file nor a take(), the
 * whole payload stays in the buffer, which is large enough. */
struct sink {
	const struct payloads *d;
	const char *name;
	int fd;				/* -1: there is no file */
	payload_take *take;		/* NULL: they go to the file */
	void *arg;
	char *buffer;
	size_t room, used;		/* bytes of the buffer */
	uint32_t crc;			/* of all bytes since it was reset */
};

static int flush(struct sink *s, struct err *e)
{
	if (s->take ? s->take(s->arg, s->buffer, s->used, e) < 0 :
	    write_all(s->fd, s->buffer, s->used) < 0)
		return s->take ? -1 :
		       payload_failed(s->d, s->name, "writing", e);
	s->used = 0;
	return slice_next(e);
}

static int put(struct sink *s, const void *bytes, size_t n, struct err *e)
{
	for (const char *p = bytes; n > 0;) {
		const size_t now = size_min(n, s->room - s->used);
		char *to = s->buffer + s->used;

		memcpy(to, p, now);
		s->crc = payload_crc(s->crc, to, now);
		s->used += now;
		p += now;
		n -= now;
		if (s->used == s->room && (s->fd >= 0 || s->take) &&
		    flush(s, e) < 0)
			return -1;
	}
	return 0;
}

static void describe(struct payload_row *r, const struct matrix *m)
{
	r->ndim = m->ndim;
	if (m->ndim == MATRIX_ABSENT)
		return;
	snprintf(r->dtype, sizeof r->dtype, "%s", dtype_name(m->dtype));
	r->flags = (m->layout == CSR ? PAYLOAD_CSR : 0) |
	           (m->coordinates ? PAYLOAD_COORDINATES : 0) |
	           (m->text ? PAYLOAD_TEXT : 0) |
	           (m->rounded ? PAYLOAD_ROUNDED : 0);
	for (int i = 0; i < m->ndim; i++)
		r->dim[i] = m->dim[i];
	r->nnz = m->layout == CSR ? m->nnz : 0;
}

static_assert(PAYLOAD_CHUNK > sizeof(struct payload_header) +
              PAYLOAD_MOST * sizeof(struct payload_row), "no room for a head");

/* Writes the head of a payload of that many bytes to the empty buffer. */
static void put_head(struct sink *s, const struct matrix *m, size_t n,
                     uint64_t bytes)
{
	struct payload_header *const h = (struct payload_header *)s->buffer;
	struct payload_row *const rows = (struct payload_row *)(h + 1);

	s->used = payload_head_bytes(n);
	memset(s->buffer, 0, s->used);
	for (size_t i = 0; i < n; i++)
		describe(&rows[i], &m[i]);
	*h = (struct payload_header){
		.magic = PAYLOAD_MAGIC, .format = PAYLOAD_FORMAT,
		.matrices = (uint32_t)n, .bytes = bytes,
		.rows_crc = payload_crc(0, rows, n * sizeof *rows),
	};
	h->crc = payload_crc(0, h, offsetof(struct payload_header, crc));
}

static int put_matrix(struct sink *s, const struct matrix *m, struct err *e)
{
	if (m->ndim == MATRIX_ABSENT)
		return 0;
	if (put(s, matrix_data(m), matrix_size(m), e) < 0)
		return -1;
	return m->layout == DENSE ? 0 :
	       put(s, m->index->data, matrix_index_size(m), e);
}

static int put_all(struct sink *s, const struct matrix *m, size_t n,
                   uint64_t bytes, struct err *e)
{
	uint32_t crc;

	put_head(s, m, n, bytes);
	s->crc = 0;
	for (size_t i = 0; i < n; i++)
		if (put_matrix(s, &m[i], e) < 0)
			return -1;
	crc = s->crc;
	return put(s, &crc, sizeof crc, e);
}

static int put_file(struct sink *s, const struct matrix *m, size_t n,
                    struct err *e)
{
	uint64_t bytes;

	if (payload_bytes(m, n, &bytes, e) < 0 ||
	    put_all(s, m, n, bytes, e) < 0 || flush(s, e) < 0)
		return -1;
	return payload_calls.fdatasync(s->fd) == 0 ? 0 :
	       payload_failed(s->d, s->name, "fdatasync of", e);
}

/* Writes the file under its temporary name; -1 with *e. */
static int write_file(const struct payloads *d, const char *name,
                      const struct matrix *m, size_t n, struct err *e)
{
	struct sink s = { .d = d, .name = name, .room = PAYLOAD_CHUNK };
	int rc;

	s.buffer = malloc(s.room);
	if (!s.buffer)
		return err_set(e, ERR_MEMORY, "no memory to write %s", name);
	s.fd = payload_calls.openat(d->fd, name, O_WRONLY | O_CREAT | O_TRUNC |
	                            O_NOFOLLOW | O_CLOEXEC, 0600);
	rc = s.fd < 0 ? payload_failed(d, name, "opening", e) :
	     put_file(&s, m, n, e);
	if (s.fd >= 0)
		close(s.fd);	/* fdatasync() has reported errors of writing */
	free(s.buffer);
	return rc;
}

static int give_name(const struct payloads *d, const char *from,
                     const char *to, struct err *e)
{
	if (payload_calls.renameat(d->fd, from, d->fd, to) < 0)
		return payload_failed(d, to, "renaming", e);
	if (payload_calls.fsync(d->fd) < 0)
		return payload_failed(d, to, "fsync of the directory of", e);
	return 0;
}

int payload_write(const struct payloads *d, const char *name,
                  const struct matrix *m, size_t n, struct err *e)
{
	char unfinished[PAYLOAD_NAME + sizeof UNFINISHED];
	int rc;

	if (payload_check_name(name, e) < 0)
		return -1;
	if (n > PAYLOAD_MOST)
		return err_set(e, ERR_INTERNAL, "%zu matrices in a payload "
		               "file, at most %d fit", n, PAYLOAD_MOST);
	snprintf(unfinished, sizeof unfinished, UNFINISHED "%s", name);
	rc = write_file(d, unfinished, m, n, e);
	if (rc == 0)
		rc = give_name(d, unfinished, name, e);
	if (rc < 0)	/* what cannot be removed is an orphan at the start */
		payload_calls.unlinkat(d->fd, unfinished, 0);
	return rc;
}

char *payload_pack(const struct matrix *m, size_t n, size_t *bytes,
                   struct err *e)
{
	struct sink s = { .fd = -1 };
	uint64_t all;

	if (payload_bytes(m, n, &all, e) < 0)
		return NULL;
	s.room = *bytes = (size_t)all;
	s.buffer = malloc(s.room);
	if (s.buffer)	/* it holds the whole payload: nothing can fail */
		put_all(&s, m, n, all, e);
	else
		err_set(e, ERR_MEMORY, "no memory for a payload of %zu bytes",
		        s.room);
	return s.buffer;
}

int payload_send(const struct matrix *m, size_t n, size_t piece,
                 payload_take *take, void *arg, struct err *e)
{
	struct sink s = { .fd = -1, .room = piece, .take = take, .arg = arg };
	uint64_t bytes;
	int rc;

	assert(piece >= PAYLOAD_CHUNK && n <= PAYLOAD_MOST);
	if (payload_bytes(m, n, &bytes, e) < 0)
		return -1;
	s.buffer = malloc(piece);
	if (!s.buffer)
		return err_set(e, ERR_MEMORY, "no memory to send a payload");
	rc = put_all(&s, m, n, bytes, e);
	if (rc == 0 && s.used > 0)
		rc = flush(&s, e);
	free(s.buffer);
	return rc;
}
