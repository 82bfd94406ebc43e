/* qr.h - declarations that the files of qr's tests share. */
#ifndef TESTS_OPS_QR_QR_H
#define TESTS_OPS_QR_QR_H

#include "tests/ops/op.h"

void qr_add_gram_tests(TCase *c);
void qr_add_blocked_tests(TCase *c);
void qr_add_raw_tests(TCase *c);

/* |A P - Q R| of matrix s in the Frobenius norm. */
double qr_product_error(const struct args *a, size_t s);

/* Asserts that Q and R are within LAPACK's thresholds, and the verdict, too. */
void qr_check_call(const struct args *a);

#endif
