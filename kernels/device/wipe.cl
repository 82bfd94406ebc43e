/* wipe.cl - clears local memory everywhere, so that no tenant's kernel finds
 * what another tenant's has left there: see src/device/wipe.c.
 *
 * The work-groups are as many as the device can run at once. Each clears its
 * local memory, then polls whether all of them have arrived, at most `polls`
 * times; so each one meets another part of the device. It answers where it ran:
 * for NVIDIA's GPUs the number of the multiprocessor, elsewhere the address of
 * its local memory, of which PoCL gives every thread one.
 *
 * Launch: any number of work-groups of any size; *met is 0 before. */
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
