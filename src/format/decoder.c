/* decoder.c - see decoder.h. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <zlib.h>
#include <zstd.h>

#include "base/size.h"
#include "format/decoder.h"

enum {
	GZIP_ONLY = 16 + 15,		/* zlib's windowBits: 32 KiB, gzip */
	GZIP_BYTES = 48 << 10,		/* memory that zlib needs to inflate */
	ZSTD_WINDOW = 23,		/* log2 of the largest window, 8 MiB */
	ZSTD_MAGIC = 4, ZSTD_HEAD = 18	/* bytes of a frame's magic number; of
					 * its header with that, at most */
};

const char decoder_codings[] = "gzip, zstd";

/* A content coding. */
struct kind {
	const char *name;
	int (*open)(struct decoder *d);
	void (*close)(struct decoder *d);
	/* Does what decoder_run() says, and keeps d->whole. */
	ssize_t (*run)(struct decoder *d, const char **from, size_t *n,
	               void *room, size_t most, struct err *e);
};

struct decoder {
	const struct kind *kind;
	bool whole;			/* the input so far ends with a complete
					 * member or frame */
	z_stream gzip;
	ZSTD_DStream *zstd;
	unsigned char head[ZSTD_HEAD];	/* the frame's first bytes, of which */
	size_t read;			/* so many have been read, */
	uint64_t made;			/* and the bytes decoded from it */
};

static int refuse(const struct decoder *d, const char *why, struct err *e)
{
	return err_set(e, ERR_REQUEST, "Content-Encoding: the body is not "
	               "valid %s: %s", d->kind->name, why ? why : "damaged");
}

static int gzip_open(struct decoder *d)
{
	return inflateInit2(&d->gzip, GZIP_ONLY) == Z_OK ? 0 : -1;
}

static void gzip_close(struct decoder *d)
{
	inflateEnd(&d->gzip);
}

/* Inflates; a gzip stream may consist of several members. */
static ssize_t gzip_run(struct decoder *d, const char **from, size_t *n,
                        void *room, size_t most, struct err *e)
{
	z_stream *z = &d->gzip;
	const uInt taken = (uInt)size_min(*n, UINT32_MAX >> 1);
	int rc = Z_OK;

	z->next_in = (Bytef *)*from;
	z->avail_in = taken;
	z->next_out = room;
	z->avail_out = (uInt)most;
	while (rc == Z_OK && z->avail_out && (z->avail_in || !d->whole)) {
		d->whole = false;
		rc = inflate(z, Z_NO_FLUSH);
		if (rc != Z_STREAM_END)
			continue;
		d->whole = true;
		rc = inflateReset(z);
	}
	*from += taken - z->avail_in;
	*n -= taken - z->avail_in;
	if (rc != Z_OK && rc != Z_BUF_ERROR)
		return refuse(d, z->msg, e);
	return (ssize_t)(most - z->avail_out);
}

static int zstd_open(struct decoder *d)
{
	d->zstd = ZSTD_createDStream();
	return d->zstd && !ZSTD_isError(ZSTD_DCtx_setParameter(d->zstd,
	    ZSTD_d_windowLogMax, ZSTD_WINDOW)) ? 0 : -1;
}

static void zstd_close(struct decoder *d)
{
	ZSTD_freeDStream(d->zstd);
}

/* Is that byte one of the magic number of a frame, or of a frame to skip (RFC
 * 8878, 3.1)? The library may have been built to read the formats before that,
 * too, whose magic numbers differ in the first byte. */
static bool is_magic(size_t i, unsigned char byte)
{
	static const unsigned char frame[] = { 0x28, 0xb5, 0x2f, 0xfd };
	static const unsigned char skipped[] = { 0x50, 0x2a, 0x4d, 0x18 };

	return byte == frame[i] ||
	       (i == 0 ? byte & 0xf0 : byte) == skipped[i];
}

static bool magic_is_known(const struct decoder *d, const ZSTD_inBuffer *in)
{
	const unsigned char *next = (const unsigned char *)in->src + in->pos;
	const size_t known = size_min(d->read, ZSTD_MAGIC);
	const size_t n = size_min(ZSTD_MAGIC - known, in->size - in->pos);

	for (size_t i = 0; i < n; i++)
		if (!is_magic(known + i, next[i]))
			return false;
	return true;
}

/* Counts what was read and made of a frame. Returns whether the frame, if it
 * has ended, has as many bytes as its header tells: libzstd 1.5.4 does not
 * notice if its last block is empty. */
static bool count_frame(struct decoder *d, const char *from, size_t n,
                        size_t made, bool ended)
{
	unsigned long long told;
	bool right;

	n = size_min(n, ZSTD_HEAD - d->read);
	memcpy(d->head + d->read, from, n);
	d->read += n;
	d->made += made;
	if (!ended)
		return true;
	told = ZSTD_getFrameContentSize(d->head, d->read);
	right = told == ZSTD_CONTENTSIZE_UNKNOWN || told == d->made;
	d->read = d->made = 0;
	return right;
}

/* Decodes; where a frame begins, its first byte alone. libzstd has other code
 * for a frame that it gets as a whole, and the two do not refuse the same
 * damaged frames. */
static size_t step(struct decoder *d, ZSTD_outBuffer *out, ZSTD_inBuffer *in)
{
	const size_t size = in->size;
	size_t rc;

	if (d->read == 0)
		in->size = size_min(size, in->pos + 1);
	rc = ZSTD_decompressStream(d->zstd, out, in);
	in->size = size;
	return rc;
}

static ssize_t zstd_run(struct decoder *d, const char **from, size_t *n,
                        void *room, size_t most, struct err *e)
{
	ZSTD_inBuffer in = { *from, *n, 0 };
	ZSTD_outBuffer out = { room, most, 0 };
	size_t before, taken, made, rc = 1;

	do {
		if (!magic_is_known(d, &in))
			return refuse(d, "a frame is not of the format of "
			              "RFC 8878", e);
		before = in.pos + out.pos;
		taken = in.pos;
		made = out.pos;
		rc = step(d, &out, &in);
		if (ZSTD_isError(rc))
			return refuse(d, ZSTD_getErrorName(rc), e);
		if (!count_frame(d, *from + taken, in.pos - taken,
		                 out.pos - made, rc == 0))
			return refuse(d, "a frame has not as many bytes as its "
			              "header tells", e);
		d->whole = rc == 0 || (d->whole && in.pos + out.pos == before);
	} while (out.pos < most && in.pos + out.pos > before &&
	         (in.pos < in.size || !d->whole));
	*from += in.pos;
	*n -= in.pos;
	return (ssize_t)out.pos;
}

static const struct kind kinds[] = {
	{ "gzip", gzip_open, gzip_close, gzip_run },
	{ "x-gzip", gzip_open, gzip_close, gzip_run },
	{ "zstd", zstd_open, zstd_close, zstd_run },
};

bool decoder_is_identity(const char *coding)
{
	return !coding || !*coding || strcasecmp(coding, "identity") == 0;
}

struct decoder *decoder_new(const char *coding, struct err *e)
{
	const struct kind *k = kinds;
	struct decoder *d;

	while (k < kinds + COUNT(kinds) && strcasecmp(k->name, coding) != 0)
		k++;
	if (k == kinds + COUNT(kinds)) {
		err_set(e, ERR_MEDIA, "Content-Encoding is %.40s; there are "
		        "%s, one at a time", coding, decoder_codings);
		return NULL;
	}
	d = calloc(1, sizeof *d);
	if (d) {
		d->kind = k;
		if (k->open(d) == 0)
			return d;
	}
	decoder_free(d);
	err_set(e, ERR_MEMORY, "no memory to decode the body");
	return NULL;
}

void decoder_free(struct decoder *d)
{
	if (!d)
		return;
	d->kind->close(d);
	free(d);
}

ssize_t decoder_run(struct decoder *d, const char **from, size_t *n,
                    void *room, size_t most, struct err *e)
{
	return d->kind->run(d, from, n, room, most, e);
}

int decoder_end(const struct decoder *d, struct err *e)
{
	return d->whole ? 0 : refuse(d, "it is truncated", e);
}

size_t decoder_memory(const struct decoder *d)
{
	return d->zstd ? ZSTD_sizeof_DStream(d->zstd) : GZIP_BYTES;
}
