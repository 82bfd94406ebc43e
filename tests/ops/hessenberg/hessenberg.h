/* hessenberg.h - what the tests of this folder share. */
#ifndef TESTS_OPS_HESSENBERG_HESSENBERG_H
#define TESTS_OPS_HESSENBERG_HESSENBERG_H

#include "tests/ops/op.h"

/* Element (i, j) of an n x n matrix. */
typedef double hessenberg_element_fn(size_t i, size_t j, size_t n);
hessenberg_element_fn hessenberg_random;	/* in (-1, 1) */
hessenberg_element_fn hessenberg_zero, hessenberg_grcar, hessenberg_frank;

/* Asserts that |A - Q H Q^T| / (n |A| eps) and |I - Q Q^T| / (n eps) are small
 * for column-major matrices. */
void hessenberg_judge(const double *a, const double *h, const double *q,
                      size_t n, double epsilon);

/* The largest sum of the magnitudes of a column. */
double hessenberg_norm(const double *a, size_t n);

void hessenberg_multishift_tests(TCase *c);
void hessenberg_eigen_tests(TCase *c);

#endif
