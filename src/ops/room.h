/* room.h - makes the scratch buffers of a call or, before the call runs, counts
 * their memory (need.h). An operation has one function that takes all its
 * buffers from room_make(), and calls it for both purposes, so that the counted
 * buffers are those that are made. */
#ifndef OPS_ROOM_H
#define OPS_ROOM_H

#include "device/seq.h"
#include "ops/need.h"

/* If `need` is NULL, returns a scratch buffer of s. Otherwise adds the buffer's
 * memory to *need, and returns no buffer; s is not used. */
static inline struct buf room_make(struct seq *s, struct need *need,
                                   size_t bytes)
{
	if (!need)
		return seq_scratch(s, bytes);
	need_buffer(need, bytes);
	return (struct buf){ 0 };
}

#endif
