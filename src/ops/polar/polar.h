/* polar.h - the polar decomposition A = U H of a matrix on a device: U has
 * orthonormal columns, and H is symmetric positive semidefinite. With H = V S
 * V^T the singular value decomposition is A = (U V) S V^T.
 *
 * U is the limit of Newton and Schulz's iteration, scaled for the fastest
 * convergence (Chen and Chow 2014): for singular values of X in [l, 1],
 *
 *     X' = r X (3 I - r^2 X^T X) / 2,    r^2 = 3 / (1 + l + l^2),
 *
 * maps l and 1 to the same number, the new l, and 1 / r to 1. X_0 = A / alpha.
 * A small l grows by the factor 2.6 a step, and convergence is quadratic in the
 * end. A step is two products. QDWH (Nakatsukasa, Bai and Gygi 2010), which is
 * a rational iteration, needs only 4 to 6 steps, but each has a Cholesky
 * factorization, and one of 512 to 2048 rows takes as long as 10 to 20 products
 * on an H200.
 *
 * All products are computed in float64, even if A has float32 elements. A step
 * maps the largest singular values of X to the new l as well, so that its
 * rounding errors, of the order of float64's unit roundoff u, are multiplied by
 * 1 / l in the vectors that belong to these values (Nakatsukasa and Higham
 * 2012). Therefore r is always computed from an l of at least 0.1 if A has
 * float64 elements, and of at least 1e-6 if A has float32 elements: there u / l
 * is still below float32's unit roundoff.
 *
 * The first 17 or 18 steps suffice if X_0 has no singular value below 2e-6
 * (float32) or 3e-6 (float64), as is the case for most matrices. If X is not
 * orthogonal after them, 13 to 30 more steps follow, which suffice for every
 * matrix of full rank. If X is still not orthogonal, A does not have full rank:
 * a singular value of 0 stays 0 in every step. The iteration then begins again
 * (37 or 60 steps), with a pseudorandom matrix added to X_0 whose norm is below
 * the roundoff of A's type. The polar factor U of such an A is not unique, and
 * the result is one of the possible ones.
 *
 * A step takes 4 m n^2 operations, and 17 steps 68 n^3 if m = n. All products
 * of a decomposition take 1.7 ms for n = 512, 3.1 ms for 1024 and 11.6 ms for
 * 2048 on an H200. */
#ifndef OPS_POLAR_POLAR_H
#define OPS_POLAR_POLAR_H

#include "device/seq.h"
#include "ops/blas/gemm.h"
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
	struct buf y;			/* m x n: the next X */
	struct buf g;			/* n x n: X^T X */
	struct buf parts;		/* if X is tall: products of blocks of
					 * its rows, n x n each, which sum to
					 * X^T X */
	struct buf state;		/* kernels/shared/polar_state.h */
	struct blas_tensor tensor;
	int exponent;
};

/* Returns whether the device should decompose `stack` matrices whose smaller
 * dimension is n, one after another: it must have float64, and on an H200 this
 * must take less time than LAPACK on the host's processor. */
bool polar_pays(const struct sheet *d, size_t stack, size_t n);

/* Makes the buffers for a sequence whose type is A's. */
struct polar polar_of(struct seq *s, size_t m, size_t n);

/* Where A is: a buffer that holds the m x n matrix, or its transpose, in
 * row-major order from element `at` on. */
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

/* Calls polar_decompose(), and then decomposes H = V diag(w) V^T. w receives
 * the n eigenvalues of H in ascending order, without the factor 2^p->exponent;
 * rounding may leave some of them a little less than 0. If `vectors`, h is
 * overwritten with V, whose columns are the eigenvectors. polar_spectrum_need()
 * adds to *n the memory of polar_of() and of one call of polar_spectrum() for
 * each of `stack` matrices. */
int polar_spectrum(struct polar *p, const struct polar_source *a,
                   struct buf h, bool vectors, double *w, bool *done);
void polar_spectrum_need(struct need *n, const struct sheet *d, enum dtype t,
                         size_t stack, size_t rows, size_t cols);

/* Returns U of the decomposition in A's type: p->u or, for A in float32, the
 * m x n buffer `rounded`, to which it rounds U. */
struct buf polar_factor(const struct polar *p, struct buf rounded);

/* Sets order to the indices of the n ascending numbers w by descending
 * magnitude: the magnitudes are A's singular values. */
void polar_order(const double *w, size_t n, int32_t *order);

#define POLAR_KERNELS                                                        \
	"polar_scan polar_load polar_row_sums polar_start polar_shift "      \
	"polar_sum "                                                         \
	"polar_check polar_symmetrize polar_round " SYMMETRIC_KERNELS " "    \
	BLAS_GEMM_KERNELS " "

#endif
