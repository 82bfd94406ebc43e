/* host_tall.h - qr of tall matrices on the host by Cholesky's factorization of
 * A^T A (CholeskyQR2; Yamamoto, Nakatsukasa, Yanagisawa and Fukaya 2015), as
 * gram.c computes it on devices. With
 *
 *     G = Q^T Q,  G = U^T U,  Q = Q U^-1,  R = U R,
 *
 * where Q = A and R = I at first, the pass whose G is near I leaves Q as
 * orthogonal as Householder's reflections do. It takes about as many operations
 * as xGEQRF and xORGQR, 4 m n^2, but nearly all of them in xSYRK and xTRSM, on
 * rows that stay in the cache, and in the order of A's elements in memory.
 *
 * R's signs are LAPACK's. They follow from the upper n x n part of Q, from
 * which Householder's vectors could be rebuilt (Ballard, Demmel, Grigori,
 * Jacquelin, Knight and Nguyen 2015). */
#ifndef OPS_QR_HOST_TALL_H
#define OPS_QR_HOST_TALL_H

#include "ops/lapack/stack.h"
#include "ops/qr/qr.h"

struct host_tall {
	const struct lapack_call *c;	/* of stack.h, which is `divided` */
	size_t m, n;
	const void *a;			/* m x n, row-major */
	void *q;			/* m x n, row-major: Q, or scratch
					 * memory if Q is not wanted */
	bool wanted;			/* whether Q is wanted */
	void *r;			/* n x n, row-major; NULL: not wanted */
	void *room;			/* of host_tall_room() elements */
};

/* Returns whether matrices of these sizes are factored in this way. */
bool host_tall_fits(const struct qr_sizes *z);

/* Returns how many elements of `room` a matrix needs. */
size_t host_tall_room(const struct qr_sizes *z);

/* Factors a matrix whose elements are finite. Returns false if it is too
 * ill-conditioned, or if its elements are too large or too small; q is
 * undefined then, and r is unchanged. */
bool host_tall_s(const struct host_tall *t);
bool host_tall_d(const struct host_tall *t);

#endif
