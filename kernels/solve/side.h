/* side.h - the right-hand sides of one matrix, which its systems share:
 * column q is side q % sides of system members[q / sides], whose right-hand
 * sides are matrix from[system] of b. */
#ifndef KERNELS_SOLVE_SIDE_H
#define KERNELS_SOLVE_SIDE_H

#include "lib/real.h"

struct sides {
	global const real *b;
	global const int *members, *from;
	int n, sides, columns;
};

/* The index in b's stack of the matrix that column q belongs to. */
static int sides_matrix(const struct sides *s, int q)
{
	return s->from[s->members[q / s->sides]];
}

/* The first row of column q; the next ones are `sides` elements apart. */
static global const real *sides_column(const struct sides *s, int q)
{
	return s->b + sides_matrix(s, q) * (size_t)s->n * s->sides +
	       q % s->sides;
}

/* The same for the answer, where no systems share a matrix. */
static global real *sides_answer(const struct sides *s, int q,
                                 global real *x)
{
	return x + s->members[q / s->sides] * (size_t)s->n * s->sides +
	       q % s->sides;
}

#endif
