/* release.h - gives memory back to the system on a thread of its own.
 *
 *     memory_unref() ──▶ waiting pieces ──▶ punch holes ──▶ unmap, close
 *        any thread       (recallable)       in steps
 *
 * Freeing the pages of a gigabyte takes from 0.1 to 0.7 s. munmap() would
 * hold the lock of the whole address space for a part of that time, and a
 * thread that faults a page in would wait for it. So the pages go first, by
 * holes punched into the memfd in short steps, which need no such lock; then
 * unmapping what is empty takes no time. The thread is started with the first
 * piece; where it cannot be, the caller's thread does the work.
 */
#ifndef MATRIX_RELEASE_H
#define MATRIX_RELEASE_H

#include "matrix/memory.h"

struct release;

/* freed(arg, bytes) is called on the thread when a piece of so many bytes is
 * gone. NULL: no memory. */
struct release *release_new(void (*freed)(void *arg, size_t bytes),
                            void *arg);

/* Waits for the thread; what still waits is unmapped without further ado. */
void release_free(struct release *r);

/* Takes over pieces linked by their next, which nobody refers to. */
void release_pieces(struct release *r, struct memory *list);

/* Takes back one of that size which still waits, with one reference; NULL:
 * there is none. */
struct memory *release_recall(struct release *r, size_t bytes);

/* Gives back the pages of a memfd from there to there, then calls
 * done(arg, from, bytes) on the thread. own: closes the descriptor, too. */
void release_range(struct release *r, int fd, bool own, size_t from,
                   size_t to,
                   void (*done)(void *arg, size_t from, size_t bytes),
                   void *arg);

#endif
