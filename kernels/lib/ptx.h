/* ptx.h - NVIDIA's instructions by name: the only place with assembly.
 *
 * An instruction of one architecture's own (PTX ISA, "sm_90a") is hidden in a
 * comment from the OpenCL compiler, which knows the plain target alone;
 * src/device/ptx.c uncovers it in the program that the compiler made.
 * Included by kernels only. */
#ifndef KERNELS_LIB_PTX_H
#define KERNELS_LIB_PTX_H

#define INLINE static inline __attribute__((always_inline))

#define PTX_SM_90A "//sm_90a "

/* A directive of the kernel that this stands in. */
#define PTX_ENTRY(directive) __asm__ volatile("//entry " directive)

/* Local memory as instructions address it. */
INLINE uint ptx_local(const local void *p)
{
	return (uint)(size_t)p;
}

/* All items of the work-group: as barrier(), which OpenCL wants to be met in
 * the same round of a loop by all. */
INLINE void ptx_barrier(void)
{
	__asm__ volatile("bar.sync 0;" ::: "memory");
}

/* Waits at barrier `id` until `items` items, in whole warps, have come to it;
 * those that only arrive do not wait. Barrier 0 is barrier()'s. */
INLINE void ptx_meet(int id, int items)
{
	__asm__ volatile("bar.sync %0, %1;" :: "r"(id), "r"(items) : "memory");
}

INLINE void ptx_arrive(int id, int items)
{
	__asm__ volatile("bar.arrive %0, %1;"
	                 :: "r"(id), "r"(items) : "memory");
}

/* Words that work-groups tell each other while they run; no order among
 * several. */
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

/* What was written before is seen by whoever sees what is written after, and
 * fences before it reads on. */
INLINE void ptx_fence(void)
{
	__asm__ volatile("fence.acq_rel.gpu;" ::: "memory");
}

/* x of that lane of the warp. */
INLINE uint ptx_word(uint x, int lane)
{
	uint y;

	__asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;"
	                 : "=r"(y) : "r"(x), "r"(lane));
	return y;
}

/* Does any lane of the warp have x? */
INLINE bool ptx_any(bool x)
{
	uint y;

	__asm__ volatile("{.reg .pred p, q; setp.ne.u32 p, %1, 0; "
	                 "vote.sync.any.pred q, p, 0xffffffff; "
	                 "selp.u32 %0, 1, 0, q;}" : "=r"(y) : "r"((uint)x));
	return y != 0;
}

/* The kernel ends in a fault. */
INLINE void ptx_trap(void)
{
	__asm__ volatile("trap;");
}

/* x, of which the compiler knows nothing: what depends on it is not computed
 * ahead of a loop, at the cost of registers. */
INLINE int ptx_opaque(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x;
}

/* Signals: 8 bytes of local memory each. Init: by one item, before a fence and
 * a barrier. A phase of it ends when `count` items have arrived and all bytes
 * that were expected have come; parities of phases are 0, 1, 0, ... */
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

/* Arrives, too. */
INLINE void ptx_signal_expect(uint at, uint bytes)
{
	__asm__ volatile("{.reg .b64 s; "
	             "mbarrier.arrive.expect_tx.shared::cta.b64 s, [%0], %1;}"
	             :: "r"(at), "r"(bytes) : "memory");
}

/* Until the phase of that parity has ended. */
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

/* Of 16 bytes the first n, then zeros. */
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

/* All groups of copies are there but the last n. */
#define ptx_copies_wait(n) \
	__asm__ volatile("cp.async.wait_group %0;" :: "n"(n) : "memory")

/* Registers of each item of the warpgroup, from those that all begin with. */
#define ptx_registers_fewer(n)                                               \
	__asm__ volatile(PTX_SM_90A "setmaxnreg.dec.sync.aligned.u32 %0;"    \
	                 :: "n"(n))
#define ptx_registers_more(n)                                                \
	__asm__ volatile(PTX_SM_90A "setmaxnreg.inc.sync.aligned.u32 %0;"    \
	                 :: "n"(n))

/* Arrives at the signal once this item's copies so far are there. */
INLINE void ptx_copies_arrive(uint signal)
{
	__asm__ volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];"
	                 :: "r"(signal) : "memory");
}

/* Copies to local memory in the background, multiples of 16 bytes, which the
 * signal counts. */
INLINE void ptx_copy_bulk(uint to, const global void *from, uint bytes,
                          uint signal)
{
	__asm__ volatile("cp.async.bulk.shared::cluster.global"
	             ".mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
	             :: "r"(to), "l"(from), "r"(bytes), "r"(signal)
	             : "memory");
}

/* What was written to global memory is seen by bulk copies that follow. */
INLINE void ptx_fence_bulk(void)
{
	__asm__ volatile("fence.proxy.async.global;" ::: "memory");
}

/* What was written to local memory and to operands is seen by what follows
 * of the warpgroup's products. */
INLINE void ptx_fence_local(void)
{
	__asm__ volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* The items of a warp wait for each other, and see what the others wrote; the
 * first one's x; x of the one whose number differs in the bits of `mask`. */
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

#if defined(DTYPE_float64)

/* D += A B, 16 x 8 x 8 in float64: of row g and column q of lane 4 g + q,
 * a[2 i + h] is A[g + 8 h, q + 4 i], b[i] B[q + 4 i, g], d[2 h + i]
 * D[g + 8 h, 2 q + i]. */
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

/* D += A B, 16 x 8 x 8 in TF32: of row g and column q of lane 4 g + q,
 * a[2 i + h] is A[g + 8 h, q + 4 i], b[i] B[q + 4 i, g], d[2 h + i]
 * D[g + 8 h, 2 q + i]. */
INLINE void ptx_mma_tf32(float d[4], const uint a[4], const uint b[2])
{
	__asm__("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
	        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
	        "{%0, %1, %2, %3};"
	        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
	        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
	          "r"(b[1]));
}

/* Where a matrix of 8-row, 16-byte blocks stands in local memory, for
 * ptx_wgmma: blocks next to each other along k are k_step bytes apart, along
 * the rows row_step. */
INLINE ulong ptx_blocks(uint at, uint k_step, uint row_step)
{
	return (ulong)(at >> 4) | (ulong)(k_step >> 4) << 16 |
	    (ulong)(row_step >> 4) << 32;
}

INLINE void ptx_wgmma_fence(void)
{
	__asm__ volatile(PTX_SM_90A "wgmma.fence.sync.aligned;" ::: "memory");
}

INLINE void ptx_wgmma_commit(void)
{
	__asm__ volatile(PTX_SM_90A "wgmma.commit_group.sync.aligned;"
	             ::: "memory");
}

/* All groups of products are done but the last n. */
#define ptx_wgmma_wait(n)                                                    \
	__asm__ volatile(PTX_SM_90A "wgmma.wait_group.sync.aligned %0;"      \
	             :: "n"(n) : "memory")

#define PTX_8(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]),              \
	"+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]),      \
	"+f"(d[i + 7])
#define PTX_64(d) PTX_8(d, 0), PTX_8(d, 8), PTX_8(d, 16), PTX_8(d, 24),      \
	PTX_8(d, 32), PTX_8(d, 40), PTX_8(d, 48), PTX_8(d, 56)

/* D = A B, or += if `add`, 64 x 128 x 8 in TF32 by four warps, in the
 * background until ptx_wgmma_wait: of row g and column q of lane 4 g + q of
 * warp w, a[2 i + h] is A[16 w + g + 8 h, q + 4 i], d[4 j + 2 h + i] is
 * D[16 w + g + 8 h, 8 j + 2 q + i]. */
INLINE void ptx_wgmma(float d[64], const uint a[4], ulong b, int add)
{
	__asm__ volatile(PTX_SM_90A "{.reg .pred p; setp.ne.b32 p, %69, 0; "
	             "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 "
	             "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, "
	             "%12, %13, %14, %15, %16, %17, %18, %19, %20, %21, "
	             "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
	             "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, "
	             "%42, %43, %44, %45, %46, %47, %48, %49, %50, %51, "
	             "%52, %53, %54, %55, %56, %57, %58, %59, %60, %61, "
	             "%62, %63}, {%64, %65, %66, %67}, %68, p, 1, 1;}"
	             : PTX_64(d)
	             : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b),
	               "r"(add));
}

#endif
#endif
