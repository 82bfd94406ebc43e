/* spread.h - what the substitutions of spread.cl and spread_back.cl share:
 * work-groups that each have ROWS rows of some right-hand sides, and wait for
 * rows that others solve.
 *
 * Solved elements are exchanged through `told`, which is filled with EMPTY at
 * first, so that an element is its own flag. Work-groups take their rows in the
 * order in which they begin, which a ticket counts from -1, so that the groups
 * that one waits for have begun before it.
 *
 * On PoCL, for tests, the items of a warp communicate through local memory:
 * there all items of the work-group make the calls that a warp makes. */
#ifndef KERNELS_SOLVE_NVIDIA_SPREAD_H
#define KERNELS_SOLVE_NVIDIA_SPREAD_H

#include "lu/pivot.h"
#include "shared/lu_tile.h"

#define ROWS LU_SPREAD_ROWS
#define ITEMS LU_SPREAD_ITEMS
#define WARPS (ITEMS / 32)
#define SHARE (ROWS / WARPS)	/* rows of a warp */
#define PATIENCE (1 << 24)	/* reads of an element: some seconds */

#ifdef DTYPE_float64
typedef ulong word;
#define AS_WORD(x) as_ulong(x)
#define AS_REAL(w) as_double(w)
#else
typedef uint word;
#define AS_WORD(x) as_uint(x)
#define AS_REAL(w) as_float(w)
#endif
#define EMPTY (~(word)0)

#ifndef POCL_DEVICE_ADDRESS_BITS

#include "lib/ptx.h"

#define LANES_ROOM		/* of struct shared */
#define STEPS _Pragma("unroll 16")

INLINE word word_read(const global real *p)
{
#ifdef DTYPE_float64
	return ptx_read64((const global ulong *)p);
#else
	return ptx_read32((const global uint *)p);
#endif
}

INLINE void word_write(global real *p, word w)
{
#ifdef DTYPE_float64
	ptx_write64((global ulong *)p, w);
#else
	ptx_write32((global uint *)p, w);
#endif
}

/* x of lane `lane` of the warp; s: the work-group's struct shared. */
#define REAL_FROM(s, x, lane) real_from(x, lane)

INLINE real real_from(real x, int lane)
{
#ifdef DTYPE_float64
	const uint2 w = as_uint2(x);

	return as_double((uint2)(ptx_word(w.x, lane), ptx_word(w.y, lane)));
#else
	return as_float(ptx_word(as_uint(x), lane));
#endif
}

/* Ends the kernel with a fault, because an awaited element never came. */
INLINE void give_up(void)
{
	ptx_trap();
}

#else

#define LANES_ROOM real lanes[ITEMS];
#define STEPS _Pragma("unroll 1")

INLINE word word_read(const global real *p)
{
	return *(volatile const global word *)p;
}

INLINE void word_write(global real *p, word w)
{
	*(volatile global word *)p = w;
}

#define REAL_FROM(s, x, lane) real_from(x, lane, (s)->lanes)

INLINE real real_from(real x, int lane, local real *lanes)
{
	const int id = get_local_id(0);
	real y;

	lanes[id] = x;
	barrier(CLK_LOCAL_MEM_FENCE);
	y = lanes[id / 32 * 32 + lane];
	barrier(CLK_LOCAL_MEM_FENCE);
	return y;
}

INLINE void give_up(void)
{
}

#endif

/* The rows of a work-group: block i of a matrix's blocks. */
struct rows {
	global const real *lu;
	int n, i, blocks, before;	/* blocks solved before */
	bool backward;			/* begins with the last block */
};

INLINE int block_at(const struct rows *s, int k)
{
	return s->backward ? s->blocks - 1 - k : k;
}

/* Waits for the element and returns it; w: its value when last read. */
INLINE real hear(const global real *told, word w)
{
	for (int i = 0; w == EMPTY; i++) {
		if (i == PATIENCE)
			give_up();
		w = word_read(told);
	}
	return AS_REAL(w);
}

/* Stores the element; a NaN with the bits of EMPTY is replaced by another
 * NaN. */
INLINE void tell(global real *told, real x)
{
	const word w = AS_WORD(x);

	word_write(told, w == EMPTY ? w << 1 : w);
}

#endif
