/* cholesky.h - matrices and measures of the tests of cholesky. */
#ifndef TESTS_OPS_CHOLESKY_CHOLESKY_H
#define TESTS_OPS_CHOLESKY_CHOLESKY_H

#include "tests/ops/op.h"

/* Makes symmetric matrices with a dominant diagonal. Above the diagonal they
 * are NaN, because that must not be read. */
struct matrix cholesky_definite(enum dtype t, size_t stack, size_t n);

/* Returns |A - L L^T| / (n |A| eps) of matrix `index` in the 1-norm of the
 * lower triangles alone, which is between half of the whole matrices' 1-norm
 * and all of it. */
double cholesky_error(const struct matrix *a, const struct matrix *l,
                      size_t index);

/* Asserts that matrix `index` is lower triangular with a positive diagonal. */
void cholesky_is_lower(const struct matrix *l, size_t index);

#endif
