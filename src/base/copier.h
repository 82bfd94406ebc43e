/* copier.h - runs the pieces of a task, such as a large copy of memory, on
 * several threads, because one thread reaches only a fraction of the bandwidth
 * of the memory or of a bus. Pieces are numbered from 0 and are begun in that
 * order. One thread, the caller, uses a copier.
 */
#ifndef BASE_COPIER_H
#define BASE_COPIER_H

#include <stddef.h>

#include "base/err.h"

enum { COPIER_AHEAD = 256 };

struct copier;

/* Makes a copier of `threads` threads, 1 or more, the caller's included.
 * Returns NULL with ERR_MEMORY. */
struct copier *copier_new(int threads, struct err *e);
void copier_free(struct copier *c);		/* NULL is fine */

/* Begins a new task, of which no piece is allowed yet; all allowed pieces of
 * the last one must be done. piece(arg, i) does piece i, on any thread. */
void copier_begin(struct copier *c, void (*piece)(void *arg, size_t i),
                  void *arg);

/* Allows the first n pieces to be done. n never shrinks within a task, and
 * exceeds what copier_wait() last returned by at most COPIER_AHEAD. */
void copier_allow(struct copier *c, size_t n);

/* Waits until the first n pieces, all of them allowed, are done; the caller's
 * thread does pieces meanwhile. Returns how many pieces, counted from piece 0
 * without a gap, are done: n or more. */
size_t copier_wait(struct copier *c, size_t n);

#endif
