/* polar.h - the polar decomposition A = U H of a matrix of full size on a
 * device: U has orthonormal columns, and H is symmetric positive semidefinite.
 * With H = V S V^T the singular value decomposition is A = (U V) S V^T.
 *
 * U is the limit of the QDWH iteration (Nakatsukasa, Bai and Gygi 2010): with
 * weights a, b, c that follow from a lower bound l of X's singular values,
 *
 *     X' = X (a I + b X^T X) (I + c X^T X)^-1
 *        = (b / c) X + (a - b / c) X (I + c X^T X)^-1,
 *
 * where X_0 = A / alpha. With Cholesky's factor L of I + c X^T X the inverse is
 * L^-T L^-1. All of it is computed in float64, also for A in float32:
 *
 * - A step moves X by up to about c u through rounding, where u is float64's
 *   unit roundoff. For float32 the weights are limited to c <= 1e7, so that
 *   this is far below float32's own roundoff.
 * - For float64, steps with c > 100 compute [Q1; Q2] = [sqrt(c) X; I] L^-T by a
 *   triangular solve, of which Q1 Q2^T = sqrt(c) X (I + c X^T X)^-1, and
 *   correct for the rounding errors of L: the projection onto the range of Q is
 *   Q (Q^T Q)^-1 Q^T however far Q is from being orthogonal. (Q^T Q)^-1 is
 *   expanded in powers of Q^T Q - I; with c <= 1e9 the third power is below u.
 *
 * The steps assume a condition number first that most matrices have (4 steps).
 * If U is not orthogonal after these, more steps follow that assume the largest
 * one that the type can represent (3 or 4). Columns of U that belong to zero
 * singular values are still not unit vectors then, and the iteration begins
 * again with a pseudorandom matrix of norm u added to A (7 or 8 steps), which
 * moves A by no more than rounding does. U is then one of A's many.
 *
 * A step takes 2 m n^2 + 4 m n^2 + 2 n^3 / 3 operations and a bit, about 7 n^3
 * if m = n, and one with a correction 14 n^3. For n = 1024 four steps are 30
 * GFLOP, about 1 ms at the rate of large products; a step has 40 to 60
 * launches, which limit the time of matrices up to that size. */
#ifndef OPS_POLAR_POLAR_H
#define OPS_POLAR_POLAR_H

#include "device/seq.h"
#include "ops/blas/trtri.h"
#include "ops/cholesky/cholesky.h"
#include "ops/need.h"
#include "ops/tridiagonal/symmetric.h"

/* The buffers of a decomposition of m x n matrices with m >= n > 0, which one
 * matrix after another may use. All but `state` have elements of float64. */
struct polar {
	struct seq *s;			/* NULL while memory is counted */
	struct need *need;		/* NULL while a call runs */
	enum dtype t;			/* of A: float32 or float64 */
	size_t m, n;
	struct buf a;			/* m x n: A 2^exponent */
	struct buf u;			/* m x n: X, at the end U */
	struct buf w;			/* (m + n) x n: [Q1; Q2] */
	struct buf y;			/* m x n */
	struct buf g, g2;		/* n x n */
	struct buf state;		/* kernels/shared/polar_state.h */
	struct buf minor;		/* int32_t[2], of Cholesky's method */
	struct blas_tensor tensor;
	int exponent;
};

/* Can the device compute in float64? */
bool polar_fits(const struct sheet *d);

/* Makes the buffers for a sequence whose type is A's. */
struct polar polar_of(struct seq *s, size_t m, size_t n);

/* A, or its transpose, in a buffer: m x n with all elements from `at` on. */
struct polar_source {
	struct buf b;
	size_t at;
	bool transposed;		/* the buffer has the n x m transpose */
};

/* Decomposes a matrix: p->u becomes U; h, an n x n buffer of A's type, becomes
 * H 2^p->exponent, whose elements are of the order of 1. Sets *done to false,
 * with no result, if A has a NaN or an infinity, or if the iteration has not
 * converged. Waits for the device. Returns -1 if the sequence has failed. */
int polar_decompose(struct polar *p, const struct polar_source *a,
                    struct buf h, bool *done);

/* polar_decompose(), and then H = V diag(w) V^T: w gets the n eigenvalues of H
 * itself, not scaled, in ascending order; rounding may leave some of them a
 * little less than 0. The eigenvectors become the columns of h if `vectors`.
 * polar_spectrum_need() adds the memory that this takes for `stack` matrices,
 * and that of polar_of(), to *n. */
int polar_spectrum(struct polar *p, const struct polar_source *a,
                   struct buf h, bool vectors, double *w, bool *done);
void polar_spectrum_need(struct need *n, const struct sheet *d, enum dtype t,
                         size_t stack, size_t rows, size_t cols);

/* Sets order to the indices of the n ascending numbers w by descending
 * magnitude: the magnitudes are A's singular values. */
void polar_order(const double *w, size_t n, int32_t *order);

#define POLAR_KERNELS                                                        \
	"polar_scan polar_load polar_row_sums polar_start polar_shift "      \
	"polar_stack polar_refine polar_combine polar_check "                \
	"polar_symmetrize polar_round " SYMMETRIC_KERNELS " "                \
	CHOLESKY_IN_PLACE_KERNELS BLAS_TRTRI_KERNELS " "

#endif
