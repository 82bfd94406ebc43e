/* merge.h - one level of the tree of divide and conquer (divide.h): all nodes
 * of one size side by side. */
#ifndef OPS_TRIDIAGONAL_MERGE_H
#define OPS_TRIDIAGONAL_MERGE_H

#include "ops/blas/gemm.h"

struct divide {
	size_t n;			/* order of T */
	size_t leaf, order;		/* rows of a leaf, and order of the
					 * extended T (divide.c): leaf times a
					 * power of two */
	bool vectors;
	double eps;			/* relative tolerance of deflation */
	struct buf room, lists;		/* shared/divide_room.h */
	/* If `vectors` is set, matrices of order x order elements. Q is block
	 * diagonal; its blocks are the nodes' eigenvectors. P has the columns
	 * of Q after the rotations of deflation, permuted. U has the
	 * eigenvectors of the merged nodes in terms of P: the next Q is P U. */
	struct buf q, p, u;
	struct blas_tensor tensor;
};

/* Sorts the eigenvalues of each node of `size` rows. */
void divide_sort(struct seq *s, const struct divide *x, size_t size);

/* Merges pairs of nodes of size / 2 rows into nodes of `size` rows. */
void divide_merge(struct seq *s, const struct divide *x, size_t size);

/* Returns a product that is at least as large as every product of
 * divide_merge(), which determines the memory that they take. */
struct blas_gemm divide_most(const struct divide *x);

#endif
