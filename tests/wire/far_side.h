/* far_side.h - the worker's mappings, for tests that are both ends of a call:
 * the front's small pieces, and the results that the front copies. */
#ifndef TESTS_WIRE_FAR_SIDE_H
#define TESTS_WIRE_FAR_SIDE_H

#include "wire/call.h"

/* The worker's view of the slab. */
extern struct slab far_slab;
extern struct control far_control;

/* Maps the pool's slab anew, and keeps no mappings of large pieces. */
void far_side_open(struct memory_pool *p);
void far_side_close(void);

/* Waits until freed memory has been released: its pages, mappings and
 * descriptors. */
void far_side_settle(struct memory_pool *p);

/* Would a write to that address fault? */
bool far_is_read_only(void *at);

#endif
