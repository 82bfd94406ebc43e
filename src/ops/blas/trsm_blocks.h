/* trsm_blocks.h - Z = op(T)^-1 X for one triangular matrix T and many
 * right-hand sides, by products alone: the inverses of T's diagonal blocks are
 * computed first, all at once (as MAGMA's trsm does).
 *
 *     for each diagonal block T_jj:
 *         Z_j   = T_jj^-1 X_j
 *         X_i  -= T_ij Z_j         for the rows i that are still to be solved
 *
 * All compute units take part in the products, while blas_trsm() occupies one
 * compute unit for every 32 right-hand sides. The backward error of a block is
 * at most that of substitution times the condition number of T_jj (Higham 2002,
 * chapter 14). The inverse of a block may overflow where Z does not.
 */
#ifndef OPS_BLAS_TRSM_BLOCKS_H
#define OPS_BLAS_TRSM_BLOCKS_H

#include "ops/blas/trsm.h"

/* Rows of a diagonal block. */
enum { BLAS_TRSM_BLOCK = 256 };

/* Bytes of the buffer for the inverses. */
size_t blas_trsm_blocks_bytes(size_t n, enum dtype t);

/* Computes Z and overwrites X. g->stack must be 1. With g->lower_x, the blocks
 * of Z above its diagonal blocks are not written. X and Z must not overlap, and
 * neither may be transposed. `inverses` has blas_trsm_blocks_bytes() bytes.
 * Errors are the sequence's. */
void blas_trsm_blocks(struct seq *s, const struct blas_trsm *g,
                      const struct blas_part *t, const struct blas_part *x,
                      const struct blas_part *z, struct buf inverses);

/* Returns a product that none of blas_trsm_blocks() exceeds. */
struct blas_gemm blas_trsm_blocks_most(const struct blas_trsm *g);

#define BLAS_TRSM_BLOCKS_KERNELS BLAS_TRSM_KERNELS " blas_identity"

#endif
