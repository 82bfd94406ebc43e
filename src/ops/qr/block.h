/* block.h - panels of QR_NB columns and their reflections in the form
 *
 *     H_1 ... H_NB = I - Y V^T,    Y = V T    (kernels/qr/block.cl),
 *
 * for all matrices of a stack at once. */
#ifndef OPS_QR_BLOCK_H
#define OPS_QR_BLOCK_H

#include "ops/blas/gemm.h"
#include "ops/qr/qr.h"
#include "shared/qr_block.h"

#define QR_BLOCK_KERNELS \
	"qr_block_gram qr_block_small qr_block_q qr_block_vectors qr_panel " \
	"qr_project qr_subtract qr_block_tau"

/* A stack of matrices that is being factored. */
struct qr_block {
	struct seq *s;
	size_t stack, m, n, k;		/* W is m x n, with k reflections */
	size_t ld;			/* columns of V and Y */
	struct buf w;			/* A, whose factored columns have R in
					 * the upper triangle */
	struct buf v, y;		/* m x ld: the columns of all panels.
					 * Column j is defined from row i on,
					 * where i is the first column of its
					 * panel rounded down to a multiple of
					 * `each` */
	struct buf tau;			/* receives the factors of all
					 * reflections; { 0 }: they are not
					 * wanted */
	struct buf parts, small, state, x;	/* scratch memory */
	size_t each;			/* the reflections of this many columns
					 * are applied together to the columns
					 * to the right of them; a multiple of
					 * QR_NB */
	struct blas_tensor tensor[2];	/* for P^T C, and for C -= Z X */
};

/* Returns whether the device can run the kernels, which want work-groups of
 * 1024 items with 43.8 KB of local memory, half of that without float64. */
bool qr_block_fits(const struct sheet *d);

/* Makes the buffers for k reflections on matrices of m rows, which will be
 * applied to matrices of at most `most` columns. W, m x n, is the caller's.
 * qr_block_need() adds their memory. */
struct qr_block qr_block_of(struct seq *s, size_t stack, size_t m, size_t n,
                            size_t most, struct buf w);
void qr_block_need(struct need *n, const struct sheet *d, enum dtype t,
                   size_t stack, size_t m, size_t cols, size_t most);

/* Factors the panel of W that begins at row and column `first`, a multiple of
 * QR_NB. The columns to its right stay as they are. */
void qr_block_factor(const struct qr_block *b, size_t first);

/* Combines the reflections of the panel at column `first` with those of the
 * panels from column `from` to that one, so that a single qr_block_apply()
 * applies all of them:
 *
 *     (I - Y_1 V_1^T) (I - Y_2 V_2^T) = I - [Y_1 Z] [V_1 V_2]^T
 *     with Z = (I - Y_1 V_1^T) Y_2, which replaces Y_2.
 *
 * `from` is a multiple of b->each. */
void qr_block_join(const struct qr_block *b, size_t from, size_t first);

/* C = (I - Y V^T) C, or C = (I - V Y^T) C if `transposed`, for the reflections
 * of the `width` columns of V and Y from column `from` on, a multiple of QR_NB.
 * C has the rows from row `from` of the matrices on and `cols` columns. */
void qr_block_apply(const struct qr_block *b, size_t from, size_t width,
                    const struct blas_part *c, size_t cols, bool transposed);

#endif
