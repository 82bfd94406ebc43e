/* far_side.h - the socket and the worker's mappings, for tests that are both
 * ends of a call: the front's small pieces, and the results that the front
 * copies. */
#ifndef TESTS_WIRE_FAR_SIDE_H
#define TESTS_WIRE_FAR_SIDE_H

#include "wire/call.h"

/* The worker's view of the slab. */
extern struct slab far_slab;
extern struct small far_small;
extern struct control far_control;

/* The socket's ends: the front's and the worker's. */
extern int far_pair[2];

/* Opens the socket and maps the test pool's slab anew; no mappings of large
 * pieces are kept. */
void far_side_open(void);
void far_side_close(void);

/* An n x n matrix of float64 whose elements are 0, 1, 2, ... */
struct matrix far_square(size_t n);

/* Waits until freed memory has been released: its pages, mappings and
 * descriptors. */
void far_side_settle(struct memory_pool *p);

/* Would a write to that address fault? */
bool far_is_read_only(void *at);

#endif
