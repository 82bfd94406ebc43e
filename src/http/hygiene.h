/* hygiene.h - refuses ambiguous request heads.
 *
 * If two parsers read the same bytes as different requests, a client can
 * smuggle a request past a proxy (RFC 9112, 11.2). So a head is accepted in its
 * strict form only: lines that end with CRLF, single spaces in the request
 * line, names that are tokens, no continued lines (obs-fold), one line for each
 * header that has one value, and one length. gate.h calls these functions for
 * every line as it was sent, before libmicrohttpd reads it; the connection of a
 * refused request is closed.
 */
#ifndef HTTP_HYGIENE_H
#define HTTP_HYGIENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define LENGTH_UNKNOWN UINT64_MAX

/* The most headers, query arguments and cookies of a head: libmicrohttpd keeps
 * a record of 64 bytes of each in the connection's memory. */
enum { HYGIENE_ENTRIES = 256 };

/* What the head says about the message. { 0 } before the first line. */
struct hygiene {
	unsigned seen;		/* bit i: header i of those that must not be
				 * repeated was seen */
	unsigned entries;	/* counted against HYGIENE_ENTRIES */
	bool http_1_0;
	bool closes;		/* no other request follows on the connection */
	bool keeps;		/* HTTP/1.0 with keep-alive */
	bool chunked;
	bool coded;		/* has a coding other than chunked, too */
	bool expects_continue;
	uint64_t length;
};

/* Take a line without its CRLF: the first one, then each header. */
int hygiene_request_line(struct hygiene *h, const char *line, size_t n,
                         struct err *e);
int hygiene_field_line(struct hygiene *h, const char *line, size_t n,
                       struct err *e);
/* Checks a trailer line after a chunked body, which must be well-formed and is
 * ignored. */
int hygiene_trailer_line(const char *line, size_t n, struct err *e);

/* Takes a header that passed the gate before, as libmicrohttpd reports it. */
int hygiene_header(struct hygiene *h, const char *name, size_t name_length,
                   const char *value, size_t value_length, struct err *e);

/* To be called after the last header. */
int hygiene_end(struct hygiene *h, struct err *e);

/* The body's length: 0 without one, LENGTH_UNKNOWN if it is chunked. */
uint64_t hygiene_length(const struct hygiene *h);

#endif
