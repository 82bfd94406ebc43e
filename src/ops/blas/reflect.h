/* reflect.h - applies a block of Householder reflections, in the compact WY
 * form (Schreiber and Van Loan 1989),
 *
 *     H_1 ... H_nb = I - V T V^T,
 *
 * to a matrix by three products, or by two where Y = V T is known. V is
 * rows x nb with explicit ones and zeros, T is nb x nb and upper triangular
 * with explicit zeros. */
#ifndef OPS_BLAS_REFLECT_H
#define OPS_BLAS_REFLECT_H

#include "ops/blas/gemm.h"

struct blas_reflect {
	size_t stack, rows, nb;
	struct blas_part v;		/* V; its rows lie in memory one after
					 * another, or, if v.transposed, its
					 * columns */
	struct blas_part t;		/* T, not transposed */
	struct blas_part y;		/* Y, like V; or none, all zeros. With
					 * Y there is no need of T and x[1] */
	const struct blas_tensor *tensor[2]; /* of the products with C, and of
					 * those that change it; see gemm.h; or
					 * NULL */
	size_t groups;			/* as in struct blas_gemm */
	size_t ldx;			/* elements between rows of x in
					 * blas_reflect_left(); 0: those that C
					 * has columns */
	struct buf x[2];		/* scratch: stack * nb elements for each
					 * column of C (or of ldx) in
					 * blas_reflect_left(), for each row in
					 * _right() */
};

/* C = (I - V op(T) V^T) C for the `rows` x n matrix C. op(T) is T^T if
 * `transposed`, which applies H_nb ... H_1. */
void blas_reflect_left(struct seq *s, const struct blas_reflect *h,
                       bool transposed, const struct blas_part *c, size_t n);

/* With Y: are both products of blas_reflect_left() computed on tensor cores? */
bool blas_reflect_left_on_tensor(const struct blas_reflect *h, size_t n);

/* C = C (I - V op(T) V^T) for the m x `rows` matrix C. */
void blas_reflect_right(struct seq *s, const struct blas_reflect *h,
                        bool transposed, const struct blas_part *c, size_t m);

#endif
