/* polar.h - the polar decomposition A = U H of a matrix of full size on a
 * device: U has orthonormal columns, and H is symmetric positive semidefinite.
 * With H = V S V^T the singular value decomposition is A = (U V) S V^T.
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
 * All is computed in float64, also for A in float32, because of the errors. A
 * step maps the largest singular values to the new l, so that its rounding
 * errors, of the order of float64's unit roundoff u, count 1 / l times as much
 * for their vectors (Nakatsukasa and Higham 2012). So r never belongs to an l
 * below 0.1 for A in float64; for float32 that limit is 1e-6, where u / l is
 * still below float32's unit roundoff.
 *
 * The steps assume first that X_0 has no singular value below 2e-6, which holds
 * for most matrices. If U is not orthogonal after these 17 or 18 steps, more
 * follow for the smallest value of matrices of full rank (13 to 30). Columns of
 * U that belong to zero singular values are still not unit vectors then, and
 * the iteration begins again with a pseudorandom matrix of norm u added to A
 * (37 or 60 steps), which moves A by no more than rounding does. U is then one
 * of A's many.
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
	struct buf parts;		/* n x n each: what X^T X is summed of,
					 * if X is tall */
	struct buf state;		/* kernels/shared/polar_state.h */
	struct blas_tensor tensor;
	int exponent;
};

/* Returns whether the device has float64, and matrices of a stack, whose
 * smaller dimension is n, are decomposed faster one after another on an H200
 * than by LAPACK on its host's processor. */
bool polar_pays(const struct sheet *d, size_t stack, size_t n);

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
	"polar_sum "                                                         \
	"polar_check polar_symmetrize polar_round " SYMMETRIC_KERNELS " "    \
	BLAS_GEMM_KERNELS " "

#endif
