/* last.h - finds the work-group that is the last to finish its part of a
 * result, so that this group can combine all parts: a second launch costs
 * microseconds. Included by kernels only. */
#ifndef KERNELS_LIB_LAST_H
#define KERNELS_LIB_LAST_H

/* Orders memory accesses across the device: whoever sees a write after the
 * fence also sees the writes before it. */
static inline void fence_device(void)
{
#ifdef cl_nv_pragma_unroll
	__asm__ volatile("fence.acq_rel.gpu;" ::: "memory");
#else
	mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif
}

/* Are all `wanted` parts finished, of which the caller has just finished
 * `made`? *done is 0 at first, and again when all are.
 *
 * A caller that gets true then reads other work-groups' parts, for which OpenCL
 * 1.2 promises no order: its atomics are relaxed, and its fences order one
 * work-item's accesses only. On NVIDIA's devices the PTX memory model gives the
 * order needed, also for the other items of the group after a barrier.
 * Elsewhere this relies on PoCL's implementation: in 3.1 mem_fence() does
 * nothing, but atomic_add() is LLVM's atomicrmw acq_rel (lock xadd on x86). So
 * each count releases the parts stored before it; all counts form one chain of
 * read-modify-writes, so that the last one acquires what every other one
 * released; and neither compiler nor processor moves a store of a part behind
 * the count, or a load before it. */
static inline int is_last(volatile global int *done, int made, long wanted)
{
	int before;

	fence_device();
	before = atomic_add(done, made);
	fence_device();
	if (before + made != wanted)
		return 0;
	*done = 0;
	return 1;
}

#endif
