/* wgmma.h - matrix products of a warpgroup on the tensor cores of Hopper, from
 * local memory and in the background. Included by kernels only. */
#ifndef KERNELS_LIB_WGMMA_H
#define KERNELS_LIB_WGMMA_H

#include "lib/ptx.h"

/* The descriptor of a matrix in local memory for ptx_wgmma. The matrix consists
 * of blocks of 8 rows by 16 bytes; neighbouring blocks are k_step bytes apart
 * along k, and row_step bytes along the rows. */
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

/* Waits until all groups of products but the last n have completed. */
#define ptx_wgmma_wait(n)                                                    \
	__asm__ volatile(PTX_SM_90A "wgmma.wait_group.sync.aligned %0;"      \
	             :: "n"(n) : "memory")

#define PTX_8(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]),              \
	"+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]),      \
	"+f"(d[i + 7])
#define PTX_64(d) PTX_8(d, 0), PTX_8(d, 8), PTX_8(d, 16), PTX_8(d, 24),      \
	PTX_8(d, 32), PTX_8(d, 40), PTX_8(d, 48), PTX_8(d, 56)

/* What the first 64 registers are called in the instruction, and the others up
 * to 96 or 128. */
#define PTX_NAMES_64                                                         \
	"%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, "  \
	"%15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, "  \
	"%28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, "  \
	"%41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, "  \
	"%54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define PTX_NAMES_96                                                         \
	PTX_NAMES_64 ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, "  \
	"%74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, "  \
	"%87, %88, %89, %90, %91, %92, %93, %94, %95"
#define PTX_NAMES_128                                                        \
	PTX_NAMES_96 ", %96, %97, %98, %99, %100, %101, %102, %103, %104, "  \
	"%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, " \
	"%116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, " \
	"%127"

#define PTX_96(d) PTX_64(d), PTX_8(d, 64), PTX_8(d, 72), PTX_8(d, 80),       \
	PTX_8(d, 88)

/* D = A B, or D += A B if `add`, 64 x 192 x 16 in float16 with sums in
 * float32, in the background until ptx_wgmma_wait. A and B are matrices in
 * local memory; the arguments are their descriptors, made by ptx_blocks. In
 * lane 4 g + q of warp w, d[4 j + 2 h + i] is D[16 w + g + 8 h, 8 j + 2 q +
 * i]. */
INLINE void ptx_wgmma_half(float d[96], ulong a, ulong b, int add)
{
	__asm__ volatile(PTX_SM_90A "{.reg .pred p; setp.ne.b32 p, %98, 0; "
	             "wgmma.mma_async.sync.aligned.m64n192k16.f32.f16.f16 "
	             "{" PTX_NAMES_96 "}, %96, %97, p, 1, 1, 0, 0;}"
	             : PTX_96(d) : "l"(a), "l"(b), "r"(add));
}

/* D = A B, or D += A B if `add`, 64 x 128 x 8 in TF32 by four warps, in the
 * background until ptx_wgmma_wait. In lane 4 g + q of warp w, a[2 i + h] is
 * A[16 w + g + 8 h, q + 4 i], and d[4 j + 2 h + i] is D[16 w + g + 8 h, 8 j + 2
 * q + i]. */
INLINE void ptx_wgmma(float d[64], const uint a[4], ulong b, int add)
{
	__asm__ volatile(PTX_SM_90A "{.reg .pred p; setp.ne.b32 p, %69, 0; "
	             "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 "
	             "{" PTX_NAMES_64 "}, {%64, %65, %66, %67}, %68, p, 1, 1;}"
	             : PTX_64(d)
	             : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b),
	               "r"(add));
}

#define PTX_8I(d, i) "+r"(d[i]), "+r"(d[i + 1]), "+r"(d[i + 2]),             \
	"+r"(d[i + 3]), "+r"(d[i + 4]), "+r"(d[i + 5]), "+r"(d[i + 6]),      \
	"+r"(d[i + 7])
#define PTX_64I(d, i) PTX_8I(d, i), PTX_8I(d, i + 8), PTX_8I(d, i + 16),     \
	PTX_8I(d, i + 24), PTX_8I(d, i + 32), PTX_8I(d, i + 40),             \
	PTX_8I(d, i + 48), PTX_8I(d, i + 56)

/* Defines a function like ptx_wgmma_half(), 64 x 256 x 32 with sums in int32:
 * ptx_wgmma_int8 multiplies signed bytes, ptx_wgmma_uint8 unsigned ones. */
#define PTX_WGMMA_INTEGERS(name, type)                                       \
INLINE void name(uint d[128], ulong a, ulong b, int add)                     \
{                                                                            \
	__asm__ volatile(PTX_SM_90A "{.reg .pred p; "                        \
	    "setp.ne.b32 p, %130, 0; "                                       \
	    "wgmma.mma_async.sync.aligned.m64n256k32.s32." type "." type " " \
	    "{" PTX_NAMES_128 "}, %128, %129, p;}"                           \
	    : PTX_64I(d, 0), PTX_64I(d, 64) : "l"(a), "l"(b), "r"(add));     \
}

PTX_WGMMA_INTEGERS(ptx_wgmma_int8, "s8")
PTX_WGMMA_INTEGERS(ptx_wgmma_uint8, "u8")

#endif
