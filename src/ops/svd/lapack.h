/* lapack.h - the singular value decomposition of one matrix by LAPACK, for svd
 * and pinv: xGESDD, and xGESVD if xGESDD does not converge. */
#ifndef OPS_SVD_LAPACK_H
#define OPS_SVD_LAPACK_H

#include "ops/lapack/stack.h"

/* The decomposition of a row-major m x n matrix with m, n > 0. `job` is
 * LAPACK's JOBZ: 'N' for no singular vectors, 'S' for the first min(m, n), 'A'
 * for all. */
struct svd_problem {
	enum dtype dtype;
	size_t m, n;
	char job;
	size_t work;			/* elements, from svd_lapack_work() */
	int shift;			/* 2^shift A is decomposed, usually A */
};

/* Returns a shift: the singular values of 2^shift A, which is m x n, neither
 * overflow nor lose digits to underflow. It is 0 for a matrix whose largest
 * element is far from both ends of the type's range. */
int svd_lapack_shift(enum dtype t, const void *a, size_t m, size_t n);

/* The elements of LAPACK's own workspace. */
size_t svd_lapack_work(const struct lapack *l, const struct svd_problem *p);

/* The bytes that svd_lapack() needs in `room`, LAPACK's workspace included. */
size_t svd_lapack_room(const struct svd_problem *p);

/* How many left and right singular vectors the job computes. */
size_t svd_lefts(const struct svd_problem *p);
size_t svd_rights(const struct svd_problem *p);

/* Writes the min(m, n) singular values to s in descending order and, unless job
 * is 'N', the m x svd_lefts() matrix U to u and the svd_rights() x n matrix V^T
 * to vh, both row-major. Sets *c->fallback if xGESVD was needed. Returns 0, or
 * xGESVD's INFO, the number of superdiagonals that did not converge to 0. */
int svd_lapack(const struct lapack_call *c, const struct svd_problem *p,
               const void *a, void *s, void *u, void *vh, void *room);

/* describe() for operations whose matrices fail with ERR_NONFINITE, or with
 * ERR_CONVERGENCE and the INFO of xGESVD or xGELSS as the detail's `at`. */
void svd_describe(const struct args *a, const struct failure *f,
                  struct err *e);

#endif
