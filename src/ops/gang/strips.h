/* strips.h - how a matrix in the host's memory is cut into strips of columns,
 * of which a device holds one at a time. Strips are as wide as the memory
 * allows, because a left-looking factorization uploads every panel once for
 * each strip to its right. */
#ifndef OPS_GANG_STRIPS_H
#define OPS_GANG_STRIPS_H

#include <stdbool.h>
#include <stddef.h>

struct strips {
	size_t width;			/* columns of a panel */
	size_t most;			/* columns of a strip at most: a
					 * multiple of `width` */
};

/* Returns the plan for n columns, the first k of which have pivots: strips that
 * are all about as wide as each other, and of which fits() says that the device
 * holds one, if it holds any. */
struct strips strips_plan(size_t n, size_t k,
                          bool (*fits)(const void *arg,
                                       const struct strips *x),
                          const void *arg);

#endif
