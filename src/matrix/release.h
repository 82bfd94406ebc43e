/* release.h - gives memory back to the system on a thread of its own.
 *
 *     memory_unref() ──▶ waiting pieces ──▶ punch holes ──▶ unmap, close
 *        any thread       (recallable)       in steps
 *
 * Freeing the pages of a gigabyte takes from 0.1 to 0.7 s. munmap() would
 * hold the lock of the whole address space for a part of that time, and a
 * thread that faults a page in would wait for it. So the pages are freed first,
 * by punching holes into the memfd in short steps, which need no such lock;
 * unmapping the empty file then takes no time. The thread is started with the
 * first piece; if that fails, the caller's thread does the work.
 */
#ifndef MATRIX_RELEASE_H
#define MATRIX_RELEASE_H

#include "matrix/spare.h"

struct release;

/* freed(arg, charged) will be called on the release thread after each piece
 * that was charged for that many bytes was freed. NULL: no memory. */
struct release *release_new(void (*freed)(void *arg, size_t charged),
                            void *arg);

/* Ends the thread; pieces that still wait are unmapped by the caller. */
void release_free(struct release *r);

/* Takes over all pieces of the list, which have no references. */
void release_pieces(struct release *r, struct spares *list);

/* Takes back a piece of exactly that size that still waits to be freed; NULL if
 * there is none. */
struct memory *release_recall(struct release *r, size_t bytes);

/* Frees the pages of a memfd in [from, to), then calls done(arg, from, bytes)
 * on the release thread. own: closes fd afterwards. */
void release_range(struct release *r, int fd, bool own, size_t from,
                   size_t to,
                   void (*done)(void *arg, size_t from, size_t bytes),
                   void *arg);

#endif
