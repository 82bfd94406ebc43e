/* divide.h - access to the arrays of a node of divide and conquer
 * (shared/divide_room.h), and reductions over a work-group. Included by kernels
 * only. */
#ifndef KERNELS_TRIDIAGONAL_DIVIDE_H
#define KERNELS_TRIDIAGONAL_DIVIDE_H

#include "lib/real.h"
#include "lib/wide.h"
#include "shared/divide_room.h"

/* The arrays of the node whose first row is `base`. The macros use the
 * variables room, lists, n, base and size of the function that they stand
 * in. */
#define ARRAY(name) (room + (size_t)DIVIDE_##name * n + base)
#define LIST(name) (lists + (size_t)DIVIDE_##name * n + base)
#define COUNT(name) \
	lists[(size_t)DIVIDE_COUNTS * n + base / size * COUNT_LENGTH + \
	      COUNT_##name]

/* Defines a function that combines the x of all work-items, whose number is a
 * power of two, and returns the result to each of them. Every work-item gets
 * the same bits. */
#define GROUP_FOLD(name, type, combine)                                      \
static inline type name(type x, local type *part)                           \
{                                                                            \
	const int id = get_local_id(0);                                      \
                                                                             \
	barrier(CLK_LOCAL_MEM_FENCE);                                        \
	part[id] = x;                                                        \
	for (int w = get_local_size(0) / 2; w > 0; w /= 2) {                 \
		barrier(CLK_LOCAL_MEM_FENCE);                                \
		if (id < w)                                                  \
			part[id] = combine(part[id], part[id + w]);          \
	}                                                                    \
	barrier(CLK_LOCAL_MEM_FENCE);                                        \
	return part[0];                                                      \
}

#define PLUS(a, b) ((a) + (b))
#define TIMES(a, b) ((a) * (b))

#endif
