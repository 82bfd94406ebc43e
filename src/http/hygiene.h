/* hygiene.h - is the head of a request unambiguous?
 *
 * libmicrohttpd 0.9.75 takes the first of two Content-Lengths, prefers
 * Transfer-Encoding to both, reads any coding as chunked, and skips a header
 * whose name ends with a space: each lets a client smuggle a request past a
 * proxy that reads it otherwise (RFC 9112, 6.1 and 11.2). So every header
 * passes here first, and what has one value stands on one line; a refused
 * request's connection is closed.
 */
#ifndef HTTP_HYGIENE_H
#define HTTP_HYGIENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define LENGTH_UNKNOWN UINT64_MAX

/* What the headers say of the message. { 0 } before the first header. */
struct hygiene {
	unsigned seen;		/* bit i: row i of the single ones */
	bool chunked, expects_continue;
	uint64_t length;
};

int hygiene_header(struct hygiene *h, const char *name, size_t name_length,
                   const char *value, size_t value_length, struct err *e);

/* After the last header. */
int hygiene_end(const struct hygiene *h, const char *version, struct err *e);

/* Raw request target: visible ASCII alone. */
int hygiene_target(const char *target, struct err *e);

/* Of the body: 0 without one, LENGTH_UNKNOWN in chunks. */
uint64_t hygiene_length(const struct hygiene *h);

#endif
