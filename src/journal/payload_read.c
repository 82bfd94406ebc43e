/* payload_read.c - see payload.h: reading. Whatever the file holds, it is
 * checked before it is believed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/size.h"
#include "base/slice.h"
#include "journal/payload_file.h"
#include "matrix/sparse.h"

/* A payload that is being read. */
struct source {
	const struct payloads *d;	/* NULL: it is in memory */
	const char *name;
	int fd;
	payload_give *give;		/* NULL: it is no stream */
	void *arg;
	const char *at;			/* in memory: the next byte, and how */
	size_t left;			/* many there are from it on */
	uint64_t bytes;			/* of the whole payload */
	uint32_t crc;			/* of all bytes since it was reset */
};

static int damaged(const struct source *s, const char *why, struct err *e)
{
	return err_set(e, ERR_FORMAT, "%.120s%s%.80s is damaged: %s",
	               s->d ? s->d->path : "", s->d ? "/" : "", s->name, why);
}

static int get_chunk(struct source *s, void *to, size_t n, struct err *e)
{
	if (s->give)
		return s->give(s->arg, to, n, e);
	errno = 0;
	if (s->d && io_read_all(s->fd, to, n) == 0)
		return 0;
	if (errno)
		return payload_failed(s->d, s->name, "reading", e);
	if (s->d || n > s->left)
		return damaged(s, "it ends too soon", e);
	memcpy(to, s->at, n);
	s->at += n;
	s->left -= n;
	return 0;
}

static int get(struct source *s, void *to, size_t n, struct err *e)
{
	for (char *p = to; n > 0;) {
		const size_t now = size_min(n, PAYLOAD_CHUNK);

		if (get_chunk(s, p, now, e) < 0)
			return -1;
		s->crc = payload_crc(s->crc, p, now);
		p += now;
		n -= now;
		if (slice_next(e) < 0)
			return -1;
	}
	return 0;
}

static int get_header(struct source *s, struct payload_header *h,
                      size_t most, struct err *e)
{
	if (get(s, h, sizeof *h, e) < 0)
		return -1;
	if (memcmp(h->magic, PAYLOAD_MAGIC, sizeof h->magic))
		return damaged(s, "it is no payload file of linalgd", e);
	if (h->crc != payload_crc(0, h, offsetof(struct payload_header, crc)))
		return damaged(s, "the checksum of its header is wrong", e);
	if (h->format != PAYLOAD_FORMAT)
		return err_set(e, ERR_FORMAT, "%.80s has the format %u, and "
		               "this version of linalgd reads %d", s->name,
		               h->format, PAYLOAD_FORMAT);
	if (h->bytes != s->bytes)
		return damaged(s, "its length is not that of its header", e);
	if (h->matrices > most)
		return damaged(s, "it has more matrices than expected", e);
	return 0;
}

/* Sets m, without memory, to what the row says. */
static int take_row(const struct source *s, struct matrix *m,
                    const struct payload_row *r, struct err *e)
{
	static const char why[] = "it describes no possible matrix";
	const bool sparse = r->flags & PAYLOAD_CSR;
	struct err ignored = { 0 };

	if (r->ndim == MATRIX_ABSENT)
		return 0;
	if (r->ndim < 0 || r->ndim > MATRIX_DIMS ||
	    r->flags > PAYLOAD_FLAGS || !memchr(r->dtype, 0, sizeof r->dtype) ||
	    dtype_find(r->dtype, &m->dtype) < 0)
		return damaged(s, why, e);
	m->layout = sparse ? CSR : DENSE;
	m->coordinates = r->flags & PAYLOAD_COORDINATES;
	m->text = r->flags & PAYLOAD_TEXT;
	m->rounded = r->flags & PAYLOAD_ROUNDED;
	m->nnz = r->nnz;
	for (int i = 0; i < r->ndim; i++)
		m->dim[i] = r->dim[i];
	m->ndim = r->ndim;
	return sparse && sparse_check_shape(m, &ignored) < 0 ?
	       damaged(s, why, e) : 0;
}

static int get_rows(struct source *s, const struct payload_header *h,
                    struct matrix *m, struct err *e)
{
	const size_t bytes = h->matrices * sizeof(struct payload_row);
	struct payload_row *rows = malloc(bytes + !bytes);
	struct err ignored = { 0 };
	uint64_t expected;
	int rc;

	if (!rows)
		return err_set(e, ERR_MEMORY, "no memory to read %s", s->name);
	s->crc = 0;
	rc = get(s, rows, bytes, e);
	if (rc == 0 && s->crc != h->rows_crc)
		rc = damaged(s, "the checksum of its shapes is wrong", e);
	for (size_t i = 0; rc == 0 && i < h->matrices; i++)
		rc = take_row(s, &m[i], &rows[i], e);
	free(rows);
	if (rc < 0)
		return -1;
	if (payload_bytes(m, h->matrices, &expected, &ignored) < 0 ||
	    expected != s->bytes)
		return damaged(s, "its length is not that of its shapes", e);
	return 0;
}

static int get_matrix(struct source *s, struct matrix *m,
                      struct memory_pool *p, struct err *e)
{
	struct err broken = { 0 };

	if (m->ndim == MATRIX_ABSENT)
		return 0;
	if (matrix_alloc(m, p, e) < 0 ||
	    get(s, m->memory->data, matrix_size(m), e) < 0)
		return -1;
	if (m->layout == DENSE)
		return 0;
	if (get(s, m->index->data, matrix_index_size(m), e) < 0)
		return -1;
	return sparse_check(m, &broken) == 0 ? 0 :
	       damaged(s, "the places of its entries are wrong", e);
}

static int get_all(struct source *s, struct matrix *m, size_t n,
                   struct memory_pool *p, struct err *e)
{
	uint32_t sum, crc;

	s->crc = 0;
	for (size_t i = 0; i < n; i++)
		if (get_matrix(s, &m[i], p, e) < 0)
			return -1;
	sum = s->crc;
	if (get(s, &crc, sizeof crc, e) < 0)
		return -1;
	return crc == sum ? 0 : damaged(s, "its checksum is wrong", e);
}

static int open_file(struct source *s, struct err *e)
{
	struct stat st;

	s->fd = payload_calls.openat(s->d->fd, s->name, O_RDONLY | O_NOFOLLOW |
	                             O_NONBLOCK | O_CLOEXEC);
	if (s->fd < 0 && errno == ENOENT)
		return err_set(e, ERR_NOT_FOUND, "there is no file "
		               "%.120s/%.80s", s->d->path, s->name);
	if (s->fd < 0 || fstat(s->fd, &st) < 0)
		return payload_failed(s->d, s->name, "opening", e);
	s->bytes = (uint64_t)st.st_size;
	return S_ISREG(st.st_mode) ? 0 :
	       damaged(s, "it is no regular file", e);
}

static void clear(struct matrix *m, size_t most)
{
	for (size_t i = 0; i < most; i++)
		m[i] = (struct matrix){ .ndim = MATRIX_ABSENT };
}

static void drop(struct matrix *m, size_t most)
{
	for (size_t i = 0; i < most; i++)
		matrix_fini(&m[i]);
}

/* Reads a payload from its first byte on. After a failure the caller has no
 * matrix to release. */
static int get_payload(struct source *s, struct matrix *m, size_t most,
                       size_t *n, struct memory_pool *p, struct err *e)
{
	struct payload_header h;

	clear(m, most);
	if (get_header(s, &h, size_min(most, PAYLOAD_MOST), e) < 0 ||
	    get_rows(s, &h, m, e) < 0 ||
	    get_all(s, m, h.matrices, p, e) < 0) {
		drop(m, most);
		return -1;
	}
	*n = h.matrices;
	return 0;
}

int payload_read(const struct payloads *d, const char *name, struct matrix *m,
                 size_t most, size_t *n, struct memory_pool *p,
                 struct err *e)
{
	struct source s = { .d = d, .name = name, .fd = -1 };
	int rc;

	if (payload_check_name(name, e) < 0)
		return -1;
	clear(m, most);
	rc = open_file(&s, e);
	if (rc == 0)
		rc = get_payload(&s, m, most, n, p, e);
	if (s.fd >= 0)
		close(s.fd);
	return rc;
}

int payload_unpack(const void *bytes, size_t size, const char *what,
                   struct matrix *m, size_t most, size_t *n,
                   struct memory_pool *p, struct err *e)
{
	struct source s = { .name = what, .fd = -1, .at = bytes, .left = size,
	                    .bytes = size };

	return get_payload(&s, m, most, n, p, e);
}

int payload_receive(payload_give *give, void *arg, uint64_t bytes,
                    const char *what, struct matrix *m, size_t most, size_t *n,
                    struct memory_pool *p, struct err *e)
{
	struct source s = { .name = what, .fd = -1, .give = give, .arg = arg,
	                    .bytes = bytes };

	return get_payload(&s, m, most, n, p, e);
}
