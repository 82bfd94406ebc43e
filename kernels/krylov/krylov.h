/* krylov.h - what the kernels of the Krylov methods share.
 *
 * A work-group takes a block of `block` elements of vectors of length n, with
 * one work-item or with KRYLOV_ITEMS. Its part of a sum goes to part[], which
 * has a row of `groups` numbers for every sum of a kernel; a later launch,
 * krylov_fold or gmres_fold, adds these. Sums are float64. `state` is indexed
 * by enum krylov_slot (shared/krylov_state.h). Included by kernels only.
 */
#ifndef KERNELS_KRYLOV_KRYLOV_H
#define KERNELS_KRYLOV_KRYLOV_H

#define FP64
#include "lib/real.h"
#include "lib/wide.h"
#include "shared/krylov_state.h"

#define STATE global const wide *restrict state

/* The elements that a work-item computes: i from BEGIN on, every get_local_size
 * th, below END. */
#define BEGIN ((int)get_group_id(0) * block + (int)get_local_id(0))
#define END min(n, ((int)get_group_id(0) + 1) * block)
#define EACH(i) for (int i = BEGIN; i < END; i += (int)get_local_size(0))

/* Compilers that know this may sum in another order, by vectors; NVIDIA's does
 * not. */
#if !defined(cl_nv_pragma_unroll) && defined(__clang_major__) && \
    __clang_major__ >= 12
#define ANY_ORDER _Pragma("clang fp reassociate(on)")
#else
#define ANY_ORDER
#endif

/* Returns the sum of x over the work-group to every item; all must call it.
 * The number of items is a power of two. */
static inline wide sum_of_group(wide x, local wide *room)
{
	const int i = get_local_id(0);

	room[i] = x;
	for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (i < step)
			room[i] += room[i + step];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	x = room[0];
	barrier(CLK_LOCAL_MEM_FENCE);
	return x;
}

/* Writes the group's part of sum number k. */
static inline void put_part(wide x, local wide *room, global wide *part, int k)
{
	x = sum_of_group(x, room);
	if (get_local_id(0) == 0)
		part[(size_t)k * get_num_groups(0) + get_group_id(0)] = x;
}

/* The sum of row k of part[], which has rows of n numbers. */
static inline wide sum_of_parts(global const wide *part, int n, int k,
                                local wide *room)
{
	wide x = 0;

	for (int i = get_local_id(0); i < n; i += (int)get_local_size(0))
		x += part[(size_t)k * n + i];
	return sum_of_group(x, room);
}

#endif
