/* qr.h - declarations that the files of qr's tests share. */
#ifndef TESTS_OPS_QR_QR_H
#define TESTS_OPS_QR_QR_H

#include "tests/ops/op.h"

void qr_add_gram_tests(TCase *c);
void qr_add_blocked_tests(TCase *c);
void qr_add_raw_tests(TCase *c);

#endif
