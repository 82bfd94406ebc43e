/* svd.h - the singular value decomposition A = U S V^T.
 *
 *     svd.c       the operation's tables
 *     verdict.c   residual and orthogonality of an answer
 *     host.c      the variant that calls LAPACK on the host
 *     bidiagonal.c  the variant for matrices of up to some hundred rows, by the
 *                 QR method on a device
 *     jacobi.c    the variant for small matrices, one-sided Jacobi on a device
 *     polar.c     the variant for large matrices, the polar decomposition
 *     device.c    functions that the variants on a device share
 *     lapack.c    LAPACK's decomposition of one matrix, which pinv uses as well
 */
#ifndef OPS_SVD_SVD_H
#define OPS_SVD_SVD_H

#include "device/seq.h"
#include "ops/need.h"
#include "ops/op.h"
#include "ops/dense.h"

/* The operation's parameters and outputs, in the order of its tables. */
enum { SVD_VECTORS, SVD_K };
enum { SVD_THIN, SVD_FULL, SVD_NONE };
enum { SVD_U, SVD_S, SVD_VH };

/* The sizes of a call's matrices, all of the stack being alike. */
struct svd_sizes {
	size_t stack, m, n;
	size_t all;			/* min(m, n) singular values */
	size_t k;			/* those of them in the answer */
	size_t columns, rows;		/* columns of U, rows of V^T there */
	bool vectors;
};

struct svd_sizes svd_sizes_of(const struct args *a);

/* Decomposes all matrices by LAPACK: by xGESDD, and by xGESVD those for which
 * xGESDD does not converge. */
int svd_host(struct seq *s, struct args *a);

/* The same for complex matrices. */
int svd_complex(struct seq *s, struct args *a);

/* Decomposes by LAPACK the matrices i for which which[i] is not 0. The other
 * matrices are searched for NaN and infinity, too, and fail if they have
 * one. */
int svd_host_some(struct seq *s, struct args *a, const int32_t *which);

/* Launches the kernels of a call. They set the status of every matrix, a 32-bit
 * integer: 0 if they have answered it. */
typedef void svd_launch_fn(struct seq *s, const struct args *a,
                           struct buf status);

/* Calls launch(), waits for the status of the matrices, and calls
 * svd_repair(). */
int svd_device(struct seq *s, struct args *a, svd_launch_fn *launch);

/* The buffer of that output, or `other` if the answer does not have it. */
struct buf svd_output_or(struct seq *s, const struct args *a, int output,
                         struct buf other);

/* Decomposes all matrices on the device by kernels/svd/bidiagonal.cl if they
 * have at most 256 rows and columns; larger matrices, fewer than 4 matrices of
 * more than 64 rows or columns, and calls for the full U and V^T of matrices
 * that are not square, go to LAPACK. svd_bidiagonal_fits() returns whether the
 * device is used; if so, svd_bidiagonal_need() adds the scratch memory. */
int svd_bidiagonal(struct seq *s, struct args *a);
bool svd_bidiagonal_fits(const struct args *a, const struct sheet *d);
void svd_bidiagonal_need(struct need *n, const struct args *a,
                         const struct sheet *d);

/* Decomposes all matrices on the device by kernels/svd/jacobi.cl if min(m, n)
 * is at most 64 and a matrix fits a work-group's local memory. Those for which
 * the kernel finds no singular vectors, and all matrices of other shapes, go to
 * LAPACK. */
int svd_jacobi(struct seq *s, struct args *a);

/* Returns whether svd_jacobi() uses the device for the call. If so,
 * svd_jacobi_need() adds the scratch memory that it takes. */
bool svd_jacobi_fits(const struct args *a, const struct sheet *d);
void svd_jacobi_need(struct need *n, const struct args *a);

/* Has LAPACK decompose the matrices whose status is not 0, after the device has
 * written the others. LAPACK's path also records a failure for every matrix
 * with a NaN or an infinity. */
int svd_repair(struct seq *s, struct args *a, const int32_t *status);

/* Decomposes all matrices on the device, one after another, by the polar
 * decomposition and the eigenvectors of its symmetric factor. Calls for which
 * svd_polar_fits() returns false, such as those with small matrices, go to
 * svd_bidiagonal(). svd_polar_need() adds the scratch memory. */
int svd_polar(struct seq *s, struct args *a);
bool svd_polar_fits(const struct args *a, const struct sheet *d);
void svd_polar_need(struct need *n, const struct sheet *d,
                    const struct args *a);

/* The operation's residual(), and the scratch memory that it takes. */
int svd_residual(struct seq *s, struct args *a);
void svd_residual_need(struct need *n, const struct sheet *d,
                       const struct args *a);

/* Returns whether the verdict reads operand or output m of the call. */
bool svd_is_judged(const struct args *a, const struct matrix *m);

#endif
