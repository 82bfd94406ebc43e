/* integer.h - what matmul's kernels for integers share. Sums have 64 bits.
 * `beyond` becomes the index in C of the first element that the type cannot
 * represent. Included by kernels only. */
#ifndef KERNELS_MATMUL_INTEGER_H
#define KERNELS_MATMUL_INTEGER_H

#include "lib/real.h"
#include "shared/matmul_integer.h"

static inline int2 place_of(global const int2 *place, size_t s, int stack)
{
	return stack > 1 ? place[s] : (int2)(0, 0);
}

static inline void tell_beyond(volatile global int *beyond, size_t at)
{
	atomic_min(beyond, (int)min(at, (size_t)INTEGER_NONE - 1));
}

static inline void store(global real *c, size_t at, long sum,
                         volatile global int *beyond)
{
	c[at] = (real)sum;
	if ((long)(real)sum != sum)
		tell_beyond(beyond, at);
}

#endif
