/* unroll.h - UNROLL before a loop whose counter is an index of an array in
 * registers. NVIDIA's compiler keeps an array in registers only if loops are
 * unrolled; PoCL's would take minutes to compile the barriers of unrolled
 * loops. Included by kernels only. */
#ifndef KERNELS_LIB_UNROLL_H
#define KERNELS_LIB_UNROLL_H

#ifdef cl_nv_pragma_unroll
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
#endif

#endif
