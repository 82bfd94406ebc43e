/* gemm.h - C = alpha op(A) op(B) + beta C on parts of matrices in buffers, for
 * all matrices of a stack in one launch (kernels/blas/gemm.h): the step that
 * blocked factorizations spend their time in.
 *
 *     // A22 -= L21 L21^T, the lower triangle alone
 *     blas_gemm(s, &(struct blas_gemm){ .stack = 1, .m = r, .n = r, .k = nb,
 *                                       .alpha = -1, .beta = 1,
 *                                       .lower = true },
 *               &l21, &l21_transposed, &a22);
 */
#ifndef OPS_BLAS_GEMM_H
#define OPS_BLAS_GEMM_H

#include "ops/matmul/submatrix.h"

/* Part of a row-major matrix: element (i, j) lies `at` + i `ld` + j elements
 * from the start of the buffer, that of the stack's next matrix `step` elements
 * further. A transposed operand is the transpose of that part. */
struct blas_part {
	struct buf b;
	size_t at, ld, step;
	bool transposed;
};

struct blas_gemm {
	size_t stack, m, n, k;		/* op(A) is m x k, op(B) k x n */
	double alpha, beta;
	bool lower;			/* only elements (i, j) with i >= j are
					 * computed and written */
	size_t tile;			/* rows and columns of a work-group: 64,
					 * 128, or 0 for the better one; of the
					 * portable kernel */
	const struct blas_tensor *tensor;	/* or NULL */
};

/* What products on tensor cores need, from blas_tensor_of(). Products that
 * share it must follow each other in one lane. All zeros: every product is
 * computed by the portable kernel. */
struct blas_tensor {
	size_t m, n, k;			/* the largest product */
	struct tensor_room room;
};

/* Of the sequence's element type, float32 or float64. C is not transposed. The
 * parts may lie in one buffer if no element of C is one of A or B. C is not
 * read if beta is 0; with k = 0 it becomes beta C.
 *
 * With g->tensor, products C -= op(A) op(B) and C = op(A) op(B) that are large
 * enough are computed on tensor cores, matrix by matrix of the stack. Errors
 * are those of the element type's arithmetic: float32 products are three TF32
 * products (docs/matmul.md). */
void blas_gemm(struct seq *s, const struct blas_gemm *g,
               const struct blas_part *a, const struct blas_part *b,
               const struct blas_part *c);

#define BLAS_GEMM_KERNELS "blas_gemm_64 blas_gemm_128"

/* For products of which none has more rows, more columns or a larger k than
 * `most`: all zeros if the device has no kernels for them, if these kernels
 * fail their probe, or if `most` is too small. */
struct blas_tensor blas_tensor_of(struct seq *s, const struct blas_gemm *most);

/* The scratch memory of blas_tensor_of(); none on other devices. */
void blas_gemm_need(struct need *n, const struct sheet *d, enum dtype t,
                    const struct blas_gemm *most);

#define BLAS_TENSOR_KERNELS \
	"matmul_pack_3xtf32 matmul_tensor_3xtf32 matmul_tensor_f64_128x128"

#endif
