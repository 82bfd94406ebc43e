/* print_ahead.h - a large dense matrix as JSON: pool threads print a few pieces
 * of it ahead, which leave in their order. The loop's thread alone calls. */
#ifndef HTTP_PRINT_AHEAD_H
#define HTTP_PRINT_AHEAD_H

#include <sys/types.h>

#include "base/pool.h"
#include "matrix/matrix.h"

/* Elements from which on it is worth waking other threads. */
enum { PRINT_AHEAD_LEAST = 32 << 10 };

struct print_ahead;

/* Keeps a reference to m's memory. ready(arg) is called when there is text
 * again after print_ahead_more() had none. NULL without memory. */
struct print_ahead *print_ahead_new(const struct matrix *m, struct pool *p,
                                    void (*ready)(void *arg), void *arg);

/* As a stream's more(): bytes written, 0 at the end, -1 without memory, or
 * STREAM_LATER. */
ssize_t print_ahead_more(struct print_ahead *a, char *room, size_t most);

/* Was NaN or infinity in what left? */
bool print_ahead_nonfinite(const struct print_ahead *a);

/* ready() is not called any more. */
void print_ahead_free(struct print_ahead *a);

#endif
