/* complex_system.h - a complex system of the operation solve, its refinement
 * and its verdict. */
#ifndef OPS_SOLVE_COMPLEX_SYSTEM_H
#define OPS_SOLVE_COMPLEX_SYSTEM_H

#include "ops/lapack/complex.h"
#include "ops/solve/structure.h"

/* What all systems of a call have in common. */
struct complex_plan {
	size_t n, sides;
	enum solve_kind kind;
	bool turned;			/* solve A^T X = B */
};

static inline bool complex_is_triangle(const struct complex_plan *h)
{
	return h->kind == KIND_UPPER || h->kind == KIND_LOWER;
}

static inline char complex_triangle(const struct complex_plan *h)
{
	return h->kind == KIND_UPPER ? 'U' : 'L';
}

/* One system. */
struct complex_system {
	cplx *a;			/* n x n */
	cplx *lu;			/* A's factors; unused for a triangular
					 * A */
	cplx *b, *x;			/* n x sides */
	int *pivots;
	double up;			/* A and B have been multiplied by it */
};

/* Room for LAPACK and for the verdict: 2 n elements, 3 n + 2 sides numbers, and
 * complex_refine_room() bytes. */
struct complex_spare {
	cplx *elements;
	double *numbers;
	void *refined;
};

/* Refines X, and sets the verdict if one is wanted. Triangular systems, and
 * those of which only the factors are given, are not refined. Overwrites A and
 * B. */
void complex_improve(const struct lapack_call *c, size_t index,
                     const struct complex_system *y,
                     const struct complex_spare *room);

#endif
