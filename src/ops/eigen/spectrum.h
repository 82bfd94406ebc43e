/* spectrum.h - all eigenvalues of a matrix on the host, by LAPACK: balanced,
 * brought to upper Hessenberg form H, and from there by the QR algorithm; and
 * the left and right eigenvector of any of them, by inverse iteration on H.
 */
#ifndef OPS_EIGEN_SPECTRUM_H
#define OPS_EIGEN_SPECTRUM_H

#include <math.h>

#include "ops/eigen/balance.h"
#include "ops/eigen/lapack.h"

struct spectrum {
	int n;
	double *re, *im;	/* of conjugate pairs that with im > 0 first */
	int power;		/* all of this is of 2^-power A, balanced */
	double norm;		/* Frobenius' norm */
	double noise;		/* how far rounding moves an eigenvalue whose
				 * condition is 1 */
	int active;		/* rows that are not triangular as they are */

	/* The vectors found last, as vectors of A: n elements, then n
	 * imaginary parts. They were divided by powers of two. */
	double *right, *left;
	double condition;	/* |x| |y| / |y^H x|, of A, >= 1 */
	double inner;		/* the same of the balanced matrix */

	/* The inside. */
	const struct lapack *l;
	struct balance balance;
	int low, high;		/* as LAPACK counts, from 1 on */
	double *h;		/* H, and the reflectors that made it */
	double *room;		/* (n + 2) n numbers */
	double *numbers;	/* where re and what follows lie */
	double *at_re, *at_im, *tau, *scratch, *work;
	int *chosen;
};

/* Of matrix `index` of the stack m, of float32 or float64 and all finite;
 * *solved: did the QR algorithm end? -1: no memory. The caller's to
 * spectrum_fini(). */
int spectrum_init(struct spectrum *s, const struct lapack *l,
                  const struct matrix *m, size_t index, bool *solved);
void spectrum_fini(struct spectrum *s);

static inline double spectrum_size(const struct spectrum *s, int k)
{
	return hypot(s->re[k], s->im[k]);
}

/* The vectors of eigenvalue k; or those next to the real number `at` instead,
 * which must be as good an eigenvalue. again: the last ones of k have too
 * large a residual. */
void spectrum_vectors(struct spectrum *s, int k);
void spectrum_vectors_at(struct spectrum *s, int k, double at);
void spectrum_vectors_again(struct spectrum *s, int k);

#endif
