/* hessenberg.h - what the tests of this folder share. */
#ifndef TESTS_OPS_HESSENBERG_HESSENBERG_H
#define TESTS_OPS_HESSENBERG_HESSENBERG_H

#include "tests/ops/op.h"

/* Element (i, j) of an n x n matrix. */
typedef double hessenberg_element_fn(size_t i, size_t j, size_t n);
hessenberg_element_fn hessenberg_random;	/* in (-1, 1) */
hessenberg_element_fn hessenberg_zero, hessenberg_grcar, hessenberg_frank;
hessenberg_element_fn hessenberg_dense;		/* a random Hessenberg matrix */

/* Hessenberg matrices on which the QR algorithm is tested. */
enum { HESSENBERG_FORMS = 10 };
extern hessenberg_element_fn *const hessenberg_forms[HESSENBERG_FORMS];

/* Asserts that |A - Q H Q^T| / (n |A| eps) and |I - Q Q^T| / (n eps) are small
 * for column-major matrices. */
void hessenberg_judge(const double *a, const double *h, const double *q,
                      size_t n, double epsilon);

/* The largest sum of the magnitudes of a column. */
double hessenberg_norm(const double *a, size_t n);

/* The result of a QR algorithm: T, column-major, and the eigenvalues. */
struct hessenberg_form {
	size_t n, ld;
	const double *t, *re, *im;
};

/* Asserts that T, the result for H, is quasi-triangular: every column has at
 * most one nonzero element below the diagonal. Such an element must be in rows
 * low to high - 1, and its 2 x 2 block must have the complex eigenvalues in re
 * and im. H is n x n and column-major. */
void hessenberg_assert_form(const struct hessenberg_form *f, const double *h,
                            size_t low, size_t high);

/* Asserts that the sum of the eigenvalues is H's trace. */
void hessenberg_assert_trace(const struct hessenberg_form *f, const double *h);

void hessenberg_schur_tests(TCase *c);
void hessenberg_multishift_tests(TCase *c);
void hessenberg_eigen_tests(TCase *c);

#endif
