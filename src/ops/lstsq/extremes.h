/* extremes.h - finds the rank of a matrix A by the rule that singular values of
 * at most rcond s_1 count as 0, without most of the singular values, from
 * products of G = A^T A and of its inverse with a few vectors. It proves the
 * rank or gives none.
 *
 * All bounds rest on one inequality. For a symmetric matrix M with the largest
 * eigenvalue |M| and its eigenvector v, a polynomial p, and a vector g
 *
 *     |p(M) g| >= |p(|M|)| |v^T g|.
 *
 * If g is random with independent standard normal elements, v^T g is a standard
 * normal number whatever M is, and the probability of |v^T g| < d is at most
 * q = d sqrt(2 / pi). So |p(|M|)| <= max |p(M) g| / d for r vectors g, except
 * with a probability of q^r, for which d makes 10^-15. Three such bounds are
 * used.
 * (Dixon, Estimating extremal eigenvalues and condition numbers of matrices,
 * SIAM J. Numer. Anal. 20(4), 1983, 812-814, has this for p(M) = M^k and one
 * vector. Kuczynski and Wozniakowski, Estimating the largest eigenvalue by the
 * power and Lanczos algorithms with a random start, SIAM J. Matrix Anal. Appl.
 * 13(4), 1992, 1094-1122, use Chebyshev polynomials for a bound that holds
 * before anything is computed.)
 *
 * The largest singular value. p is the Chebyshev polynomial of degree k for the
 * interval from 0 to an estimate of |G|, outside of which it grows so fast that
 * |G| can exceed the estimate by little.
 *
 * The smallest ones. Inverse iteration gives an orthonormal basis V of nearly
 * the invariant subspace of the 16 smallest singular values. With the
 * orthogonal projector P = I - V V^T
 *
 *     G^-1 = V T V^T + (E V^T + V E^T) + P G^-1 P,
 *     T = V^T G^-1 V, E = P G^-1 V.
 *
 * By Weyl's inequality eigenvalue i of G^-1 is at most max(t_i, c) + |E|, where
 * t_i is that of T, and c is the bound of P G^-1 P with p(M) = M. By Cauchy's
 * interlacing theorem it is at least t_i. So the singular values that count as
 * 0 are known, if they are fewer than 16, and so are their vectors.
 *
 * The vectors. Where the singular values that count as 0 are of very different
 * sizes, the rounding errors of G^-1, which are in proportion to the largest
 * t_i, turn the vectors of the others towards those that count. No answer is
 * given if that may be more than the rounding errors of A would turn them.
 *
 * Rounding errors. The products with G^-1 come from solutions of triangular
 * systems, which are those of a matrix that differs from U by a few roundoffs
 * of float64; the callers' margins allow for these. */
#ifndef OPS_LSTSQ_EXTREMES_H
#define OPS_LSTSQ_EXTREMES_H

#include <stdbool.h>
#include <stddef.h>

#include "ops/lapack/lapack.h"

enum {
	EXTREMES_VECTORS = 16,		/* for G^-1 */
	EXTREMES_LARGE = 8,		/* for G */
	EXTREMES_TURN = 32		/* roundoffs by which LAPACK may turn
					 * singular vectors; see `turn` */
};

#define EXTREMES_START(n) ((size_t)2 * EXTREMES_VECTORS * (n))
#define EXTREMES_ROOM(n)                                               \
	((size_t)(3 * EXTREMES_VECTORS + 3 * EXTREMES_LARGE) * (n) +   \
	 6 * EXTREMES_VECTORS * EXTREMES_VECTORS)

struct extremes {
	const struct lapack *l;
	size_t n;			/* rows of G, at least 1 */
	const double *start;		/* extremes_start() */
	double *room;			/* EXTREMES_ROOM(n) numbers */
	double largest;			/* a bound of s_1, or INFINITY */
	/* Singular values above `above` s_1 count, and those up to `below` s_1
	 * do not. Those between lead to no answer. */
	double above, below;
	double accurate;		/* no answer is given if s_1 is more
					 * than so many times the smallest that
					 * counts */
	double turn;			/* nor if the space of the vectors that
					 * count as 0 may be off by more than
					 * this angle times that ratio */
	/* Replaces `columns` columns of n numbers by G v or G^-1 v. Returns
	 * false if that fails. */
	bool (*apply)(const void *how, bool inverse, double *v,
	              size_t columns);
	const void *how;
};

struct extremes_found {
	size_t rank;
	double first;			/* a lower bound of s_1, which is nearly
					 * that or a little less */
	double next;			/* s_(rank + 1), or 0 */
	const double *null;		/* the n - rank orthonormal singular
					 * vectors of those that count as 0, in
					 * `room` */
};

/* Sets the EXTREMES_START(n) random numbers of `start`, the same in every call,
 * so that equal calls have equal answers. */
void extremes_start(double *start, size_t n);

/* Returns whether the rank is proved. */
bool extremes_find(const struct extremes *e, struct extremes_found *f);

/* x = P x with P = I - N N^T, for `columns` columns of x and of N = f->null.
 * `room` has (n - rank) x columns numbers. */
void extremes_project(const struct lapack *l, size_t n,
                      const struct extremes_found *f, double *x,
                      size_t columns, double *room);

#endif
