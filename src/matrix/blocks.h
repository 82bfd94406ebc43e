/* blocks.h - blocks of private memory for the intermediates of pipelines, in a
 * worker. A block that is given back is kept for reuse for a while, because
 * faulting in new pages takes longer than computing with small matrices. For
 * one thread. */
#ifndef MATRIX_BLOCKS_H
#define MATRIX_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns a block of at least `bytes` bytes, with undefined contents and
 * aligned to a page, and sets *room to its length; NULL with errno. */
void *blocks_take(size_t bytes, size_t *room);
void blocks_give(void *data, size_t room);

/* Unmaps the kept blocks that were given back before before_ns, a time of
 * clock_ns(). Returns whether other blocks are still kept. */
bool blocks_trim(int64_t before_ns);

#endif
