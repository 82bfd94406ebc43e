/* cholesky.h - the parts of operation cholesky.
 *
 *     cholesky.c     the tables, what clients may ask
 *     host.c         variant `host`: LAPACK's potrf
 *     complex.c      variant `complex`
 *     lanes.c        the same variant for small matrices
 *     groups.c       variants `tensor` and `tiled`: kernels/cholesky, with
 *                    updates on tensor cores, or on any device
 *     factor.c       the factorization alone
 *     tiles.c        a block of columns, or the whole, in one launch
 *     gang.c, streamed.c    some columns on each device, or at a time;
 *     columns.c             what both have in common
 *     verdict.c      failures and the residual
 */
#ifndef OPS_CHOLESKY_CHOLESKY_H
#define OPS_CHOLESKY_CHOLESKY_H

#include "device/seq.h"
#include "ops/blas/gemm.h"
#include "ops/failure.h"
#include "ops/need.h"

/* The run() functions of the variants, and the memory that cholesky_groups()
 * needs. The field `how` of the variants that run cholesky_groups() points to a
 * struct cholesky_how. */
struct cholesky_how {
	bool tensor;			/* tensor cores compute updates */
	bool waits;			/* the device lets a work-group wait for
					 * others that began before it: the
					 * factorization of tiles.h is used */
};
int cholesky_host(struct seq *s, struct args *a);
int cholesky_complex(struct seq *s, struct args *a);

/* Factors matrices of 1 to CHOLESKY_LANES_ROWS rows for cholesky_host(). */
enum { CHOLESKY_LANES_ROWS = 32 };
int cholesky_lanes(struct seq *s, struct args *a);

int cholesky_groups(struct seq *s, struct args *a);
void cholesky_groups_need(const struct args *a, const struct variant *v,
                          const struct sheet *d, struct need *n);

/* The factorization alone, for other operations: the lower triangles of a stack
 * of n x n matrices become L, and what is above them becomes zero. state,
 * int32_t[2][stack], is 0 at first; state[i] becomes the order of the first
 * leading minor of matrix i that is not positive. */
void cholesky_in_place(struct seq *s, size_t n, size_t stack, struct buf l,
                       struct buf state);
#define CHOLESKY_IN_PLACE_KERNELS "cholesky_first cholesky_step " \
	"cholesky_clear "

/* cholesky_factor() does the same as cholesky_in_place(), but the two numbers
 * state[] of the matrices begin at element `state_at` of the buffer `state`,
 * and products may use tensor cores. */
struct cholesky_task {
	struct seq *s;
	size_t n, stack;
	struct buf l;
	struct buf state;		/* int32_t */
	size_t state_at;
	const struct blas_tensor *tensor;	/* or NULL: see gemm.h */
	struct cholesky_tiles *tiles;	/* for the factorization of tiles.h;
					 * NULL: one launch factors one column
					 * of tiles */
};
void cholesky_factor(const struct cholesky_task *t);

/* Says that the first `rows` rows of L are complete, if there is one matrix:
 * they are then downloaded while the others are computed. */
void cholesky_rows_done(const struct cholesky_task *t, size_t rows);

/* Returns a product whose m, n and k are at least those of every product that
 * cholesky_factor() launches for n rows. */
struct blas_gemm cholesky_largest_update(size_t n, bool waits);

#define CHOLESKY_KERNELS "cholesky_small_16 cholesky_small_32 " \
	"cholesky_small_64 cholesky_begin " CHOLESKY_IN_PLACE_KERNELS \
	"cholesky_tiles cholesky_fold cholesky_columns cholesky_judge"

/* The reasons why a matrix has no factor: ERR_NONFINITE with the row and the
 * column of such an element, or ERR_NOT_POSITIVE with the order of the leading
 * minor. cholesky_describe() puts them in words. */
struct failure_detail cholesky_nonfinite(size_t row, size_t column);
struct failure_detail cholesky_not_positive(size_t order);
void cholesky_describe(const struct args *a, const struct failure *f,
                       struct err *e);

/* Returns the estimated residual of an n x n matrix, for the fixed vector x of
 * lapack_sign(), given x^T A x, |L^T x|^2 and trace A:
 *
 *     (|x^T A x - |L^T x|^2| + u |L^T x|^2) / (n eps trace A)
 *
 * u is the unit roundoff of the type that the sums are kept in. The two sums
 * are nearly equal, and in float64 they have no digits to spare: their
 * difference is often 0 although L has errors. The second term is the error
 * that their rounding may hide, so that the estimate is never less than what it
 * can resolve.
 *
 * It costs one pass over A, which is read anyway, and one over L. trace A is
 * the natural size of the error: Cholesky's factors satisfy |A - L L^T| <= (n +
 * 1) u d d^T with d_i = sqrt(a_ii) (Higham, Accuracy and Stability of Numerical
 * Algorithms, theorem 10.5), so that its Frobenius norm is at most (n + 1) u
 * trace A. */
double cholesky_ratio(enum dtype t, size_t n, double quadratic, double square,
                      double trace);

/* The operation's residual(): leaves the estimate as `run` has set it, or, with
 * quality=full, replaces it by |A - L L^T| / (n |A| eps) in the 1-norm, the
 * ratio of LAPACK's xPOT01, which LAPACK computes on the host. */
int cholesky_residual(struct seq *s, struct args *a);

#endif
