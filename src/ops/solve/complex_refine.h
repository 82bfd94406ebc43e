/* complex_refine.h - iterative refinement of complex systems from P A = L U, as
 * LAPACK's ZGERFS does it, but of many right-hand sides at a time. */
#ifndef OPS_SOLVE_COMPLEX_REFINE_H
#define OPS_SOLVE_COMPLEX_REFINE_H

#include "ops/lapack/complex.h"

/* Matrices are column-major. */
struct complex_refinement {
	const struct lapack *l;
	size_t n, sides;
	bool turned;			/* op(A) is A^T, else A */
	const cplx *a, *lu;		/* n x n */
	const int *pivots;		/* row i is swapped with row pivots[i]
					 * - 1 */
	const cplx *b;			/* n x sides */
	cplx *x;			/* n x sides, refined in place */
	double *weight;			/* n */
	void *room;			/* complex_refine_room() bytes */
};

size_t complex_refine_room(size_t n, size_t sides);

/* Corrects X by op(A)^-1 (B - op(A) X), at most five times, until the
 * componentwise backward error of every column is at most eps or is not halved
 * any more. Sets element i of `weight` to the largest
 *
 *     (|b - op(A) x| + (n + 1) eps (|op(A)| |x| + |b|))_i / max |x|
 *
 * of all columns, so that the forward error of each, relative to its largest
 * element, is at most max (|op(A)^-1| weight). */
void complex_refine(const struct complex_refinement *q);

#endif
