/* wide.h - `wide`: the type that sums of reals are kept in, float64 where the
 * device has it. Included by kernels only. */
#ifndef KERNELS_LIB_WIDE_H
#define KERNELS_LIB_WIDE_H

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double wide;
typedef double2 wide2;
typedef double4 wide4;
#define WIDE_EPSILON DBL_EPSILON
#else
typedef float wide;
typedef float2 wide2;
typedef float4 wide4;
#define WIDE_EPSILON FLT_EPSILON
#endif

#endif
