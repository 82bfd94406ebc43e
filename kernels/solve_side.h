/* solve_side.h - which right-hand side is which column of the strips: column
 * q is side q % sides of system members[q / sides], whose right-hand sides
 * are matrix from[system] of b. */
#ifndef KERNELS_SOLVE_SIDE_H
#define KERNELS_SOLVE_SIDE_H

#include "real.h"

/* The first row of column q of the right-hand sides. */
static global const real *side_of(global const real *b, int n, int sides,
                                  global const int *members,
                                  global const int *from, int q)
{
	return b + from[members[q / sides]] * (size_t)n * sides + q % sides;
}

#endif
