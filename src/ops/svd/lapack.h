/* lapack.h - the singular value decomposition of one matrix by LAPACK, for svd
 * and pinv: xGESDD, or xGESVD where that does not converge. */
#ifndef OPS_SVD_LAPACK_H
#define OPS_SVD_LAPACK_H

#include "ops/lapack/stack.h"

/* A row-major m x n matrix, m and n > 0; job is LAPACK's 'N', 'S' or 'A'. */
struct svd_problem {
	enum dtype dtype;
	size_t m, n;
	char job;
	size_t work;			/* elements, from svd_lapack_work() */
};

size_t svd_lapack_work(const struct lapack *l, const struct svd_problem *p);

/* The bytes that svd_lapack() needs in `room`. */
size_t svd_lapack_room(const struct svd_problem *p);

/* Vectors of either side that the job computes. */
size_t svd_lefts(const struct svd_problem *p);
size_t svd_rights(const struct svd_problem *p);

/* Writes the min(m, n) singular values to s, and unless job is 'N' U, m x
 * svd_lefts(), and V^T, svd_rights() x n, both row-major. Returns 0, or the
 * number of superdiagonals that did not converge. */
int svd_lapack(const struct lapack_call *c, const struct svd_problem *p,
               const void *a, void *s, void *u, void *vh, void *room);

/* describe() for operations that fail with ERR_NONFINITE, or with
 * ERR_CONVERGENCE, whose `at` is the number that svd_lapack() returned. */
void svd_describe(const struct args *a, const struct failure *f,
                  struct err *e);

#endif
