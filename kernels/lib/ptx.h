/* ptx.h - named functions for NVIDIA's instructions.
 *
 * An instruction that only one architecture has (PTX ISA, "sm_90a") is hidden
 * in a comment from the OpenCL compiler, which knows only the plain target;
 * src/device/ptx.c turns it into an instruction in the compiled program.
 * Included by kernels only. */
#ifndef KERNELS_LIB_PTX_H
#define KERNELS_LIB_PTX_H

#include "lib/across.h"

#define INLINE static inline __attribute__((always_inline))

#define PTX_SM_90A "//sm_90a "

/* Adds a directive to the kernel that contains this macro. */
#define PTX_ENTRY(directive) __asm__ volatile("//entry " directive)

/* Returns the address of local memory as instructions take it. */
INLINE uint ptx_local(const local void *p)
{
	return (uint)(size_t)p;
}

/* A barrier for all items of the work-group, which, unlike barrier(), need not
 * reach it in the same iteration of a loop. */
INLINE void ptx_barrier(void)
{
	__asm__ volatile("bar.sync 0;" ::: "memory");
}

/* Waits at barrier `id` until `items` items, in whole warps, have arrived;
 * items that only arrive do not wait. barrier() is barrier 0. */
INLINE void ptx_meet(int id, int items)
{
	__asm__ volatile("bar.sync %0, %1;" :: "r"(id), "r"(items) : "memory");
}

INLINE void ptx_arrive(int id, int items)
{
	__asm__ volatile("bar.arrive %0, %1;"
	                 :: "r"(id), "r"(items) : "memory");
}

/* Words by which work-groups communicate while they run; accesses to several
 * words are not ordered. */
INLINE uint ptx_read32(const global uint *p)
{
	uint x;

	__asm__ volatile("ld.relaxed.gpu.global.u32 %0, [%1];"
	                 : "=r"(x) : "l"(p) : "memory");
	return x;
}

INLINE ulong ptx_read64(const global ulong *p)
{
	ulong x;

	__asm__ volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
	                 : "=l"(x) : "l"(p) : "memory");
	return x;
}

INLINE void ptx_write32(global uint *p, uint x)
{
	__asm__ volatile("st.relaxed.gpu.global.u32 [%0], %1;"
	                 :: "l"(p), "r"(x) : "memory");
}

INLINE void ptx_write64(global ulong *p, ulong x)
{
	__asm__ volatile("st.relaxed.gpu.global.u64 [%0], %1;"
	                 :: "l"(p), "l"(x) : "memory");
}

/* A device-wide fence: an item that sees a write after it, and fences before it
 * reads further, also sees the writes before it. */
INLINE void ptx_fence(void)
{
	__asm__ volatile("fence.acq_rel.gpu;" ::: "memory");
}

/* Returns x of lane `lane` of the warp. */
INLINE uint ptx_word(uint x, int lane)
{
	uint y;

	__asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;"
	                 : "=r"(y) : "r"(x), "r"(lane));
	return y;
}

/* Returns whether x is true in any lane of the warp. */
INLINE bool ptx_any(bool x)
{
	uint y;

	__asm__ volatile("{.reg .pred p, q; setp.ne.u32 p, %1, 0; "
	                 "vote.sync.any.pred q, p, 0xffffffff; "
	                 "selp.u32 %0, 1, 0, q;}" : "=r"(y) : "r"((uint)x));
	return y != 0;
}

/* Ends the kernel with a fault. */
INLINE void ptx_trap(void)
{
	__asm__ volatile("trap;");
}

/* x, hidden from the optimiser: values that depend on it are not computed ahead
 * of a loop, which would take registers. */
INLINE int ptx_opaque(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x;
}

/* Signals (mbarriers) of 8 bytes of local memory each. One item initialises a
 * signal, before a fence and a barrier. A phase of a signal ends when `count`
 * items have arrived and all bytes that were announced have been copied; the
 * parities of its phases are 0, 1, 0, ... */
INLINE void ptx_signal_init(uint at, uint count)
{
	__asm__ volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
	                 :: "r"(at), "r"(count) : "memory");
}

INLINE void ptx_signal_arrive(uint at)
{
	__asm__ volatile("{.reg .b64 s; "
	             "mbarrier.arrive.shared::cta.b64 s, [%0];}"
	             :: "r"(at) : "memory");
}

/* Announces that many bytes, and arrives at the signal. */
INLINE void ptx_signal_expect(uint at, uint bytes)
{
	__asm__ volatile("{.reg .b64 s; "
	             "mbarrier.arrive.expect_tx.shared::cta.b64 s, [%0], %1;}"
	             :: "r"(at), "r"(bytes) : "memory");
}

/* Waits until the phase of that parity has ended. */
INLINE void ptx_signal_wait(uint at, uint parity)
{
	__asm__ volatile("{.reg .pred p; W: "
	             "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; "
	             "@p bra D; bra W; D:}"
	             :: "r"(at), "r"(parity) : "memory");
}

/* Copies 8 bytes to local memory in the background, zeros unless `there`. */
INLINE void ptx_copy8(uint to, const global void *from, bool there)
{
	__asm__ volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;"
	             :: "r"(to), "l"(from), "r"(there ? 8 : 0) : "memory");
}

INLINE void ptx_copy16(uint to, const global void *from, bool there)
{
	__asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
	             :: "r"(to), "l"(from), "r"(there ? 16 : 0) : "memory");
}

/* Copies 16 bytes to local memory in the background, of which the last 16 - n
 * become zeros instead. */
INLINE void ptx_copy16_part(uint to, const global void *from, int n)
{
	__asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
	             :: "r"(to), "l"(from), "r"(n) : "memory");
}

INLINE void ptx_copy4(uint to, const global void *from, bool there)
{
	__asm__ volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
	             :: "r"(to), "l"(from), "r"(there ? 4 : 0) : "memory");
}

INLINE void ptx_copies_commit(void)
{
	__asm__ volatile("cp.async.commit_group;" ::: "memory");
}

/* Waits until all groups of copies but the last n have completed. */
#define ptx_copies_wait(n) \
	__asm__ volatile("cp.async.wait_group %0;" :: "n"(n) : "memory")

/* Sets the number of registers of each item of the warpgroup, below or above
 * the number with which the kernel starts. */
#define ptx_registers_fewer(n)                                               \
	__asm__ volatile(PTX_SM_90A "setmaxnreg.dec.sync.aligned.u32 %0;"    \
	                 :: "n"(n))
#define ptx_registers_more(n)                                                \
	__asm__ volatile(PTX_SM_90A "setmaxnreg.inc.sync.aligned.u32 %0;"    \
	                 :: "n"(n))

/* Arrives at the signal once this item's copies issued so far have
 * completed. */
INLINE void ptx_copies_arrive(uint signal)
{
	__asm__ volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];"
	                 :: "r"(signal) : "memory");
}

/* Copies a multiple of 16 bytes to local memory in the background; the bytes
 * count for the signal. */
INLINE void ptx_copy_bulk(uint to, const global void *from, uint bytes,
                          uint signal)
{
	__asm__ volatile("cp.async.bulk.shared::cluster.global"
	             ".mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
	             :: "r"(to), "l"(from), "r"(bytes), "r"(signal)
	             : "memory");
}

/* Makes earlier writes to global memory visible to later bulk copies. */
INLINE void ptx_fence_bulk(void)
{
	__asm__ volatile("fence.proxy.async.global;" ::: "memory");
}

/* Makes earlier writes to local memory and to operands visible to the
 * warpgroup's later products. */
INLINE void ptx_fence_local(void)
{
	__asm__ volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* ptx_warp_barrier() is a barrier of a warp, after which its items see each
 * other's writes. ptx_of_first() returns x of the first lane, and ptx_across()
 * returns x of the lane whose number differs in the bits of `mask`. */
INLINE void ptx_warp_barrier(void)
{
	__asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}

INLINE ulong ptx_of_first(ulong x)
{
	const uint2 w = as_uint2(x);
	uint2 y;

	__asm__ volatile("shfl.sync.idx.b32 %0, %1, 0, 31, 0xffffffff;"
	                 : "=r"(y.x) : "r"(w.x));
	__asm__ volatile("shfl.sync.idx.b32 %0, %1, 0, 31, 0xffffffff;"
	                 : "=r"(y.y) : "r"(w.y));
	return as_ulong(y);
}

#if defined(DTYPE_float64)

/* D += A B, 16 x 8 x 8 in float64. In lane 4 g + q, a[2 i + h] is A[g + 8 h, q
 * + 4 i], b[i] is B[q + 4 i, g], and d[2 h + i] is D[g + 8 h, 2 q + i]. */
INLINE void ptx_mma_f64(double d[4], const double a[4], const double b[2])
{
	__asm__ volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
	                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
	                 "{%0, %1, %2, %3};"
	                 : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
	                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]),
	                   "d"(b[0]), "d"(b[1]));
}

#else

/* D += A B, 16 x 8 x 8 in TF32. In lane 4 g + q, a[2 i + h] is A[g + 8 h, q + 4
 * i], b[i] is B[q + 4 i, g], and d[2 h + i] is D[g + 8 h, 2 q + i]. */
INLINE void ptx_mma_tf32(float d[4], const uint a[4], const uint b[2])
{
	__asm__("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
	        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
	        "{%0, %1, %2, %3};"
	        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
	        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
	          "r"(b[1]));
}

#endif
#endif
