/* expm.h - what the files of the operation expm share: the choice of the Pade
 * approximant and of the scaling (A. Al-Mohy, N. Higham, A new scaling and
 * squaring algorithm for the matrix exponential, 2009).
 *
 *     e^A = (r(2^-s A))^(2^s),   r = (V - U)^-1 (V + U)
 *
 * where U and V are the odd and the even part of a polynomial of degree m. The
 * choice of m and s goes by d_k = |A^k|^(1/k), which for matrices that are far
 * from normal is much smaller than |A|. The norms of A^2, A^4 and A^6, which
 * the polynomial needs anyway, are computed; those of A^8 and A^10 are bounded
 * by their products. So the backward error is below the unit roundoff without
 * an estimate that could be too small.
 */
#ifndef OPS_EXPM_EXPM_H
#define OPS_EXPM_EXPM_H

#include "ops/op.h"

enum { EXPM_MOST_DEGREE = 13 };

struct expm_plan {
	int degree;			/* 3, 5, 7, 9 or 13 */
	int squarings;			/* s */
	bool far;			/* from normal: there are squarings, and
					 * |A| is much larger than d_k */
};

/* The matrix that is to be exponentiated, A. */
struct expm_matrix {
	double norm;			/* its 1-norm, or more */
	/* Computes A^k from lower powers and returns its 1-norm. It is called
	 * for 2, 4 and 6 in this order, until the degree is known. */
	double (*power)(void *arg, int k);
	/* The 1-norm of |A|^k, where |A| has the magnitudes of A's elements,
	 * divided by norm^k: so that it does not overflow. */
	double (*magnitudes)(void *arg, int k);
	void *arg;
};

struct expm_plan expm_choose(enum dtype t, const struct expm_matrix *x);

/* A, of a norm below 2^exponent, is first multiplied by 2^-(result), so that
 * its sixth power does not overflow; 0 for all but huge norms. */
int expm_first_scaling(enum dtype t, int exponent);

/* balance.c: balancing, e^A = D e^B D^-1 where B = D^-1 A D. Powers of two in D
 * make no rounding errors. It is for A that expm_first_scaling() or squarings
 * would make small by more than their eigenvalues ask for, as |A| is large only
 * because of its rows' and columns' units: every squaring of such a matrix
 * loses digits, for the errors of its small elements meet large ones. Others
 * keep their bits, and matrices that balancing does not make smaller are left
 * as they are, for it may also do harm (D. Watkins 2006).
 *
 * Elements are float32 or float64, `parts` for each element of A. */
struct expm_square {
	bool single;
	size_t parts, n;
};

/* Sets power[], the exponents of D, and returns whether B is worth it. */
bool expm_balance(const struct expm_square *m, const void *a, int *power);

/* X becomes D^-1 X D or, with `back`, D X D^-1, whose elements overflow only
 * if those of the answer do. */
void expm_similar(const struct expm_square *m, void *x, const int *power,
                  bool back);

/* The coefficients of the polynomial, from that of I, which is 1, to that of
 * A^degree. */
void expm_coefficients(int degree, double c[EXPM_MOST_DEGREE + 1]);

/* The element beside the diagonal of e^[a b; 0 d]. */
double expm_beside(double a, double b, double d);

/* The triangles of a matrix that have non-zero elements, beside its
 * diagonal. */
enum expm_shape { EXPM_FULL, EXPM_UPPER, EXPM_LOWER, EXPM_DIAGONAL };

/* host.c: computes expm of real matrices by LAPACK and BLAS on the host. */
int expm_host(struct seq *s, struct args *a);

/* complex.c: does the same for complex matrices. */
int expm_complex(struct seq *s, struct args *a);

/* device.c: computes expm on the device. *how of the variant tells whether the
 * substitutions and panels are those for NVIDIA's GPUs. */
struct need;
int expm_device(struct seq *s, struct args *a);
void expm_device_need(const struct args *a, const struct variant *v,
                      const struct sheet *d, struct need *n);
#define EXPM_KERNELS "expm_rows expm_scale expm_combine expm_denominator " \
	"expm_numerator expm_correct solve_places"

#endif
