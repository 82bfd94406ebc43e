/* trace.h - the trace that a request belongs to: W3C Trace Context, Level 1
 * (https://www.w3.org/TR/trace-context-1/).
 *
 *     traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01
 *                  version, trace, span (parent-id), flags
 *
 * A request without a valid one begins a trace of its own. The reply names the
 * trace and the span that this request is in it. linalgd records no spans: the
 * access log tells both, so that a request's line and job are found by them.
 */
#ifndef HTTP_TRACE_H
#define HTTP_TRACE_H

#include <stdbool.h>
#include <stddef.h>

enum {
	TRACE_ID = 32, TRACE_SPAN = 16,		/* hexadecimal digits */
	TRACE_TEXT = 3 + TRACE_ID + 1 + TRACE_SPAN + 3 + 1,
};

/* { 0 } before the headers. */
struct trace {
	unsigned lines;			/* of the header; several are invalid */
	bool sampled;			/* the caller may record the trace */
	char id[TRACE_ID + 1];		/* "": none was given */
	char span[TRACE_SPAN + 1];	/* ours; "" until trace_begin() */
};

/* Takes a line of the header, of n characters. An invalid one is ignored. */
void trace_take(struct trace *t, const char *value, size_t n);

/* Begins our span, in a new trace if none was given, and writes what the reply
 * tells; returns text. */
const char *trace_begin(struct trace *t, char text[TRACE_TEXT]);

#endif
