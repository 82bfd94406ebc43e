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

/* A part of a row-major matrix. Its element (i, j) lies `at` + i `ld` + j
 * elements from the start of the buffer, and the same element of the stack's
 * next matrix `step` elements further on. With `transposed` the operand is the
 * transpose of that part. */
struct blas_part {
	struct buf b;
	size_t at, ld, step;
	bool transposed;
};

/* The arguments of a kernel for the operand p: the buffer, `at`, `step`, and
 * the distances of op(X)'s rows and columns. */
#define BLAS_PART_ARGS(p)                                                    \
	ARG_BUF((p)->b), ARG_LONG((p)->at), ARG_LONG((p)->step),             \
	ARG_LONG((p)->transposed ? 1 : (p)->ld),                             \
	ARG_LONG((p)->transposed ? (p)->ld : 1)

struct blas_gemm {
	size_t stack, m, n, k;		/* op(A) is m x k, op(B) k x n */
	double alpha, beta;
	bool lower;			/* only elements (i, j) with i >= j are
					 * computed and written */
	size_t tile;			/* rows and columns that a work-group
					 * of the portable kernel computes: 64,
					 * 128, or 0 for the faster one, and
					 * on CPUs for their own kernel */
	const struct blas_tensor *tensor;	/* or NULL */
	size_t groups;			/* on tensor cores: work-groups at most,
					 * each of which occupies a compute
					 * unit; 0: as many as there is room
					 * for */
};

/* The limits and the scratch memory of products on tensor cores, made by
 * blas_tensor_of(). Products that share the memory must follow each other in
 * one lane of the sequence. If all is zero, the portable kernel computes every
 * product. */
struct blas_tensor {
	size_t m, n, k;			/* the largest product */
	struct tensor_room room;
};

/* Computes C = alpha op(A) op(B) + beta C in the sequence's element type,
 * float32 or float64. C must not be transposed. The parts may lie in one buffer
 * if no element of C is one of A or B. C is not read if beta is 0; with k = 0
 * it becomes beta C. Errors are the sequence's.
 *
 * With g->tensor, products C -= op(A) op(B) and C = op(A) op(B) that are large
 * enough are computed on tensor cores, matrix by matrix of the stack. Rounding
 * errors are those of the element type: a float32 product is made of three TF32
 * products (docs/matmul.md). */
void blas_gemm(struct seq *s, const struct blas_gemm *g,
               const struct blas_part *a, const struct blas_part *b,
               const struct blas_part *c);

#define BLAS_GEMM_KERNELS "blas_gemm_64 blas_gemm_128"

/* The kernel that computes large products C += alpha op(A) op(B) on CPUs. */
#define BLAS_CPU_KERNELS "blas_gemm_packed"

/* Allocates scratch memory for products of which none has more rows, more
 * columns or a larger k than `most`. Returns all zeros if the device has no
 * kernels for them, if these kernels fail their probe, or if `most` is too
 * small. */
struct blas_tensor blas_tensor_of(struct seq *s, const struct blas_gemm *most);

/* Adds the scratch memory of blas_tensor_of() to *n; on other devices there is
 * none. */
void blas_gemm_need(struct need *n, const struct sheet *d, enum dtype t,
                    const struct blas_gemm *most);

#define BLAS_TENSOR_KERNELS \
	"matmul_pack_3xtf32 matmul_tensor_3xtf32 matmul_tensor_f64_128x128"

#endif
