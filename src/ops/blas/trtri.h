/* trtri.h - X = L^-1 for a lower triangular matrix L by few launches. The
 * diagonal blocks of 64 rows are inverted side by side, and then blocks of
 * twice as many rows by products, also side by side:
 *
 *     L = [L11; L21 L22],  X21 = -X22 (L21 X11).
 *
 * Products with X = L^-1 replace triangular solves where these have too many
 * steps. They have an error of the order of eps |L| |L^-1|, where those of
 * solves are smaller if L is ill-conditioned (Du Croz and Higham 1992). */
#ifndef OPS_BLAS_TRTRI_H
#define OPS_BLAS_TRTRI_H

#include "ops/blas/trsm.h"

/* n x n matrices without gaps, each from the start of its buffer. */
struct blas_trtri {
	size_t n;
	struct buf l;			/* only its lower triangle is read */
	struct buf x;			/* the identity before, L^-1 after */
	struct buf room;		/* is overwritten */
	const struct blas_tensor *tensor;	/* or NULL: see gemm.h */
};

/* Computes X in the sequence's type. Errors are the sequence's. */
void blas_trtri(struct seq *s, const struct blas_trtri *g);

#define BLAS_TRTRI_KERNELS BLAS_TRSM_KERNELS

#endif
