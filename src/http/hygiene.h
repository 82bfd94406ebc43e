/* hygiene.h - is a request's head unambiguous?
 *
 * What two readers of the same bytes take for different requests lets a
 * client smuggle one past a proxy (RFC 9112, 11.2). So a head is taken in its
 * strict form only: lines that end with CRLF, single spaces in the request
 * line, names that are tokens, no continued lines (obs-fold), one line for
 * each header that has one value, and one length. gate.h calls this for every
 * line as it was sent, before libmicrohttpd reads it; the connection of a
 * refused request is closed.
 */
#ifndef HTTP_HYGIENE_H
#define HTTP_HYGIENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define LENGTH_UNKNOWN UINT64_MAX

/* Headers, arguments of the target and cookies that a head may have: of each
 * libmicrohttpd keeps a record of 64 bytes in the connection's memory. */
enum { HYGIENE_ENTRIES = 256 };

/* What the head says of the message. { 0 } before the first line. */
struct hygiene {
	unsigned seen;		/* bit i: row i of the single ones */
	unsigned entries;
	bool http_1_0;
	bool closes;		/* no other request follows on the connection */
	bool keeps;		/* HTTP/1.0 that asks for another */
	bool chunked, coded, expects_continue;	/* coded: otherwise, too */
	uint64_t length;
};

/* Lines without their CRLF: the first one, then each header. */
int hygiene_request_line(struct hygiene *h, const char *line, size_t n,
                         struct err *e);
int hygiene_field_line(struct hygiene *h, const char *line, size_t n,
                       struct err *e);
/* One after the body in chunks: well-formed, and of no other meaning. */
int hygiene_trailer_line(const char *line, size_t n, struct err *e);

/* What a header means that passed before, as libmicrohttpd tells it. */
int hygiene_header(struct hygiene *h, const char *name, size_t name_length,
                   const char *value, size_t value_length, struct err *e);

/* After the last header. */
int hygiene_end(struct hygiene *h, struct err *e);

/* Of the body: 0 without one, LENGTH_UNKNOWN in chunks. */
uint64_t hygiene_length(const struct hygiene *h);

#endif
