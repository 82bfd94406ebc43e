/* trsm.h - X = op(T)^-1 X for a triangular matrix T and many right-hand sides,
 * on parts of matrices in buffers, for all matrices of a stack at once.
 * kernels/blas/trsm.cl solves blocks of up to 1024 rows, with a launch for
 * every 64 rows, and blas_gemm() updates the rows after a block. */
#ifndef OPS_BLAS_TRSM_H
#define OPS_BLAS_TRSM_H

#include "ops/blas/gemm.h"

struct blas_trsm {
	size_t stack, n, sides;		/* T is n x n, X n x sides */
	bool upper;			/* op(T) is upper triangular */
	bool unit;			/* ones on T's diagonal, not read */
	const struct blas_tensor *tensor;	/* or NULL: see gemm.h */
	bool lower_x;			/* X is square, not transposed, and
					 * lower triangular; so is op(T) */
	bool is_output;			/* X is the whole of an output, one
					 * matrix; no later launch changes it */
};

/* Replaces X by op(T)^-1 X. The other triangle of T is not read. A transposed X
 * lies in the buffer as sides x n. Errors are the sequence's. */
void blas_trsm(struct seq *s, const struct blas_trsm *g,
               const struct blas_part *t, const struct blas_part *x);

/* Returns a product that none of blas_trsm() exceeds, for blas_tensor_of() and
 * blas_gemm_need(). `transposed`: is X transposed? */
struct blas_gemm blas_trsm_most(const struct blas_trsm *g, bool transposed);

#define BLAS_TRSM_KERNELS "blas_trsm blas_trsm_wide " BLAS_GEMM_KERNELS

#endif
