/* banded.h - P A = L U of a band matrix in float64 on the host, by blocks of
 * columns with partial pivoting. A call can be cancelled between two blocks and
 * within the update that follows a block, which xGBTRF and xGETRF do not
 * allow.
 *
 * Element (i, j) is f[top + i + j ld]. So every rectangle within the stored
 * diagonals is a column-major matrix with the leading dimension ld. With
 *
 *     ld = 2 below + above + 2 nb - 2,  top = below + above + nb - 1
 *
 * there are LAPACK's diagonals, which are `below` more above the diagonal than
 * A has, because interchanges bring rows up, and nb - 1 diagonals more on each
 * side. Those stay zero, but for multipliers that interchanges within a block
 * move below the band; with them, the columns of a block and the rows above
 * the block are rectangles. A diagonal matrix has ld = 1, a dense matrix ld = n
 * and top = 0. */
#ifndef OPS_EIGEN_BANDED_H
#define OPS_EIGEN_BANDED_H

#include <stdbool.h>

#include "device/seq.h"
#include "ops/lapack/lapack.h"

struct banded {
	const struct lapack *l;
	size_t n, below, above;		/* order of A; numbers of its diagonals
					 * below and above the main one */
	bool dense;
	size_t nb;			/* columns of a block */
	size_t top, ld;
	double *f;			/* A; after banded_factor() L and U */
	int *pivots;			/* n row numbers of the interchanges, as
					 * xGETRF returns them for each block:
					 * counted from 1 at the block's first
					 * row */
};

/* Plans the storage, and allocates nothing. */
void banded_plan(struct banded *b, size_t n, size_t below, size_t above,
                 bool dense);

/* Returns the number of elements of f, as a double because it may be too large
 * for size_t. */
double banded_elements(const struct banded *b);

/* Sets all elements of f to zero; the first call allocates f. Returns -1 if
 * there is no memory, or if the call was cancelled. banded_fini() must be
 * called even then. */
int banded_clear(struct banded *b, struct seq *s);
void banded_fini(struct banded *b);

static inline double *banded_at(const struct banded *b, size_t i, size_t j)
{
	return &b->f[b->top + i + j * b->ld];
}

/* Factors the matrix in f. Sets *singular if U is exactly singular; the factors
 * are not complete then. Returns 0, or -1 if the call was cancelled. */
int banded_factor(struct banded *b, struct seq *s, bool *singular);

/* Overwrites the n elements of x by A^-1 x. Returns 0, or -1 if the call was
 * cancelled. */
int banded_solve(const struct banded *b, struct seq *s, double *x);

#endif
