/* meet.h - work-groups of one launch that wait for each other. All of them must
 * be co-resident. Included by kernels only. */
#ifndef KERNELS_LIB_MEET_H
#define KERNELS_LIB_MEET_H

#include "lib/last.h"
#include "lib/wait.h"

/* arrive() adds 1 to *met, and whoever sees that by peek_acquire() also sees
 * the writes before it, those of the whole work-group if there was a barrier
 * between. */
#ifdef cl_nv_pragma_unroll
INLINE void arrive(volatile global int *met)
{
	__asm__ volatile("red.release.gpu.global.add.s32 [%0], 1;"
	                 :: "l"(met) : "memory");
}

INLINE int peek_acquire(volatile global int *met)
{
	int x;

	__asm__ volatile("ld.acquire.gpu.global.s32 %0, [%1];"
	                 : "=r"(x) : "l"(met) : "memory");
	return x;
}
#else
INLINE void arrive(volatile global int *met)
{
	fence_device();
	atomic_add(met, 1);
}

INLINE int peek_acquire(volatile global int *met)
{
	const int x = peek(met);

	fence_device();
	return x;
}
#endif

/* Waits until each work-group has called this function `turns` times since *met
 * was 0. Everything that they wrote before can then be read. last.h says what
 * the fences guarantee. */
INLINE void meet(volatile global int *met, int turns)
{
	const int wanted = turns * (int)get_num_groups(0);

	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	if (get_local_id(0) == 0) {
		arrive(met);
		for (int i = 0; peek_acquire(met) < wanted; i++)
			if (i == PATIENCE) {
				give_up();
				break;
			}
	}
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

/* Sets *met to 0 again when all work-groups have called this function after
 * their last meeting. *left must be 0 before, and is 0 afterwards. */
INLINE void meet_no_more(volatile global int *met, volatile global int *left)
{
	if (get_local_id(0) == 0 && is_last(left, 1, (int)get_num_groups(0)))
		*met = 0;
}

#endif
