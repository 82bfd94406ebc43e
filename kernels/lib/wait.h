/* wait.h - polls a counter in global memory until other work-groups of the same
 * launch have incremented it. Included by kernels only. */
#ifndef KERNELS_LIB_WAIT_H
#define KERNELS_LIB_WAIT_H

#include "lib/unroll.h"

/* The number of polls in vain after which a work-group must call give_up(). */
#define PATIENCE (1 << 24)

/* peek() returns the present value of *p, as written by any work-group.
 * give_up() ends the kernel with a fault on NVIDIA's devices, where a kernel
 * that waits in vain would hang; elsewhere it does nothing. */
#ifdef cl_nv_pragma_unroll
INLINE int peek(volatile global int *p)
{
	int x;

	__asm__ volatile("ld.relaxed.gpu.global.s32 %0, [%1];"
	                 : "=r"(x) : "l"(p) : "memory");
	return x;
}

INLINE void give_up(void)
{
	__asm__ volatile("trap;");
}
#else
INLINE int peek(volatile global int *p)
{
	return atomic_add(p, 0);
}

INLINE void give_up(void)
{
}
#endif

#endif
