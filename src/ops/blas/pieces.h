/* pieces.h - which parts of C = alpha op(A) op(B) + beta C are computed on
 * tensor cores. These compute whole rectangles only, so that the lower triangle
 * is cut into columns of blocks:
 *
 *     \              D, the blocks on the diagonal, are one launch of the
 *     |D\            portable kernel, which leaves what is above the diagonal
 *     |  |\          as it is.
 *     |  |D\         R, the rectangles, are computed on tensor cores.
 *     | R|  |\
 *     |  | R|L\      L, the last columns, are so few that the portable kernel
 *     |  |  |  \     is as fast.
 */
#ifndef OPS_BLAS_PIECES_H
#define OPS_BLAS_PIECES_H

#include "ops/blas/gemm.h"

enum {
	/* Tensor cores are faster for products of at least this many
	 * multiplications. The number is an estimate by the cost model of
	 * docs/matmul.md, not a measurement: packing and multiplying take 18 us
	 * with k = 64 and 26 us with k = 256 for up to one tile of 128 x 128 on
	 * each compute unit, and in that time the portable kernel, at about 10
	 * to 20 TFLOP/s, does 2^27 multiplications. */
	BLAS_TENSOR_WORK = 1 << 27,
	/* From so many multiplications on, CPUs compute a product by packing
	 * an operand. */
	BLAS_CPU_WORK = 1 << 15,
	/* The least number of rows and columns is that of one tile; with fewer,
	 * most of the tile is empty. */
	BLAS_TENSOR_LINES = 128,
	/* The least k is what the k of packed operands is rounded up to. */
	BLAS_TENSOR_DEPTH = 32,
	/* The columns of a rectangle below the diagonal. Narrower rectangles
	 * have too few tiles for all compute units and take more launches;
	 * wider ones leave more elements on the diagonal to the portable
	 * kernel. */
	BLAS_LOWER_COLS = 1024,
};

/* A product, and its parts. */
struct blas_call {
	struct blas_gemm g;
	struct blas_part a, b, c;
};

/* Is the product large enough for tensor cores, and of a form that their
 * kernels compute? g->lower is ignored. */
bool blas_is_large(const struct blas_gemm *g);

/* Returns whether tensor cores compute the product, given g->tensor. */
bool blas_on_tensor(const struct blas_gemm *g);

/* Visits the pieces that a lower triangle is cut into; x->g.stack must be 1.
 * The pieces for tensor cores, which are not `lower`, come first. If there are
 * none of these, the only piece is the whole triangle. */
typedef void blas_piece_fn(const struct blas_call *piece, void *arg);
void blas_pieces(const struct blas_call *x, blas_piece_fn *visit, void *arg);

#endif
