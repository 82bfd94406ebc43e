/* unroll.h - arrays in registers. UNROLL stands before a loop whose counter is
 * an index of such an array. NVIDIA's compiler keeps an array in registers only
 * if loops are unrolled, and unrolls only loops with constant bounds; PoCL's
 * compiler would take minutes for the barriers of unrolled loops. UNROLL_BY_4
 * stands before a loop of which only four steps at a time are unrolled.
 *
 * WHEN(c) stands in place of `if (c)` before a block with barriers, for which c
 * is the same in all work-items of the work-group. PoCL's compiler makes a copy
 * of all that follows such an `if` for each of its two ways, but none of what
 * follows a loop.
 *
 * Included by kernels only. */
#ifndef KERNELS_LIB_UNROLL_H
#define KERNELS_LIB_UNROLL_H

/* Declares a function that gets an array in its caller's registers. The
 * function is always inlined, because a call would put the array into
 * memory. */
#define INLINE static inline __attribute__((always_inline))

#ifdef cl_nv_pragma_unroll
#define UNROLL _Pragma("unroll")
#define UNROLL_BY_4 _Pragma("unroll 4")
#define WHEN(c) if (c)
#else
#define UNROLL
#define UNROLL_BY_4
#define WHEN(c) for (bool holds = (c); holds; holds = false)
#endif

#endif
