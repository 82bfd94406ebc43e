/* trsm.h - X = op(T)^-1 X for a triangular matrix T and many right-hand sides,
 * on parts of matrices in buffers, for all matrices of a stack at once: blocks
 * of 64 rows by kernels/blas/trsm.cl, the rest by blas_gemm(). */
#ifndef OPS_BLAS_TRSM_H
#define OPS_BLAS_TRSM_H

#include "ops/blas/gemm.h"

struct blas_trsm {
	size_t stack, n, sides;		/* T is n x n, X n x sides */
	bool upper;			/* op(T) is upper triangular */
	bool unit;			/* ones on T's diagonal, not read */
	const struct blas_tensor *tensor;	/* or NULL: see gemm.h */
};

/* The other triangle of T is not read. X is replaced; it may be transposed:
 * then it lies in the buffer as sides x n. */
void blas_trsm(struct seq *s, const struct blas_trsm *g,
               const struct blas_part *t, const struct blas_part *x);

/* Its largest product, where X is transposed or not, for blas_tensor_of() and
 * blas_gemm_need(). */
struct blas_gemm blas_trsm_most(const struct blas_trsm *g, bool transposed);

#define BLAS_TRSM_KERNELS "blas_trsm " BLAS_GEMM_KERNELS

#endif
