/* merge.h - one level of divide and conquer: all nodes of one size side by
 * side. */
#ifndef OPS_TRIDIAGONAL_MERGE_H
#define OPS_TRIDIAGONAL_MERGE_H

#include "ops/blas/gemm.h"

struct divide {
	size_t n;			/* order of T */
	size_t leaf, order;		/* of the leaves, and of the extended T:
					 * leaf times a power of two */
	bool vectors;
	double eps;			/* of deflation */
	struct buf room, lists;		/* shared/divide_room.h */
	struct buf q, p, u;		/* order x order; if vectors */
	struct blas_tensor tensor;
};

/* Sorts the eigenvalues of all nodes of that size. */
void divide_sort(struct seq *s, const struct divide *x, size_t size);

/* Merges pairs of nodes to nodes of that size. */
void divide_merge(struct seq *s, const struct divide *x, size_t size);

/* Returns a product that none of divide_merge() exceeds. */
struct blas_gemm divide_most(const struct divide *x);

#endif
