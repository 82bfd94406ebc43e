/* qr.h - declarations that the files of qr's tests share. */
#ifndef TESTS_OPS_QR_QR_H
#define TESTS_OPS_QR_QR_H

#include "tests/ops/op.h"

void qr_add_gram_tests(TCase *c);
void qr_add_host_tall_tests(TCase *c);
void qr_add_blocked_tests(TCase *c);
void qr_add_raw_tests(TCase *c);

/* Makes an m x n matrix whose first `rank` singular values fall geometrically
 * from 1 to 1 / condition. The others are 0. */
struct matrix qr_conditioned(enum dtype t, size_t m, size_t n, size_t rank,
                             double condition);

/* Returns |R - S| / |R| in the Frobenius norm, where S is the factor of the
 * tall matrix x that xGEQRF computes. */
double qr_off_lapack(const struct matrix *x, const struct matrix *r);

/* |A P - Q R| of matrix s in the Frobenius norm. */
double qr_product_error(const struct args *a, size_t s);

/* Asserts that Q and R are within LAPACK's thresholds, and the verdict, too. */
void qr_check_call(const struct args *a);

#endif
