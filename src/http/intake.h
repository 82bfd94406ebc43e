/* intake.h - decodes the body of a request that has a Content-Encoding, between
 * libmicrohttpd and the handler.
 *
 * A few received bytes may decode to very many. A turn of the loop therefore
 * stops decoding after INTAKE_SLICE bytes of output. The rest of the input then
 * waits in libmicrohttpd's buffer, and the connection is suspended until the
 * next turn. A turn uses no input at all if the decoder still has output for
 * earlier input.
 */
#ifndef HTTP_INTAKE_H
#define HTTP_INTAKE_H

#include <stddef.h>
#include <stdint.h>

#include "base/timers.h"
#include "format/decoder.h"
#include "matrix/memory.h"

enum { INTAKE_SLICE = 64 << 10, INTAKE_PIECE = 16 << 10 };

/* { 0 }: the body has no content coding. */
struct intake {
	struct decoder *decoder;
	struct memory_pool *pool;	/* charged for the decoder; or NULL */
	size_t charged;
	uint64_t received, decoded;	/* bytes */
	uint64_t most;			/* limit of decoded bytes */
	struct timer again;		/* server.c: resumes the connection in
					 * the next turn */
	char *piece;			/* INTAKE_PIECE bytes */
};

/* Begins to decode a body; coding is the value of Content-Encoding, or NULL if
 * there is none. ERR_MEDIA if the coding is unknown, or ERR_MEMORY. */
int intake_begin(struct intake *t, const char *coding,
                 struct memory_pool *pool, uint64_t most, struct err *e);
void intake_fini(struct intake *t);

/* Decodes some of the n bytes and passes the output to take(arg). Returns how
 * many of the n bytes it has used, or -1. ERR_TOO_LARGE if more than `most`
 * bytes are decoded, or so many for the received bytes that no honest body
 * has this ratio. */
ssize_t intake_feed(struct intake *t, const void *bytes, size_t n,
                    int (*take)(void *arg, const void *bytes, size_t n,
                                struct err *e), void *arg, struct err *e);

/* To be called after the last byte: ERR_REQUEST if the stream is truncated. */
int intake_end(const struct intake *t, struct err *e);

#endif
