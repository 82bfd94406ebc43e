/* last.h - which work-group is the last to have made its part of something, so
 * that it goes on with all parts: a second launch costs microseconds.
 * Included by kernels only. */
#ifndef KERNELS_LIB_LAST_H
#define KERNELS_LIB_LAST_H

/* What the item wrote before is seen by whoever sees what it writes behind. */
static inline void fence_device(void)
{
#ifdef cl_nv_pragma_unroll
	__asm__ volatile("fence.acq_rel.gpu;" ::: "memory");
#else
	mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif
}

/* Have all `wanted` parts been made, `made` of them by the caller just now?
 * *done is 0 at first.
 *
 * Who hears yes reads other work-groups' parts, for which OpenCL 1.2 promises
 * no order: its atomics are relaxed, its fences are a work-item's own. On
 * NVIDIA's devices the PTX memory model has what is needed, also for the other
 * items of the group behind a barrier. Elsewhere what is relied on is what PoCL
 * makes of it: in 3.1 mem_fence() is nothing, but atomic_add() is LLVM's
 * atomicrmw acq_rel (lock xadd on x86). So each count releases the parts stored
 * before it; all counts are one chain of read-modify-writes, so that the last
 * one acquires what every other one released; and neither compiler nor
 * processor moves a part's store behind the count or its load before. */
static inline int is_last(volatile global int *done, int made, long wanted)
{
	int before;

	fence_device();
	before = atomic_add(done, made);
	fence_device();
	return before + made == wanted;
}

#endif
