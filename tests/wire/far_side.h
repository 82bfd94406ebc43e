/* far_side.h - what a worker has mapped, for tests that are both ends of a
 * call: the front's small pieces, and the results that the front copies. */
#ifndef TESTS_WIRE_FAR_SIDE_H
#define TESTS_WIRE_FAR_SIDE_H

#include "wire/call.h"

/* The worker's. */
extern struct slab far_slab;
extern struct control far_control;

/* Maps the pool's slab afresh, with no mappings of large pieces kept. */
void far_side_open(struct memory_pool *p);
void far_side_close(void);

/* Has what was freed be freed: its pages, mappings and descriptors. */
void far_side_settle(struct memory_pool *p);

/* Would a write to that address fault? */
bool far_is_read_only(void *at);

#endif
