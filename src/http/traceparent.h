/* traceparent.h - the trace that a request belongs to: W3C Trace Context,
 * Level 1 (https://www.w3.org/TR/trace-context-1/).
 *
 *     traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01
 *                  version, trace, span (parent-id), flags
 *
 * A request without a valid one begins a trace of its own. The reply names the
 * trace and the span that this request is in it. linalgd records no spans: the
 * access log tells both, so that a request's line and job are found by them.
 */
#ifndef HTTP_TRACEPARENT_H
#define HTTP_TRACEPARENT_H

#include <stdbool.h>
#include <stddef.h>

enum {
	TRACEPARENT_ID = 32, TRACEPARENT_SPAN = 16,	/* hexadecimal digits */
	TRACEPARENT_TEXT = 3 + TRACEPARENT_ID + 1 + TRACEPARENT_SPAN + 3 + 1,
};

/* { 0 } before the headers. */
struct traceparent {
	unsigned lines;			/* of the header; several are invalid */
	bool sampled;			/* the caller may record the trace */
	char id[TRACEPARENT_ID + 1];	/* "": none was given */
	char span[TRACEPARENT_SPAN + 1];	/* ours; "" until it begins */
};

/* Takes a line of the header, of n characters. An invalid one is ignored. */
void traceparent_take(struct traceparent *t, const char *value, size_t n);

/* Begins our span, in a new trace if none was given, and writes what the reply
 * tells; returns text. */
const char *traceparent_begin(struct traceparent *t,
                              char text[TRACEPARENT_TEXT]);

#endif
