/* repeat.h - Idempotency-Key: a repeated request is not computed again. */
#ifndef HTTP_REPEAT_H
#define HTTP_REPEAT_H

#include <nettle/sha2.h>

#include "http/handler.h"
#include "queue/engine.h"

/* What identifies a request: path, query, media type and body. */
struct fingerprint {
	bool wanted;			/* the request has a key */
	struct sha256_ctx hash;
};

/* Copies the key, if there is one, from the headers to the job. */
int fingerprint_begin(struct fingerprint *f, const struct exchange *x,
                      struct job *j, struct err *e);
void fingerprint_add(struct fingerprint *f, const void *bytes, size_t n);
void fingerprint_end(struct fingerprint *f, struct job *j);

/* Looks for an earlier job that can serve the request of job j. 1: *old is that
 * job. 0: there is none (any more), so the request must be computed. -1: the
 * request may not be repeated (now). If the repeat is asynchronous and the
 * earlier job is not, that job's result is kept from then on. */
int repeat_find(const struct engine *g, const struct job *j, bool asynchronous,
                struct job **old, struct err *e);

#endif
