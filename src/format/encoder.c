/* encoder.c - see encoder.h. */
#include <stdlib.h>

#include <zlib.h>
#include <zstd.h>

#include "format/encoder.h"

enum {
	GZIP_WINDOW = 16 + 15,		/* zlib's windowBits: 32 KiB, gzip */
	GZIP_MEMORY = 8,		/* zlib's memLevel: 256 KiB in all */
	ZSTD_LEVEL = 1,
	ZSTD_WINDOW = 18,		/* log2 of the window, 256 KiB */
	STEP = 32 << 10,		/* bytes that the output grows by */
};

/* A content coding. */
struct kind {
	int (*open)(struct encoder *c);
	void (*close)(struct encoder *c);
	int (*add)(struct encoder *c, const void *bytes, size_t n, bool last,
	           struct text *out);
};

struct encoder {
	const struct kind *kind;
	z_stream gzip;
	ZSTD_CStream *zstd;
};

static int gzip_open(struct encoder *c)
{
	return deflateInit2(&c->gzip, Z_BEST_SPEED, Z_DEFLATED, GZIP_WINDOW,
	                    GZIP_MEMORY, Z_DEFAULT_STRATEGY) == Z_OK ? 0 : -1;
}

static void gzip_close(struct encoder *c)
{
	deflateEnd(&c->gzip);
}

static int gzip_add(struct encoder *c, const void *bytes, size_t n, bool last,
                    struct text *out)
{
	z_stream *z = &c->gzip;
	int rc;

	z->next_in = (Bytef *)bytes;
	z->avail_in = (uInt)n;
	do {
		char *room = text_reserve(out, STEP);

		if (!room)
			return -1;
		z->next_out = (Bytef *)room;
		z->avail_out = STEP;
		rc = deflate(z, last ? Z_FINISH : Z_NO_FLUSH);
		text_grew(out, STEP - z->avail_out);
	} while (rc == Z_OK && z->avail_out == 0);
	return rc == Z_STREAM_ERROR ? -1 : 0;
}

static int zstd_open(struct encoder *c)
{
	c->zstd = ZSTD_createCStream();
	return c->zstd &&
	       !ZSTD_isError(ZSTD_CCtx_setParameter(c->zstd,
	           ZSTD_c_compressionLevel, ZSTD_LEVEL)) &&
	       !ZSTD_isError(ZSTD_CCtx_setParameter(c->zstd,
	           ZSTD_c_windowLog, ZSTD_WINDOW)) ? 0 : -1;
}

static void zstd_close(struct encoder *c)
{
	ZSTD_freeCStream(c->zstd);
}

static int zstd_add(struct encoder *c, const void *bytes, size_t n, bool last,
                    struct text *out)
{
	ZSTD_inBuffer in = { bytes, n, 0 };
	size_t left;

	do {
		char *room = text_reserve(out, STEP);
		ZSTD_outBuffer to = { room, STEP, 0 };

		if (!room)
			return -1;
		left = ZSTD_compressStream2(c->zstd, &to, &in,
		                            last ? ZSTD_e_end :
		                            ZSTD_e_continue);
		if (ZSTD_isError(left))
			return -1;
		text_grew(out, to.pos);
	} while (in.pos < in.size || (last && left > 0));
	return 0;
}

static const struct kind kinds[] = {
	{ zstd_open, zstd_close, zstd_add },
	{ gzip_open, gzip_close, gzip_add },
};

const char *const encoder_codings[] = { "zstd", "gzip", NULL };

struct encoder *encoder_new(int coding)
{
	struct encoder *c = calloc(1, sizeof *c);

	if (!c)
		return NULL;
	c->kind = &kinds[coding];
	if (c->kind->open(c) == 0)
		return c;
	encoder_free(c);
	return NULL;
}

void encoder_free(struct encoder *c)
{
	if (!c)
		return;
	c->kind->close(c);
	free(c);
}

int encoder_add(struct encoder *c, const void *bytes, size_t n, bool last,
                struct text *out)
{
	return c->kind->add(c, bytes, n, last, out);
}
