/* trace_text.h - prints a job's trace for Chrome's and Perfetto's trace
 * viewers, piece by piece as it is sent.
 *
 * The document is the JSON object of Chrome's "Trace Event Format": complete
 * events (ph X) with their begin and duration in microseconds from the
 * request's first byte, and rows (ph M) that name the lanes. Process 0 is the
 * job, with its queue and its stages; process 1 + i is device i, with its
 * kernels, its transfers and the work that the host did for it.
 */
#ifndef HTTP_TRACE_TEXT_H
#define HTTP_TRACE_TEXT_H

#include <sys/types.h>

#include "queue/engine.h"

struct trace_text;

/* Makes the trace of a job that has ended, with references to the job and its
 * events. trace_text_free() frees it. Returns NULL if there is no memory. */
struct trace_text *trace_text_new(const struct engine *g, struct job *j);

/* exchange_reply_stream()'s callbacks; arg is the struct trace_text. */
ssize_t trace_text_more(void *arg, char *room, size_t most);
void trace_text_free(void *arg);

#endif
