/* meet.h - work-groups that wait for one another, on an NVIDIA GPU that holds
 * all of them at once. met: two counters, 0 before and after the launch.
 * Included by kernels only. */
#ifndef KERNELS_KRYLOV_NVIDIA_MEET_H
#define KERNELS_KRYLOV_NVIDIA_MEET_H

#include "lib/last.h"
#include "lib/wait.h"

/* Waits until all work-groups have met `turns` times in this launch, and then
 * sees what they wrote before. */
INLINE void meet(volatile global int *met, int turns)
{
	const int wanted = turns * (int)get_num_groups(0);

	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	if (get_local_id(0) == 0) {
		fence_device();
		atomic_add(met, 1);
		for (int tries = 0; peek(met) < wanted; tries++)
			if (tries == PATIENCE)
				give_up();
		fence_device();
	}
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

/* Each work-group calls this after it has met the others for the last time. */
INLINE void part_for_good(volatile global int *met)
{
	if (get_local_id(0) == 0 &&
	    is_last(met + 1, 1, (int)get_num_groups(0)))
		*met = 0;
}

#endif
