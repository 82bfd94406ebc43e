/* traceparent.h - the trace that a request belongs to: W3C Trace Context,
 * Level 1 (https://www.w3.org/TR/trace-context-1/).
 *
 *     traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01
 *                  version, trace, span (parent-id), flags
 *
 * A request without a valid header begins a new trace. The reply names the
 * trace, and the span that stands for this request in it. linalgd records no
 * spans, but its access log has the identifiers of trace and span, by which a
 * request's line and job can be found.
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
	unsigned lines;			/* of the header so far; more than one
					 * are invalid */
	bool sampled;			/* the caller may record the trace */
	char id[TRACEPARENT_ID + 1];	/* "": none was given */
	char span[TRACEPARENT_SPAN + 1];	/* ours; "" until it begins */
};

/* Takes a line of the header; `value` has n characters and a NUL after them. An
 * invalid line is ignored, and so are all lines if there are several. */
void traceparent_take(struct traceparent *t, const char *value, size_t n);

/* Begins the request's span, in a new trace if the client named none. Writes
 * the value of the reply's header to text, and returns text. */
const char *traceparent_begin(struct traceparent *t,
                              char text[TRACEPARENT_TEXT]);

#endif
