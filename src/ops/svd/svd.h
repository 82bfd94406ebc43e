/* svd.h - the parts of operation svd.
 *
 *     svd.c       the operation's tables
 *     verdict.c   residual and orthogonality
 *     host.c      by LAPACK on the host
 *     jacobi.c    small matrices by one-sided Jacobi on the device
 *     lapack.c    one matrix by LAPACK, for pinv as well
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

/* The size of each problem of a call. */
struct svd_sizes {
	size_t stack, m, n;
	size_t all;			/* singular values: min(m, n) */
	size_t k;			/* of them in the answer */
	size_t columns, rows;		/* of U, of V^T in the answer */
	bool vectors;
};

struct svd_sizes svd_sizes_of(const struct args *a);

/* All matrices by LAPACK: xGESDD, or xGESVD where that does not converge. */
int svd_host(struct seq *s, struct args *a);

/* The same, but only for the matrices whose entry in `which` is not 0; the
 * others are searched for NaN and infinity all the same. */
int svd_host_some(struct seq *s, struct args *a, const int32_t *which);

/* Matrices of at most 64 rows or columns on the device
 * (kernels/svd/jacobi.cl), and those whose vectors that cannot find by LAPACK;
 * larger ones by LAPACK all. */
int svd_jacobi(struct seq *s, struct args *a);

/* Is the call for the device? Then the second function adds its scratch. */
bool svd_jacobi_fits(const struct args *a, const struct sheet *d);
void svd_jacobi_need(struct need *n, const struct args *a);

/* The operation's residual(), and the memory that it takes beside the matrices
 * of the call. */
int svd_residual(struct seq *s, struct args *a);
void svd_residual_need(struct need *n, const struct sheet *d,
                       const struct args *a);

/* Does the verdict read this operand or output? */
bool svd_is_judged(const struct args *a, const struct matrix *m);

#endif
