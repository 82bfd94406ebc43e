/* ritz.h - finds B's dominant eigenpair from the small matrices of a Krylov
 * decomposition B V = V H + v b^T with an orthonormal V. */
#ifndef OPS_EIGEN_RITZ_H
#define OPS_EIGEN_RITZ_H

#include <stdbool.h>

#include "ops/eigen/schur.h"

struct ritz_space {
	int p;				/* dimension */
	bool complete;			/* b = 0: V's range is invariant */
	double h[SCHUR_MAX + 1][SCHUR_MAX];	/* H, and b^T below it */
	struct schur schur;		/* of H, after ritz_judge */
};

enum ritz_verdict { RITZ_OPEN, RITZ_REAL, RITZ_COMPLEX };

/* The dominant pair of B: the value is value + imaginary i, the vector V (y + z
 * i). */
struct ritz {
	enum ritz_verdict verdict;
	double value, imaginary;	/* the latter >= 0 */
	double error;			/* |B x - value x| / |value| |x| */
	double condition;		/* within the space: an estimate */
	bool tie;			/* others have its modulus */
	double y[SCHUR_MAX];		/* |y + z i| = 1; both are set if the */
	double z[SCHUR_MAX];		/* verdict is not RITZ_OPEN, or if */
};					/* rules.last was set */

struct ritz_rules {
	double tol, epsilon;
	bool perron;			/* B >= 0: its largest is real, >= 0 */
	bool last;			/* no more products follow: decide */
};

/* Sets r to what the space shows; -1 if the QR iteration failed. */
int ritz_judge(struct ritz_space *s, const struct ritz_rules *rules,
               struct ritz *r);

/* Reduces the judged space to the invariant subspace of H that belongs to the
 * `keep` largest Ritz values, or to one more where `keep` would separate a
 * conjugate pair. Returns its dimension k; row r of c[k][p] holds the
 * coefficients of the new basis vector r. */
int ritz_restart(struct ritz_space *s, int keep, double *c);

#endif
