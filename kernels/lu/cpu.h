/* cpu.h - what the CPU kernels of lu share: the layout of T, sizes, and vectors
 * at the right edge of a matrix.
 *
 * T, in which the matrix is factored, is [block of VW columns][ld rows][VW]: a
 * row of a block is one vector. Zeros pad the columns, and the rows below by MR
 * and up to a multiple of VW, so that no loop has a remainder. */
#ifndef KERNELS_LU_CPU_H
#define KERNELS_LU_CPU_H

#include "lib/real.h"

#define MR 12			/* rows, and two blocks of columns, of a */
				/* micro-tile: 24 accumulators */

/* For functions with a constant argument: each call is compiled for its
 * value. */
#define FOLDED static __attribute__((always_inline))

/* The first n elements at p; zeros for the rest of the vector. */
static realv load_part(global const real *p, int n)
{
	real part[VW];

	if (n >= VW)
		return VLOAD(p);
	for (int i = 0; i < VW; i++)
		part[i] = i < n ? p[i] : 0;
	return VLOAD(part);
}

static void store_part(realv v, global real *p, int n)
{
	real part[VW];

	if (n >= VW) {
		PUT(v, p);
		return;
	}
	VSTORE(v, part);
	for (int i = 0; i < n; i++)
		p[i] = part[i];
}

/* The rows of a micro-tile, MR of them. */
#define ROWS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)

#endif
