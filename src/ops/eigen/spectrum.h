/* spectrum.h - all eigenvalues of a matrix, by LAPACK on the host: the matrix
 * is balanced, unless `plain` is set, and reduced to upper Hessenberg form H,
 * to which the QR algorithm is applied. The left and right eigenvectors of
 * single eigenvalues come from inverse iteration on H. */
#ifndef OPS_EIGEN_SPECTRUM_H
#define OPS_EIGEN_SPECTRUM_H

#include <math.h>

#include "ops/eigen/balance.h"
#include "ops/lapack/lapack.h"

struct spectrum {
	bool plain;		/* set by the caller: A is not balanced */
	int n;
	double *re, *im;	/* of a conjugate pair, im > 0 comes first */
	int power;		/* all numbers here are for 2^-power A */
	double norm;		/* Frobenius norm */
	double noise;		/* distance by which rounding errors move an
				 * eigenvalue whose condition is 1 */
	int active;		/* rows outside of the triangular borders */

	/* The eigenvectors of A that were computed last: n real parts, then n
	 * imaginary parts. They were divided by powers of two. */
	double *right, *left;
	double condition;	/* |x| |y| / |y^H x|, of A, >= 1 */
	double inner;		/* the same of the balanced matrix */

	/* Private to spectrum.c. */
	const struct lapack *l;
	struct balance balance;
	int low, high;		/* as LAPACK counts, from 1 on */
	double *h;		/* H, and the reflectors that made it */
	double *room;		/* scratch: (lapack_ld(n) + 2) n numbers */
	double *numbers;	/* the allocation of re and what follows */
	double *at_re, *at_im, *tau, *scratch, *work;
	int *chosen;
};

/* Computes the eigenvalues of matrix `index` of the stack m, which must be
 * float32 or float64 and finite. Sets *solved to whether the QR algorithm
 * converged. Returns -1 if there is no memory. The caller must call
 * spectrum_fini() in any case. */
int spectrum_init(struct spectrum *s, const struct lapack *l,
                  const struct matrix *m, size_t index, bool *solved);
void spectrum_fini(struct spectrum *s);

static inline double spectrum_size(const struct spectrum *s, int k)
{
	return hypot(s->re[k], s->im[k]);
}

/* spectrum_vectors() computes the vectors of eigenvalue k.
 * spectrum_vectors_at() computes those of the real number `at`, which is near
 * eigenvalue k and as good an eigenvalue. spectrum_vectors_again() computes k's
 * once more, from another start, where the residual of the first ones is too
 * large. */
void spectrum_vectors(struct spectrum *s, int k);
void spectrum_vectors_at(struct spectrum *s, int k, double at);
void spectrum_vectors_again(struct spectrum *s, int k);

#endif
