/* real.h - the element type a kernel is compiled for: -D DTYPE_float32, -D
 * DTYPE_float64, -D DTYPE_int32 or -D DTYPE_int64; INTEGERS is defined for the
 * latter two. With -D DTYPE_complex64 or -D DTYPE_complex128, for kernels that
 * only move elements, it is an integer, or a pair, of that size. `real` is the
 * element, `realv` the widest vector of it (64 bytes), `intv` the integers of
 * the same shape. Included by kernels only. */
#ifndef KERNELS_LIB_REAL_H
#define KERNELS_LIB_REAL_H

#if defined(DTYPE_float64) || defined(FP64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#if defined(DTYPE_int32) || defined(DTYPE_int64)
#define INTEGERS
#endif

#if defined(DTYPE_float64)
typedef double real;
typedef double8 realv;
typedef long8 intv;
#define VW 8
#define VLOAD(p) vload8(0, (p))
#define VSTORE(v, p) vstore8((v), 0, (p))
#define REAL_EPSILON DBL_EPSILON
#elif defined(DTYPE_complex128)
typedef long2 real;
typedef long8 realv;
typedef long8 intv;
#define VW 4
#define VLOAD(p) vload8(0, (global const long *)(p))
#define VSTORE(v, p) vstore8((v), 0, (global long *)(p))
#elif defined(DTYPE_int64) || defined(DTYPE_complex64)
typedef long real;
typedef long8 realv;
typedef long8 intv;
#define VW 8
#define VLOAD(p) vload8(0, (p))
#define VSTORE(v, p) vstore8((v), 0, (p))
#elif defined(DTYPE_int32)
typedef int real;
typedef int16 realv;
typedef int16 intv;
#define VW 16
#define VLOAD(p) vload16(0, (p))
#define VSTORE(v, p) vstore16((v), 0, (p))
#else
typedef float real;
typedef float16 realv;
typedef int16 intv;
#define VW 16
#define VLOAD(p) vload16(0, (p))
#define VSTORE(v, p) vstore16((v), 0, (p))
#define REAL_EPSILON FLT_EPSILON
#endif

/* A bundle: 16 bytes, the most that an item of a GPU reads at once, aligned. */
#if defined(DTYPE_float64)
typedef double2 bundle;
#define BUNDLE 2
#define BUNDLE_SUM(v) ((v).x + (v).y)
#elif !defined(INTEGERS) && !defined(DTYPE_complex64) && \
	!defined(DTYPE_complex128)
typedef float4 bundle;
#define BUNDLE 4
#define BUNDLE_SUM(v) (((v).x + (v).y) + ((v).z + (v).w))
#endif

/* Reads past the nearest cache, for memory that a kernel only reads, and only
 * once: the cache is left to what is read again. */
#if !defined(BUNDLE)
#elif defined(cl_nv_pragma_unroll) && defined(DTYPE_float64)
static inline bundle read_once(global const bundle *p)
{
	bundle v;

	__asm__ volatile("ld.global.nc.L1::no_allocate.v2.f64 {%0, %1}, [%2];"
	                 : "=d"(v.x), "=d"(v.y) : "l"(p));
	return v;
}
#elif defined(cl_nv_pragma_unroll)
static inline bundle read_once(global const bundle *p)
{
	bundle v;

	__asm__ volatile("ld.global.nc.L1::no_allocate.v4.f32 "
	                 "{%0, %1, %2, %3}, [%4];"
	                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
	                 : "l"(p));
	return v;
}
#else
#define read_once(p) (*(p))
#endif

/* VSTORE to global or local memory at any element's address, in one piece,
 * which PoCL's vstore16 is not. */
typedef realv realv_any __attribute__((aligned(sizeof(real))));
#define PUT_IN(space, v, p) (*(space realv_any *)(p) = (v))
#define PUT(v, p) PUT_IN(global, v, p)

/* For work-groups of a single item: how PoCL runs a CPU kernel best. */
#define SINGLE_ITEM __attribute__((reqd_work_group_size(1, 1, 1)))

/* Prefetches the memory at p; only under PoCL, as other compilers may lack the
 * instruction. */
#ifdef POCL_DEVICE_ADDRESS_BITS
#define FETCH_AHEAD(p) __builtin_prefetch((const void *)(size_t)(p))
#else
#define FETCH_AHEAD(p) ((void)(p))
#endif

#endif
