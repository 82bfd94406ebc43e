/* fill.h - fills a part of a buffer with repetitions of a pattern. */
#ifndef DEVICE_FILL_H
#define DEVICE_FILL_H

#include "device/cl.h"

/* The most bytes of a fill. */
enum { FILL_MOST = 1 << 30 };

/* Enqueues the fill of that many bytes, at most FILL_MOST, from `offset` on;
 * both are multiples of the pattern's `unit` bytes, 1 to 16. Returns OpenCL's
 * error code. event may be NULL. */
cl_int device_fill(cl_command_queue q, cl_mem mem, const void *pattern,
                   size_t unit, size_t offset, size_t bytes, cl_event *event);

#endif
