/* across.h - exchanges between the lanes of a warp of an NVIDIA GPU. Unlike
 * ptx.h, which includes it, it is for programs of all devices. Included by
 * kernels only. */
#ifndef KERNELS_LIB_ACROSS_H
#define KERNELS_LIB_ACROSS_H

#define INLINE static inline __attribute__((always_inline))

/* Returns x of the lane whose number differs in the bits of the mask. */
INLINE ulong ptx_across(ulong x, uint mask)
{
	const uint2 w = as_uint2(x);
	uint2 y;

	__asm__ volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, 0xffffffff;"
	                 : "=r"(y.x) : "r"(w.x), "r"(mask));
	__asm__ volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, 0xffffffff;"
	                 : "=r"(y.y) : "r"(w.y), "r"(mask));
	return as_ulong(y);
}

#endif
