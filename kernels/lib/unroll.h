/* unroll.h - arrays in registers. UNROLL stands before a loop whose counter is
 * an index of such an array. NVIDIA's compiler keeps an array in registers only
 * if loops are unrolled, and unrolls only loops with constant bounds; PoCL's
 * would take minutes to compile the barriers of unrolled loops. Included by
 * kernels only. */
#ifndef KERNELS_LIB_UNROLL_H
#define KERNELS_LIB_UNROLL_H

/* A function that takes an array of its caller's registers: a call would put
 * the array into memory. */
#define INLINE static inline __attribute__((always_inline))

#ifdef cl_nv_pragma_unroll
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
#endif

#endif
