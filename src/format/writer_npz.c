/* writer_npz.c - see writer.h.
 *
 *     frame:  |local header, npy header|            |local header, ...
 *     body:   |........................|  elements  |..........
 *
 * The central directory follows the last elements. The format is PKWARE's
 * APPNOTE 6.3.10, sections 4.3 and 4.5.3 (Zip64).
 */
#include <string.h>
#include <zlib.h>

#include "base/size.h"
#include "base/slice.h"
#include "format/writer.h"
#include "matrix/sparse.h"

enum {
	NEEDS = 20, NEEDS_64 = 45,	/* versions of the format */
	DATE = 0x21,			/* 1 January 1980: the same bytes for
					 * the same result */
	EXTRA_64 = 1,
	CRC_STEP = 256 << 10,		/* bytes of a slice */
};

static const uint64_t most_32 = UINT32_MAX;

struct member {
	struct text name;
	uint32_t crc;
	uint64_t size, offset;		/* stored; of its local header */
};

/* Appends x in `bytes` bytes, little-endian. */
static void put(struct text *t, uint64_t x, int bytes)
{
	for (; bytes; bytes--, x >>= 8)
		text_add(t, &(unsigned char){ (unsigned char)x }, 1);
}

/* Appends x in 32 bits, all of them set if x is too large: the Zip64 record
 * then has it. */
static void put_32(struct text *t, uint64_t x)
{
	put(t, x < most_32 ? x : most_32, 4);
}

static bool is_large(const struct member *f)
{
	return f->size >= most_32 || f->offset >= most_32;
}

/* Appends the fields that local and central headers share. The Zip64 record of
 * a local header must have both sizes (4.5.3); for simplicity, so has that of
 * the directory. */
static void put_file(struct text *t, const struct member *f, bool local)
{
	const bool large = local ? f->size >= most_32 : is_large(f);
	const unsigned extra = !large ? 0 : local ? 20 : 28;

	put(t, is_large(f) ? NEEDS_64 : NEEDS, 2);
	put(t, 0, 2);			/* flags */
	put(t, 0, 2);			/* stored */
	put(t, 0, 2);
	put(t, DATE, 2);
	put(t, f->crc, 4);
	put(t, large ? most_32 : f->size, 4);
	put(t, large ? most_32 : f->size, 4);
	put(t, f->name.length, 2);
	put(t, extra, 2);
}

static void put_extra(struct text *t, const struct member *f, bool local)
{
	if (local ? f->size < most_32 : !is_large(f))
		return;
	put(t, EXTRA_64, 2);
	put(t, local ? 16 : 24, 2);
	put(t, f->size, 8);
	put(t, f->size, 8);
	if (!local)
		put(t, f->offset, 8);
}

static void put_local(struct text *t, const struct member *f)
{
	put(t, 0x04034b50, 4);
	put_file(t, f, true);
	text_add(t, f->name.data, f->name.length);
	put_extra(t, f, true);
}

static void put_central(struct text *t, const struct member *f)
{
	put(t, 0x02014b50, 4);
	put(t, is_large(f) ? NEEDS_64 : NEEDS, 2);
	put_file(t, f, false);
	put(t, 0, 2);			/* comment */
	put(t, 0, 2);			/* disk */
	put(t, 0, 2);
	put(t, 0, 4);			/* attributes */
	put(t, is_large(f) ? most_32 : f->offset, 4);
	text_add(t, f->name.data, f->name.length);
	put_extra(t, f, false);
}

static void put_end_64(struct text *t, size_t n, uint64_t at, uint64_t bytes)
{
	put(t, 0x06064b50, 4);
	put(t, 44, 8);			/* bytes that follow of this record */
	put(t, NEEDS_64, 2);
	put(t, NEEDS_64, 2);
	put(t, 0, 4);
	put(t, 0, 4);
	put(t, n, 8);
	put(t, n, 8);
	put(t, bytes, 8);
	put(t, at, 8);
	put(t, 0x07064b50, 4);		/* and where it is */
	put(t, 0, 4);
	put(t, at + bytes, 8);
	put(t, 1, 4);
}

static void put_end(struct text *t, size_t n, uint64_t at, uint64_t bytes)
{
	if (at >= most_32)
		put_end_64(t, n, at, bytes);
	put(t, 0x06054b50, 4);
	put(t, 0, 2);
	put(t, 0, 2);
	put(t, n, 2);
	put(t, n, 2);
	put_32(t, bytes);
	put_32(t, at);
	put(t, 0, 2);
}

static int add_crc(uint32_t *crc, const unsigned char *bytes, size_t n,
                   struct err *e)
{
	for (size_t at = 0; at < n; at += CRC_STEP) {
		*crc = (uint32_t)crc32_z(*crc, bytes + at,
		                         size_min(n - at, CRC_STEP));
		if (slice_next(e))
			return -1;
	}
	return 0;
}

/* Appends a member's local header and npy header to the frame. An absent matrix
 * stands for the string "csr", the member `format` of a sparse matrix. */
static int add_member(struct npz_writer *w, const struct matrix *m,
                      struct member *f, struct err *e)
{
	struct text npy = { 0 };
	const size_t bytes = matrix_size(m);

	if (m->ndim == MATRIX_ABSENT)
		npy_string(&npy, "csr");
	else
		npy_header(&npy, m);
	f->offset = npz_writer_size(w);
	f->size = npy.length + bytes;
	f->crc = (uint32_t)crc32_z(0, (const Bytef *)npy.data, npy.length);
	if (add_crc(&f->crc, matrix_data(m), bytes, e)) {
		text_fini(&npy);
		return -1;
	}
	put_local(&w->frame, f);
	text_add(&w->frame, npy.data, npy.length);
	w->frame.failed |= npy.failed || f->name.failed;
	text_fini(&npy);
	w->member[w->n].m = m;
	w->member[w->n++].at = w->frame.length;
	return 0;
}

static void put_directory(struct npz_writer *w, const struct member *f)
{
	const uint64_t at = npz_writer_size(w);
	const size_t framed = w->frame.length;

	for (size_t i = 0; i < w->n; i++)
		put_central(&w->frame, &f[i]);
	put_end(&w->frame, w->n, at, w->frame.length - framed);
}

int npz_writer_init(struct npz_writer *w, const struct matrix *const *m,
                    const char *const *names, size_t n, struct err *e)
{
	struct member f[NPZ_MEMBERS] = { 0 };
	int rc = 0;

	*w = (struct npz_writer){ 0 };
	if (n > NPZ_MEMBERS)
		return err_set(e, ERR_INTERNAL, "npz: %zu members, at most %d "
		               "are written", n, NPZ_MEMBERS);
	for (size_t i = 0; i < n && !rc; i++) {
		text_printf(&f[i].name, "%s.npy", names[i]);
		rc = add_member(w, m[i], &f[i], e);
	}
	if (!rc)
		put_directory(w, f);
	for (size_t i = 0; i < n; i++)
		text_fini(&f[i].name);
	if (rc)
		return -1;
	return w->frame.failed ? err_set(e, ERR_MEMORY, "npz: no memory for "
	    "an archive of %zu members", n) : 0;
}

/* Makes w->list[i] a vector of n elements of type d at `elements`. */
static void set_list(struct npz_writer *w, int i, enum dtype d, size_t n,
                     const void *elements)
{
	w->at[i].data = (void *)elements;
	w->at[i].fd = -1;
	w->list[i] = (struct matrix){ .dtype = d, .ndim = 1, .dim = { n },
	                              .memory = &w->at[i] };
	w->at[i].bytes = matrix_size(&w->list[i]);
}

int npz_writer_init_sparse(struct npz_writer *w, const struct matrix *m,
                           struct err *e)
{
	static const char *const names[NPZ_LISTS] = {
		"indices", "indptr", "format", "shape", "data",
	};
	const struct matrix *lists[NPZ_LISTS];
	struct npz_writer made;

	if (sparse_check(m, e))
		return -1;
	for (int i = 0; i < 2; i++)
		w->shape[i] = (int64_t)m->dim[i];
	set_list(w, 0, INT32, m->nnz, sparse_columns(m));
	set_list(w, 1, INT64, m->dim[0] + 1, sparse_starts(m));
	w->list[2] = (struct matrix){ .ndim = MATRIX_ABSENT };
	set_list(w, 3, INT64, 2, w->shape);
	set_list(w, 4, m->dtype, m->nnz, matrix_data(m));
	for (int i = 0; i < NPZ_LISTS; i++)
		lists[i] = &w->list[i];
	if (npz_writer_init(&made, lists, names, NPZ_LISTS, e)) {
		npz_writer_fini(&made);
		return -1;
	}
	w->frame = made.frame;
	memcpy(w->member, made.member, sizeof w->member);
	w->n = made.n;
	w->now = w->framed = w->written = 0;
	return 0;
}

void npz_writer_fini(struct npz_writer *w)
{
	text_fini(&w->frame);
}

uint64_t npz_writer_size(const struct npz_writer *w)
{
	uint64_t bytes = w->frame.length;

	for (size_t i = 0; i < w->n; i++)
		bytes += matrix_size(w->member[i].m);
	return bytes;
}

/* Sets *from to the next bytes to write; returns how many are contiguous
 * there. */
static size_t next_piece(const struct npz_writer *w, const char **from)
{
	const bool last = w->now == w->n;
	const size_t stop = last ? w->frame.length : w->member[w->now].at;

	if (w->framed < stop || last) {
		*from = w->frame.data + w->framed;
		return stop - w->framed;
	}
	*from = (const char *)matrix_data(w->member[w->now].m) + w->written;
	return matrix_size(w->member[w->now].m) - w->written;
}

static void move_on(struct npz_writer *w, size_t n)
{
	const bool last = w->now == w->n;

	if (last || w->framed < w->member[w->now].at)
		w->framed += n;
	else
		w->written += n;
	if (!last && w->framed == w->member[w->now].at &&
	    w->written == matrix_size(w->member[w->now].m)) {
		w->now++;
		w->written = 0;
	}
}

size_t npz_writer_more(struct npz_writer *w, char *to, size_t room)
{
	size_t wrote = 0;

	while (wrote < room) {
		const char *from;
		const size_t n = size_min(next_piece(w, &from), room - wrote);

		if (n == 0)
			break;
		memcpy(to + wrote, from, n);
		move_on(w, n);
		wrote += n;
	}
	return wrote;
}

int npz_write(struct text *t, const struct matrix *const *m,
              const char *const *names, size_t n, struct err *e)
{
	struct npz_writer w;
	char *to;
	int rc = npz_writer_init(&w, m, names, n, e);

	to = rc ? NULL : text_reserve(t, npz_writer_size(&w));
	if (to)
		text_grew(t, npz_writer_more(&w, to, npz_writer_size(&w)));
	else if (!rc)
		rc = err_set(e, ERR_MEMORY, "npz: no memory for an archive of "
		             "%zu members", n);
	npz_writer_fini(&w);
	return rc;
}
