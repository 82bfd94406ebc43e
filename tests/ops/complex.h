/* complex.h - complex matrices in the tests of operations. */
#ifndef TESTS_OPS_COMPLEX_H
#define TESTS_OPS_COMPLEX_H

#include "tests/ops/op.h"

typedef double _Complex number;

/* Return element i, or element (i, j), of a matrix of any type, and set element
 * i: of a real matrix, to the real part of x. */
number complex_at(const struct matrix *m, size_t i);
number complex_element(const struct matrix *m, size_t i, size_t j);
void complex_set(struct matrix *m, size_t i, number x);

/* An m x n matrix whose parts are uniform in (-1, 1). */
struct matrix random_complex(enum dtype t, unsigned seed, size_t m, size_t n);

/* complex_taken() returns element (i, j) of M, M^T, the conjugate of M, or M^H:
 * `how` is AS_IT_IS, or TURNED, CONJUGATED or both. */
enum { AS_IT_IS, TURNED = 1, CONJUGATED = 2 };
number complex_taken(const struct matrix *m, size_t i, size_t j, int how);

/* Asserts |op(X) op(Y) - Z| <= 30 n eps |X| |Y| in the Frobenius norm. */
void ck_norm(const struct matrix *x, int how_x, const struct matrix *y,
             int how_y, const struct matrix *z);

/* Asserts that the residual and the orthogonality of the call's verdict are
 * small, unless they are NaN. */
void ck_ratios(const struct args *a);

#endif
