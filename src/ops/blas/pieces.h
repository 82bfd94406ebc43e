/* pieces.h - which parts of C = alpha op(A) op(B) + beta C are computed on
 * tensor cores. These compute whole rectangles alone, so the lower triangle is
 * cut into columns of blocks:
 *
 *     \              the blocks on the diagonal: one launch of the portable
 *     |D\            kernel, which leaves alone what is above the diagonal
 *     |  |\
 *     |  |D\         R: on tensor cores
 *     | R|  |\
 *     |  | R|L\      L, the last columns: so few that the portable kernel is
 *     |  |  |  \     as fast
 */
#ifndef OPS_BLAS_PIECES_H
#define OPS_BLAS_PIECES_H

#include "ops/blas/gemm.h"

enum {
	/* Multiplications of a product from which tensor cores are faster. An
	 * estimate by the cost model of docs/matmul.md, not a measurement:
	 * packing and multiplying take 18 us with k = 64 and 26 us with k = 256
	 * for up to one tile of 128 x 128 a compute unit, within which the
	 * portable kernel, at about 10 to 20 TFLOP/s, does 2^27 of them. */
	BLAS_TENSOR_WORK = 1 << 27,
	/* Least rows and columns: one tile. With fewer, most of it is empty. */
	BLAS_TENSOR_LINES = 128,
	/* Least k: what packed operands are rounded up to. */
	BLAS_TENSOR_DEPTH = 32,
	/* Columns of a rectangle below the diagonal. Narrower ones have too few
	 * tiles for all compute units and cost more launches; wider ones leave
	 * more to the portable kernel on the diagonal. */
	BLAS_LOWER_COLS = 1024,
};

/* A product, and its parts. */
struct blas_call {
	struct blas_gemm g;
	struct blas_part a, b, c;
};

/* Is the product large enough, and of a form that the kernels know? g->lower is
 * not looked at. */
bool blas_is_large(const struct blas_gemm *g);

/* Does it go to tensor cores, by g->tensor? */
bool blas_on_tensor(const struct blas_gemm *g);

/* Visits the pieces that a lower triangle is cut into, those on tensor cores
 * (not `lower`) first. x->g.stack is 1. Without any of these, the only piece is
 * the whole. */
typedef void blas_piece_fn(const struct blas_call *piece, void *arg);
void blas_pieces(const struct blas_call *x, blas_piece_fn *visit, void *arg);

#endif
