/* atomic.h - lets many items add to one real, or raise it to their maximum, by
 * compare and swap on its bits, because OpenCL 1.2 has atomics of integers
 * only. float64 needs cl_khr_int64_base_atomics. A maximum with NaN is NaN.
 * Included by kernels only. */
#ifndef KERNELS_LIB_ATOMIC_H
#define KERNELS_LIB_ATOMIC_H

#include "lib/real.h"

#if defined(DTYPE_float64)
#if defined(cl_khr_int64_base_atomics)
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
typedef long real_bits;
#define REAL_OF_BITS(b) as_double(b)
#define BITS_OF_REAL(x) as_long(x)
#define SWAP_BITS(p, old, fresh) atom_cmpxchg(p, old, fresh)
#else
typedef int real_bits;
#if defined(DTYPE_int32)
#define REAL_OF_BITS(b) (b)
#else
#define REAL_OF_BITS(b) as_float(b)
#endif
#define BITS_OF_REAL(x) as_int(x)
#define SWAP_BITS(p, old, fresh) atomic_cmpxchg(p, old, fresh)
#endif

/* Defines atomic_add_SPACE() and atomic_raise_SPACE() for local and for global
 * memory. The word is read by a compare and swap of equal values, since plain
 * reads would race with the other items' swaps. */
#define REAL_ATOMICS(space)                                                 \
static inline void atomic_add_##space(volatile space real *p, real x)       \
{                                                                           \
	volatile space real_bits *bits = (volatile space real_bits *)p;     \
	real_bits old, seen = BITS_OF_REAL((real)0);                        \
	do {                                                                \
		old = seen;                                                 \
		seen = SWAP_BITS(bits, old,                                 \
		    BITS_OF_REAL(REAL_OF_BITS(old) + x));                   \
	} while (seen != old);                                              \
}                                                                           \
                                                                            \
static inline void atomic_raise_##space(volatile space real *p, real x)     \
{                                                                           \
	volatile space real_bits *bits = (volatile space real_bits *)p;     \
	const real_bits mine = BITS_OF_REAL(x);                             \
	real_bits old, seen = SWAP_BITS(bits, mine, mine);                  \
	do {                                                                \
		old = seen;                                                 \
		if (!(x > REAL_OF_BITS(old) || x != x))                     \
			break;                                              \
		seen = SWAP_BITS(bits, old, mine);                          \
	} while (seen != old);                                              \
}

REAL_ATOMICS(global)
REAL_ATOMICS(local)

#endif
