/* spmv.h - shared by the tests of spmv. */
#ifndef TESTS_OPS_SPMV_SPMV_H
#define TESTS_OPS_SPMV_SPMV_H

#include "tests/ops/op.h"

void spmv_zeros_tests(TCase *c);

#endif
