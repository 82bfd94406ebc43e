/* factors.h - functions that the tests of qr, svd and pinv share: measures of
 * matrices in a stack, and properties that hold for all three operations. */
#ifndef TESTS_OPS_QR_FACTORS_H
#define TESTS_OPS_QR_FACTORS_H

#include "tests/ops/op.h"

/* Element (i, j) of matrix s of a stack. */
double factor_at(const struct matrix *m, size_t s, size_t i, size_t j);

/* The Frobenius norm of matrix s of a stack. */
double factor_norm(const struct matrix *m, size_t s);

/* The Frobenius norm of X^T X - I for matrix s of a stack, or of X X^T - I if
 * `rows` is set. */
double factor_off_orthogonal(const struct matrix *x, size_t s, bool rows);

/* A check_one_fn asserts that the answer for matrix s of a stack is right, and
 * the function below it that all answers of a call are. */
typedef void check_one_fn(const struct args *a, size_t s);
typedef void check_call_fn(const struct args *a);

/* Asserts for a stack of three m x n matrices that a NaN or an infinity in the
 * second matrix makes this matrix fail, that its outputs are NaN, and that the
 * other two are answered. */
void factor_fails_alone(const char *op, const struct variant *v, size_t m,
                        size_t n, check_one_fn *check);

/* Asserts for square float32 matrices A that `output` of 2^-66 A, whose
 * elements are about 1e-20, is 2^-66 times the output of A. */
void factor_keeps_digits(const char *op, const struct variant *v, int output,
                         check_call_fn *check);

#endif
