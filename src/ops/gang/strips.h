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

/* Returns the plan for n columns, the first k of which have pivots. All strips
 * are about equally wide. fits(arg, x) tells whether the device's memory holds
 * a strip of x->most columns with panels of x->width; if it holds not even one
 * panel of the least width, the plan has that. */
struct strips strips_plan(size_t n, size_t k,
                          bool (*fits)(const void *arg,
                                       const struct strips *x),
                          const void *arg);

#endif
