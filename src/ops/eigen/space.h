/* space.h - a Krylov space of an operator C on the host, in the orthogonal
 * complement of vectors that are locked:
 *
 *     C V = V H + beta v e^T      (but for rounding errors, and for components
 *                                 along the locked vectors)
 *
 * The columns are, in this order, the locked vectors X, which span an invariant
 * subspace of C, then V and v; all orthonormal. Everything is column-major.
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
	/* y = C x; false: the call was given up. */
	bool (*apply)(void *with, const double *x, double *y);
	void *with;
};

/* Makes room; n, symmetric, room, most_locked, l, apply and with must be set.
 * -1: no memory; space_fini() must be called in any case. */
int space_init(struct space *s);
void space_fini(struct space *s);

/* Begins with a random vector. */
void space_begin(struct space *s);

/* Adds a vector. Where the space is invariant, beta becomes 0, and the new
 * vector is a random one. False: the call was given up. */
bool space_extend(struct space *s);

/* The last beta. */
double space_beta(const struct space *s);

/* Replaces V by the first p columns of V Q, and H by the leading block of T;
 * both have `ld` rows, and p < ld = dim. */
void space_restart(struct space *s, const double *q, const double *t, int ld,
                   int p);

/* Locks the first p columns of V Q, where Q has dim rows, which ends this
 * space. again: C is applied to them first, as a step of inverse iteration
 * where C is an inverse. Fewer are locked if some depend on others. False: the
 * call was given up. */
bool space_lock(struct space *s, const double *q, int p, bool again);

#endif
