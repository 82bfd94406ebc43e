/* repeat.h - Idempotency-Key: a request that comes again is not run again. */
#ifndef HTTP_REPEAT_H
#define HTTP_REPEAT_H

#include <nettle/sha2.h>

#include "http/server.h"
#include "queue/engine.h"

/* What identifies a request: path, query, media type and body. */
struct fingerprint {
	bool wanted;			/* the request has a key */
	struct sha256_ctx hash;
};

/* Takes the key, if there is one, from the headers to the job. */
int fingerprint_begin(struct fingerprint *f, const struct exchange *x,
                      struct job *j, struct err *e);
void fingerprint_add(struct fingerprint *f, const void *bytes, size_t n);
void fingerprint_end(struct fingerprint *f, struct job *j);

/* The earlier job that answers this request, which is asynchronous or waits: 1
 * with *old; 0: there is none, or its record cannot answer any more, so that
 * the request is to be run; -1: it may not be repeated (now). A job that runs
 * for a client that waits has its result kept from then on, if an asynchronous
 * repeat refers to it. */
int repeat_find(const struct engine *g, const struct job *j, bool asynchronous,
                struct job **old, struct err *e);

#endif
