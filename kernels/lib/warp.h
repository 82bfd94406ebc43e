/* warp.h - named functions for what a warp of an NVIDIA GPU does together, and
 * for reads of memory that other work-groups write (PTX ISA). Included by
 * kernels only. */
#ifndef KERNELS_LIB_WARP_H
#define KERNELS_LIB_WARP_H

#include "lu/pivot.h"

/* A barrier for all items of the work-group that may stand in an unrolled loop,
 * unlike barrier(). */
INLINE void group_sync(void)
{
	__asm__ volatile("bar.sync 0;" ::: "memory");
}

INLINE void warp_sync(void)
{
	__asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}

INLINE uint warp_max(uint x)
{
	uint y;

	__asm__ volatile("redux.sync.max.u32 %0, %1, 0xffffffff;"
	                 : "=r"(y) : "r"(x));
	return y;
}

INLINE uint warp_min(uint x)
{
	uint y;

	__asm__ volatile("redux.sync.min.u32 %0, %1, 0xffffffff;"
	                 : "=r"(y) : "r"(x));
	return y;
}

/* Returns a word with a bit for each lane, set where x is true. */
INLINE uint warp_vote(bool x)
{
	uint y;

	__asm__ volatile("{.reg .pred p; setp.ne.u32 p, %1, 0; "
	                 "vote.sync.ballot.b32 %0, p, 0xffffffff;}"
	                 : "=r"(y) : "r"((uint)x));
	return y;
}

/* Returns x of lane `lane`. */
INLINE uint warp_word(uint x, uint lane)
{
	uint y;

	__asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;"
	                 : "=r"(y) : "r"(x), "r"(lane));
	return y;
}

INLINE real warp_real(real x, uint lane)
{
#ifdef DTYPE_float64
	const uint2 w = as_uint2(x);

	return as_double((uint2)(warp_word(w.x, lane),
	                         warp_word(w.y, lane)));
#else
	return as_float(warp_word(as_uint(x), lane));
#endif
}

/* Returns an approximation of 1 / x with the leading bits correct; in float64
 * the lower word adds a few more bits. */
INLINE real inverse_guess(real x)
{
	real y;

#ifdef DTYPE_float64
	__asm__ volatile("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
	return as_double((uint2)(as_uint2(x).y + 0x300402, as_uint2(y).y));
#else
	__asm__ volatile("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
	return y;
#endif
}

/* Reads from beyond the multiprocessor's own cache; each half of 8 bytes is
 * read as a whole. */
INLINE ulong2 line_read(global const ulong2 *p)
{
	ulong2 v;

	__asm__ volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
	                 : "=l"(v.x), "=l"(v.y) : "l"(p) : "memory");
	return v;
}

INLINE void line_write(global ulong2 *p, ulong2 v)
{
	__asm__ volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};"
	                 :: "l"(p), "l"(v.x), "l"(v.y) : "memory");
}

/* Such reads and writes of the bits of one element, and of a word. */
INLINE order bits_read(global const order *p)
{
	order v;

#ifdef DTYPE_float64
	__asm__ volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
	                 : "=l"(v) : "l"(p) : "memory");
#else
	__asm__ volatile("ld.relaxed.gpu.global.u32 %0, [%1];"
	                 : "=r"(v) : "l"(p) : "memory");
#endif
	return v;
}

INLINE void bits_write(global order *p, order v)
{
#ifdef DTYPE_float64
	__asm__ volatile("st.relaxed.gpu.global.u64 [%0], %1;"
	                 :: "l"(p), "l"(v) : "memory");
#else
	__asm__ volatile("st.relaxed.gpu.global.u32 [%0], %1;"
	                 :: "l"(p), "r"(v) : "memory");
#endif
}

INLINE uint word_read(global const uint *p)
{
	uint v;

	__asm__ volatile("ld.relaxed.gpu.global.u32 %0, [%1];"
	                 : "=r"(v) : "l"(p) : "memory");
	return v;
}

INLINE void word_write(global uint *p, uint v)
{
	__asm__ volatile("st.relaxed.gpu.global.u32 [%0], %1;"
	                 :: "l"(p), "r"(v) : "memory");
}

/* x, hidden from the optimiser: addresses that depend on it are not computed
 * ahead of a loop, which would take registers. */
INLINE long opaque(long x)
{
	__asm__ volatile("" : "+l"(x));
	return x;
}

/* x, computed here rather than later. */
INLINE real opaque_real(real x)
{
#ifdef DTYPE_float64
	__asm__ volatile("" : "+d"(x));
#else
	__asm__ volatile("" : "+f"(x));
#endif
	return x;
}

#endif
