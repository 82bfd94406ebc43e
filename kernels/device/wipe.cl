/* wipe.cl - clears the local memory of all compute units, so that a kernel of
 * one tenant cannot read what a kernel of another tenant left there: see
 * src/device/wipe.c.
 *
 * Each work-group clears its local memory and then waits, for at most `polls`
 * polls, until all work-groups have done so. Thus all of them run at the same
 * time, on different parts of the device. places[g] tells where work-group g
 * ran: the number of the multiprocessor on NVIDIA's GPUs, elsewhere the address
 * of its local memory, because PoCL gives each of its threads a block of its
 * own.
 *
 * Launch: as many work-groups, of any size, as the device runs at once. *met is
 * 0 before the launch. */
#include "lib/wait.h"

#ifdef cl_nv_pragma_unroll
INLINE ulong place(const local volatile int4 *m)
{
	uint unit;

	__asm__ volatile("mov.u32 %0, %%smid;" : "=r"(unit));
	return unit;
}
#else
INLINE ulong place(const local volatile int4 *m)
{
	return (ulong)(size_t)m;
}
#endif

kernel void wipe_local(local volatile int4 *m, int n, global ulong *places,
                       volatile global int *met, int polls)
{
	for (int i = get_local_id(0); i < n; i += get_local_size(0))
		m[i] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) == 0) {
		places[get_group_id(0)] = place(m);
		atomic_add(met, 1);
		for (int i = 0; i < polls; i++)
			if (peek(met) >= (int)get_num_groups(0))
				break;
	}
}
