/* copier.h - work in pieces, large copies of memory above all, on several
 * threads: one alone reaches a fraction of what the memory, or a bus, can
 * carry. Pieces are numbered from 0 and begun in that order.
 */
#ifndef BASE_COPIER_H
#define BASE_COPIER_H

#include <stddef.h>

#include "base/err.h"

enum { COPIER_AHEAD = 256 };

struct copier;

/* threads: the caller's among them; 1 or more. NULL: ERR_MEMORY. */
struct copier *copier_new(int threads, struct err *e);
void copier_free(struct copier *c);		/* NULL is fine */

/* Other work than before, of which all is done: piece(arg, i), on any thread,
 * does piece i. */
void copier_begin(struct copier *c, void (*piece)(void *arg, size_t i),
                  void *arg);

/* The first n pieces may be done; n only grows, and is at most COPIER_AHEAD
 * more than are known to be done. */
void copier_allow(struct copier *c, size_t n);

/* Waits until the first n pieces, which are allowed, are done, and does some
 * itself. How many of the first are done now: n, or more. */
size_t copier_wait(struct copier *c, size_t n);

#endif
