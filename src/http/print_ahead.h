/* print_ahead.h - prints a large dense matrix as JSON: pool threads print a few
 * pieces ahead, which are sent in order. Called on the loop's thread only. */
#ifndef HTTP_PRINT_AHEAD_H
#define HTTP_PRINT_AHEAD_H

#include <sys/types.h>

#include "base/pool.h"
#include "matrix/matrix.h"

/* The number of elements from which on it pays to wake other threads. */
enum { PRINT_AHEAD_LEAST = 32 << 10 };

struct print_ahead;

/* Keeps a reference to m's memory. ready(arg) is called when there is text
 * again after print_ahead_more() had none. NULL without memory. */
struct print_ahead *print_ahead_new(const struct matrix *m, struct pool *p,
                                    void (*ready)(void *arg), void *arg);

/* The more() of a stream (exchange_reply_stream()): returns the bytes
 * written, 0 at the end, -1 without memory, or STREAM_LATER. */
ssize_t print_ahead_more(struct print_ahead *a, char *room, size_t most);

/* Has NaN or infinity been written? */
bool print_ahead_nonfinite(const struct print_ahead *a);

/* Frees a; ready() is not called any more. */
void print_ahead_free(struct print_ahead *a);

#endif
