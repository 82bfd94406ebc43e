/* space.h - a Krylov space of an operator C on the host, in the orthogonal
 * complement of vectors that are locked:
 *
 *     C V = V H + beta v e^T      (but for rounding errors, and for components
 *                                 along the locked vectors)
 *
 * The columns of x are, in this order, the locked vectors, which span an
 * invariant subspace of C, then V and v; all are orthonormal. All arrays are
 * column-major.
 */
#ifndef OPS_EIGEN_SPACE_H
#define OPS_EIGEN_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ops/lapack/lapack.h"

struct space {
	const struct lapack *l;
	size_t n;
	bool symmetric;
	int room, most_locked;		/* largest dim and locked */
	int dim, locked;
	double *x;			/* n x (most_locked + room + 1) */
	double *h;			/* (room + 1) x room */
	double *sums, *block;		/* workspaces */
	double scale;			/* the largest |C v| so far */
	uint64_t random;
	int64_t products;
	/* Computes y = C x; false: the call was cancelled. */
	bool (*apply)(void *with, const double *x, double *y);
	void *with;
};

/* Allocates the arrays; n, symmetric, room, most_locked, l, apply and with must
 * be set. -1: no memory; space_fini() must be called in any case. */
int space_init(struct space *s);
void space_fini(struct space *s);

/* Begins a space whose first vector is a random one. */
void space_begin(struct space *s);

/* Adds a vector. If the space is invariant, beta becomes 0, and the new vector
 * is a random one. False: the call was cancelled. */
bool space_extend(struct space *s);

/* Returns the last beta. */
double space_beta(const struct space *s);

/* Replaces V by the first p columns of V Q, and H by the leading p x p block of
 * T, where H = Q T Q^T; both have `ld` rows, and p < ld = dim. The vector v
 * stays, and e^T becomes the first p elements of e^T Q. */
void space_restart(struct space *s, const double *q, const double *t, int ld,
                   int p);

/* Locks the first p columns of V Q, where Q has dim rows. The space must then
 * be begun again. With `again`, C is applied to these columns first, which is a
 * step of inverse iteration if C is an inverse. Columns that depend on others
 * are not locked. False: the call was cancelled. */
bool space_lock(struct space *s, const double *q, int p, bool again);

#endif
