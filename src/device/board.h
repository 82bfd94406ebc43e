/* board.h - the board of a gang: memory that its devices share while each
 * computes its part of one call (struct gang in ops/op.h). Panels go through it
 * from the device that factored them to the others.
 *
 *     head    counters: panels posted; panels that each part has released;
 *             how often a part has come to a meeting
 *     own     some bytes for each part, which it alone writes
 *     slots   a ring: panel k lies in slot k % BOARD_SLOTS
 *
 * Panels are posted in their order, each by one part, and every part releases
 * every panel. A slot is written again only after all parts have released its
 * last panel. Counters begin at 0 and only grow; each is written after the data
 * that it announces, so a part that reads a count also sees these data.
 *
 * No part waits for ever: the front cancels all parts when one of them fails,
 * when its worker is lost, and when the job ends early, and a waiting part
 * looks whether it was cancelled. Another part may be faulty: a number that it
 * has written must be checked before it becomes an index.
 */
#ifndef DEVICE_BOARD_H
#define DEVICE_BOARD_H

#include <stdbool.h>
#include <stddef.h>

#include "device/seq.h"

enum { BOARD_SLOTS = 3 };

struct board_head;

struct board {
	struct seq *s;
	int part, parts;
	size_t own, slot;		/* bytes of each */
	struct board_head *head;
	size_t meetings;		/* so far */
};

/* Bytes of the memory; those of the counters at its start, which must be 0 when
 * the first part opens it. */
size_t board_bytes(int parts, size_t own, size_t slot);
size_t board_head_bytes(void);

/* Opens the memory m for one part. Fails the sequence if m is too small. Where
 * it can be, m is pinned. */
void board_open(struct board *x, struct seq *s, struct memory *m,
                int part, int parts, size_t own, size_t slot);

/* The own bytes of a part. The others may read them after a meeting. */
void *board_own(const struct board *x, int part);

/* Returns slot k for writing as soon as it is free; NULL if the sequence has
 * failed or was cancelled. board_post() shows panel k to the others. */
void *board_slot(struct board *x, size_t k);
void board_post(struct board *x, size_t k);

/* Returns panel k as soon as it was posted; NULL as above. Every part calls
 * board_release() when it needs panel k no more; the one that has posted it,
 * too. */
const void *board_take(struct board *x, size_t k);
void board_release(struct board *x, size_t k);

/* Waits until all parts have come here. False: the sequence has failed or was
 * cancelled. */
bool board_meet(struct board *x);

/* Copy bytes between a buffer and the shared memory, by the present lane, and
 * return when they have arrived. Unlike seq_read() and seq_write(), they do not
 * wait for the other lane. */
void board_read(struct board *x, struct buf b, size_t offset, void *host,
                size_t bytes);
void board_write(struct board *x, struct buf b, size_t offset,
                 const void *host, size_t bytes);

#endif
